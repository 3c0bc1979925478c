import numpy as np
import pytest
from attention_inputs import BATCH, D_MODEL, D_V, HEADS, QUERY, biased_weights, numbers
from claims import for_all
from refuses import refuses

from core import Weights, multi_head_attention
from core.experiments.heads import (
    ablated,
    contributions,
    distances,
    largest_difference,
    output_without,
    projected_apart,
    spread,
)

WEIGHTS = biased_weights()
X = numbers(BATCH, QUERY, D_MODEL, seed=43)


def test_one_packed_projection_and_one_for_each_head_are_the_same_numbers():
    trace = multi_head_attention(X, WEIGHTS)
    apart = projected_apart(X, WEIGHTS)
    assert set(apart) == {"Q", "K", "V"}
    for key, tensor in apart.items():
        assert tensor.shape == trace[key].tensor.shape
        np.testing.assert_allclose(tensor, trace[key].tensor, rtol=1e-12, atol=1e-13)
        assert largest_difference(tensor, trace[key].tensor) < 1e-13


def test_the_largest_difference_is_that_of_the_farthest_number():
    assert largest_difference(np.array([1.0, 2, 3]), np.array([1.5, 2, 1])) == 2


def test_distances_are_total_variation_distances():
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


def test_spread_averages_pairs_and_gives_the_farthest():
    same, other, third = [[1.0, 0, 0]], [[0.0, 1, 0]], [[0.5, 0.25, 0.25]]
    found = spread(np.array([same, third, other]))
    assert (found.most, found.pair) == (1, (0, 2))
    assert found.mean == pytest.approx((0.5 + 1 + 0.75) / 3)


ATTENDED = multi_head_attention(numbers(BATCH, QUERY, D_MODEL, seed=41), WEIGHTS)
HEAD_OUTPUT, OUTPUT = ATTENDED["head_output"].tensor, ATTENDED["output"].tensor
ADDED = contributions(HEAD_OUTPUT, WEIGHTS)
close = {"rtol": 1e-10, "atol": 1e-12}


def test_a_contribution_is_head_output_times_its_slice_of_W_O():
    W_O = WEIGHTS.W_O.tolist()
    for head in range(HEADS):
        for query in range(QUERY):
            for m in range(D_MODEL):
                by_hand = 0.0
                for v in range(D_V):
                    by_hand += HEAD_OUTPUT[1, head, query, v] * W_O[head * D_V + v][m]
                assert ADDED[1, head, query, m] == pytest.approx(by_hand, rel=1e-9, abs=1e-12)


@for_all("head", range(HEADS))
def test_muting_a_head_changes_the_output_by_exactly_its_contribution(head):
    without = output_without(HEAD_OUTPUT, WEIGHTS, [head])
    np.testing.assert_allclose(OUTPUT - without, ADDED[:, head], **close)


def test_an_ablated_head_is_zero_in_concat_and_the_others_stay():
    before = HEAD_OUTPUT.copy()
    left = ablated(HEAD_OUTPUT, {1})
    assert not left[:, 1].any()
    np.testing.assert_array_equal(left[:, [0, 2]], HEAD_OUTPUT[:, [0, 2]])
    np.testing.assert_array_equal(HEAD_OUTPUT, before)


@pytest.mark.parametrize("head", [-1, HEADS])
def test_a_head_that_does_not_exist_cannot_be_ablated(head):
    with refuses("out_of_range", name="head", value=head):
        ablated(HEAD_OUTPUT, [head])


def test_heads_that_do_not_fit_W_O_are_refused():
    with refuses("shape_mismatch", name="head_output"):
        contributions(HEAD_OUTPUT[..., 1:], WEIGHTS)
    ends_at_concat = Weights(WEIGHTS.W_Q, WEIGHTS.W_K, WEIGHTS.W_V, None, HEADS)
    expected = f"(batch, {HEADS}, query, {WEIGHTS.d_v}) with a W_O behind it"
    with refuses("shape_mismatch", expected=expected):
        output_without(HEAD_OUTPUT, ends_at_concat, [])
