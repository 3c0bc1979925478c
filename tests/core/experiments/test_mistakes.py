"""The result of each mistake, against plain loops."""

import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Weights, multi_head_attention, ops
from core.experiments.mistakes import (
    MISTAKES,
    MatmulMismatch,
    attend,
    farthest_sum,
    largest_masked_weight,
    origin,
    relative_error,
)
from core.options import AttentionOptions

SIZES = [(3, 2, 5), (5, 3, 7), (7, 5, 11), (13, 2, 3), (11, 1, 2)]  # n, h, d_k
BATCH = 2


def given(n: int, heads: int, d_k: int) -> tuple[np.ndarray, Weights]:
    X = np.random.default_rng(n).normal(size=(BATCH, n, heads * d_k))
    return X, Weights.seeded(heads * d_k, heads, seed=d_k)


@for_all("size", SIZES)
def test_the_correct_operations_give_the_numbers_of_multi_head_attention(size):
    X, weights = given(*size)
    trace, found = (
        multi_head_attention(X, weights, AttentionOptions(causal=True)),
        attend(X, weights),
    )
    for key, stage in vars(found).items():
        np.testing.assert_allclose(stage, trace[key].tensor, rtol=0, atol=1e-12)


def test_reshape_without_transpose_reads_the_numbers_row_by_row():
    X, weights = given(5, 3, 7)
    packed = ops.linear(X, weights.W_Q)
    found = attend(X, weights, MISTAKES["reshape"].operations).Q
    for b, i, row, k in np.ndindex(BATCH, 3, 5, 7):
        token, column = divmod((i * 5 + row) * 7 + k, 21)
        assert found[b, i, row, k] == packed[b, token, column]


def test_a_key_that_is_not_transposed_has_no_product_unless_n_is_d_k():
    X, weights = given(5, 3, 7)
    with pytest.raises(MatmulMismatch, match="size 5 is different from 7") as caught:
        attend(X, weights, MISTAKES["upright"].operations)
    assert (caught.value.left, caught.value.right) == ((5, 7), (5, 7))

    X, weights = given(7, 3, 7)
    found = attend(X, weights, MISTAKES["upright"].operations)
    for i, j in np.ndindex(7, 7):
        total = math.fsum(found.Q[1, 2, i, c] * found.K[1, 2, c, j] for c in range(7))
        assert found.scores[1, 2, i, j] == pytest.approx(total)


def test_dividing_by_h_twice_leaves_each_head_the_first_of_its_own_columns():
    X, weights = given(5, 3, 7)
    right, broken = attend(X, weights), attend(X, weights, MISTAKES["twice"].operations)
    assert broken.Q.shape == (BATCH, 3, 5, 2)
    np.testing.assert_array_equal(broken.Q, right.Q[..., :2])
    assert broken.concat.shape == (BATCH, 5, 6)
    assert weights.W_O is not None
    rows = [0, 1, 7, 8, 14, 15]
    np.testing.assert_allclose(broken.output, broken.concat @ weights.W_O[rows])


def test_dividing_by_h_twice_may_leave_a_head_nothing():
    X, weights = given(7, 5, 3)
    with refuses("heads_do_not_divide", name="d_k", width=3, heads=5):
        attend(X, weights, MISTAKES["twice"].operations)


def test_a_masked_score_of_0_has_the_weight_of_e_to_the_0():
    share = MISTAKES["zero_mask"].operations.share
    found = share(np.array([[math.log(3), 5.0]]), np.array([[True, False]]))
    np.testing.assert_allclose(found, [[3 / 4, 1 / 4]])


def test_inputs_that_do_not_fit_the_matrices_are_refused():
    X, weights = given(5, 3, 7)
    with refuses("shape_mismatch", name="X", expected="(batch, token, 21)"):
        attend(X[..., :20], weights)
    bare = Weights(weights.W_Q, weights.W_K, weights.W_V, None, 3)
    with refuses("shape_mismatch", name="W_O"):
        attend(X, bare)


def test_the_relative_error_is_0_for_the_same_and_1_for_zeros():
    right = np.array([[3.0, 4.0]])
    assert relative_error(right, right) == 0
    assert relative_error(right, np.zeros((1, 2))) == 1
    assert relative_error(right, np.array([[3.0, 4.5]])) == pytest.approx(0.1)
    assert relative_error(np.zeros((1, 2)), np.zeros((1, 2))) == 0


def test_the_farthest_sum_may_lie_on_either_side_of_1():
    assert farthest_sum(np.array([[0.5, 0.5], [0.2, 0.1], [1.0, 0.2]])) == (1, pytest.approx(0.3))
    assert farthest_sum(np.array([[0.9, 0.0], [1.0, 0.7]])) == (1, pytest.approx(1.7))


def test_the_largest_masked_weight_is_among_masked_keys():
    weights = np.array([[0.5, 0.2, 0.3], [0.1, 0.5, 0.4], [0.9, 0.05, 0.05]])
    allowed = np.tri(3, dtype=bool)
    assert largest_masked_weight(weights, allowed) == (1, 2, 0.4)
    assert largest_masked_weight(weights, np.ones((3, 3), bool))[2] == 0


def test_origin_traces_tokens_and_columns_through_a_split():
    n, heads, d_k = 5, 3, 7
    own = [(4, column) for column in range(14, 21)]
    assert origin(ops.split_heads, n, heads, d_k, head=2, row=4) == own
    mixed = origin(MISTAKES["reshape"].wrong, n, heads, d_k, head=1, row=0)
    assert mixed == [divmod(5 * 7 + k, 21) for k in range(7)]
    assert mixed[0][0] == 1
