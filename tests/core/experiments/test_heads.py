import numpy as np
import pytest
from attention_inputs import BATCH, D_K, D_MODEL, HEADS, QUERY, biased_weights, numbers
from claims import for_all

from core import multi_head_attention
from core.experiments.heads import distances, divisors, largest_difference, projected_apart, spread

WEIGHTS = biased_weights()
X = numbers(BATCH, QUERY, D_MODEL, seed=43)


@for_all(("d_model", "expected"), [(1, [1]), (7, [1, 7]), (12, [1, 2, 3, 4, 6, 12])])
def test_heads_share_the_width_without_remainder(d_model, expected):
    assert divisors(d_model) == expected


def test_one_packed_projection_and_one_for_each_head_are_the_same_numbers():
    trace = multi_head_attention(X, WEIGHTS)
    apart = projected_apart(X, WEIGHTS)
    assert set(apart) == {"Q", "K", "V"}
    for key, tensor in apart.items():
        assert tensor.shape == trace[key].tensor.shape
        np.testing.assert_allclose(tensor, trace[key].tensor, rtol=1e-12, atol=1e-13)
        assert largest_difference(tensor, trace[key].tensor) < 1e-13


def test_a_head_projects_with_its_own_columns():
    Q = projected_apart(X, WEIGHTS)["Q"]
    W_Q, b_Q = WEIGHTS.W_Q.tolist(), WEIGHTS.b_Q.tolist()
    for head in range(HEADS):
        for k in range(D_K):
            column = head * D_K + k
            by_hand = b_Q[column]
            for m in range(D_MODEL):
                by_hand += X[1, 2, m] * W_Q[m][column]
            assert Q[1, head, 2, k] == pytest.approx(by_hand, rel=1e-10)


def test_the_largest_difference_is_that_of_the_farthest_number():
    assert largest_difference(np.array([1.0, 2, 3]), np.array([1.5, 2, 1])) == 2


def test_heads_are_as_far_apart_as_the_share_that_lies_elsewhere():
    weights = np.array(
        [
            [[1.0, 0, 0], [0.5, 0.5, 0]],
            [[0.0, 1, 0], [0.5, 0.25, 0.25]],
            [[1.0, 0, 0], [0.5, 0.5, 0]],
        ]
    )
    expected = (1 + 0.25) / 2  # all of the first row, a quarter of the second
    found = distances(weights)
    np.testing.assert_allclose(found, [[0, expected, 0], [expected, 0, expected], [0, expected, 0]])


def test_distance_is_between_0_and_1_and_the_same_both_ways():
    weights = multi_head_attention(X, WEIGHTS)["weights"].tensor[0]
    found = distances(weights)
    assert found.shape == (HEADS, HEADS)
    np.testing.assert_allclose(found, found.T)
    assert ((found >= 0) & (found <= 1)).all()
    assert not np.diag(found).any()


def test_the_spread_counts_each_pair_once_and_names_the_farthest():
    same, other, third = [[1.0, 0, 0]], [[0.0, 1, 0]], [[0.5, 0.25, 0.25]]
    found = spread(np.array([same, third, other]))
    assert (found.most, found.pair) == (1, (0, 2))
    assert found.mean == pytest.approx((0.5 + 1 + 0.75) / 3)


def test_one_head_has_no_pair():
    assert spread(np.array([[[1.0, 0]]])) is None
