import numpy as np
import pytest
from claims import for_all

from core import Trace, UnknownStage, Weights, multi_head_attention
from core.experiments.jacobian import attention_jacobian, stretch
from core.options import AttentionOptions

BATCH, N, D_MODEL, HEADS, D_K, D_V = 2, 5, 7, 3, 4, 6


def weights(seed: int = 3, biased: bool = False) -> Weights:
    drawn = Weights.seeded(D_MODEL, HEADS, seed, d_k=D_K, d_v=D_V)
    if not biased:
        return drawn
    random = np.random.default_rng(seed)
    return Weights(
        drawn.W_Q, drawn.W_K, drawn.W_V, drawn.W_O, HEADS,
        b_Q=random.normal(size=HEADS * D_K), b_K=random.normal(size=HEADS * D_K),
        b_V=random.normal(size=HEADS * D_V), b_O=random.normal(size=D_MODEL),
    )  # fmt: skip


def tokens(seed: int = 5, n: int = N) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(BATCH, n, D_MODEL))


def by_differences(X: np.ndarray, given: Weights, step: float = 1e-5, **options) -> np.ndarray:
    def output(moved: np.ndarray) -> np.ndarray:
        return multi_head_attention(moved, given, AttentionOptions(**options))["output"].tensor

    found = np.zeros((BATCH, N, N, D_MODEL, D_MODEL))
    for j in range(N):
        for c in range(D_MODEL):
            up, down = X.copy(), X.copy()
            up[:, j, c] += step
            down[:, j, c] -= step
            found[:, :, j, :, c] = (output(up) - output(down)) / (2 * step)
    return found


PADDED = {"key_mask": np.array([[True] * 5, [True, True, True, False, False]])}


@for_all("biased", [False, True])
@for_all("options", [{}, {"causal": True}, PADDED])
def test_the_derivative_through_softmax_agrees_with_finite_differences(options, biased):
    X, given = tokens(), weights(biased=biased)
    exact = attention_jacobian(multi_head_attention(X, given, AttentionOptions(**options)))
    np.testing.assert_allclose(exact, by_differences(X, given, **options), atol=1e-6)


def test_the_spectral_norm_is_the_largest_factor_of_any_direction():
    J = np.array([[[3.0, 0.0], [0.0, -4.0]], [[0.0, 2.0], [0.0, 0.0]]])
    np.testing.assert_allclose(stretch(J), [4, 2])
    random = np.random.default_rng(2)
    M, v = random.normal(size=(5, 3)), random.normal(size=(3, 1000))
    longest = (np.linalg.norm(M @ v, axis=0) / np.linalg.norm(v, axis=0)).max()
    assert longest <= stretch(M) * (1 + 1e-12)
    assert longest > 0.98 * stretch(M)


def test_without_an_output_matrix_there_is_nothing_to_differentiate():
    drawn = weights()
    bare = Weights(drawn.W_Q, drawn.W_K, drawn.W_V, None, HEADS)
    trace: Trace = multi_head_attention(tokens(), bare)
    with pytest.raises(UnknownStage, match="W_O"):
        attention_jacobian(trace)
