import numpy as np
import pytest
from claims import for_all

from core import Weights, multi_head_attention
from core.experiments.questions import (
    key_bias,
    owners,
    rectangular,
)

N, D_MODEL, HEADS = 5, 6, 3
WEIGHTS = Weights.seeded(D_MODEL, HEADS, 7)


def tokens(seed: int = 1, batch: int = 2) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(batch, N, D_MODEL))


@for_all("seed", range(5))
def test_a_key_bias_adds_a_constant_to_each_row_and_changes_no_weight(seed):
    X = tokens(seed)
    found = key_bias(X, WEIGHTS, seed)
    b = found.with_bias["b_K"].tensor  # (head, d_k)
    Q = found.without["Q"].tensor
    for sample, head, query in np.ndindex(2, HEADS, N):
        constant = Q[sample, head, query] @ b[head] / np.sqrt(2)
        assert abs(constant) > 1e-6
        assert found.shift[sample, head, query] == pytest.approx(constant, abs=1e-12)
    moved = found.with_bias["scaled"].tensor - found.without["scaled"].tensor
    np.testing.assert_allclose(moved, found.shift[..., None] * np.ones(N), atol=1e-12)
    assert found.largest < 1e-15
    direct = found.with_bias["weights"].tensor - found.without["weights"].tensor
    assert found.largest == np.abs(direct).max()
    assert found.rotated > 1e-3  # b is turned with each key: R_i q_i · R_j b depends on j


def test_two_queries_and_five_keys_give_a_rectangle():
    trace = multi_head_attention(tokens(), WEIGHTS)
    found = rectangular(trace["X"], WEIGHTS, 2)
    assert found["scores"].tensor.shape == (2, HEADS, 2, N)
    assert found["output"].tensor.shape == (2, 2, D_MODEL)
    expected = trace["weights"].tensor[:, :, :2]
    np.testing.assert_allclose(found["weights"].tensor, expected, atol=1e-15)


def test_a_reshape_alone_gives_a_head_the_numbers_of_few_tokens():
    right, wrong = owners(4, 6, 3)
    np.testing.assert_array_equal(right, [[1, 1], [2, 2], [3, 3], [4, 4]])
    # the first 8 of 24 numbers, read row by row: 6 of token 1, 2 of token 2
    np.testing.assert_array_equal(wrong, [[1, 1], [1, 1], [1, 1], [2, 2]])
