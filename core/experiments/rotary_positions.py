"""Scores by distance, with rotary positions, added positions and ALiBi."""

import math

import numpy as np

from core import masks, ops
from core.experiments.cache_size import DecoderSizes
from core.rotary import Linear, Llama3, Rotary, Scaling, inverse_frequencies

# Of Llama 3.1 ("The Llama 3 Herd of Models", Grattafiori et al., 2024, section 3.4.2 and its
# published settings), which reads 8 and more times the 8192 tokens that it was first trained on.
FACTOR, ORIGINAL, BASE, D_K = 8, 8192, 500_000, 128
# The rule of Llama 3.1 is that of YaRN ("YaRN", Peng et al., 2023, section 3, NTK-by-parts, with
# α = 1 and β = 32) with other bounds.
SCALINGS: dict[str, Scaling] = {
    "linear": Linear(FACTOR),
    "llama_3": Llama3(FACTOR, 1, 4, ORIGINAL),
    "yarn": Llama3(FACTOR, 1, 32, ORIGINAL),
}


def slower(scaling: Scaling) -> np.ndarray:
    """How many times slower each pair turns with a scaling: (pair,)."""
    plain = inverse_frequencies(D_K, BASE)
    return plain / scaling.scaled(plain)


def turns() -> np.ndarray:
    """The turns of each pair within the tokens that the model was first trained on: (pair,)."""
    made: np.ndarray = ORIGINAL * inverse_frequencies(D_K, BASE) / (2 * math.pi)
    return made


def sharpened(factor: float) -> float:
    """By what YaRN multiplies all scores: 1 / t with √(1 / t) = 0.1 ln s + 1 (Peng et al., 2023).

    factor: s, how many times longer the text is.
    """
    return (0.1 * math.log(factor) + 1) ** 2


def rotary_scores(q: np.ndarray, k: np.ndarray, rotary: Rotary, n: int) -> np.ndarray:
    """The scaled scores of one query and one key at all pairs of positions: (n, n).

    q, k: (d_k,), not rotated.
    """
    tables = rotary.tables(n, q.dtype)
    Q, K = (ops.rotate(np.tile(x, (n, 1)), *tables, rotary.interleaved) for x in (q, k))
    return _scaled(Q, K)


def added_scores(
    x_q: np.ndarray, x_k: np.ndarray, position: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray
) -> np.ndarray:
    """The same for positions that are added to X before it is projected: (n, n).

    x_q, x_k: (d_model,). position: (n, d_model). W_Q, W_K: of one head, (d_model, d_k).
    """
    return _scaled((x_q + position) @ W_Q, (x_k + position) @ W_K)


def alibi_scores(q: np.ndarray, k: np.ndarray, slope: float, n: int) -> np.ndarray:
    """The same with ALiBi: the scaled score less slope · distance, (n, n)."""
    alike = _scaled(np.tile(q, (n, 1)), np.tile(k, (n, 1)))
    slopes = np.array([slope], dtype=q.dtype)
    return alike + ops.alibi(slopes, np.abs(masks.distance(n, n, 0)).astype(q.dtype))[0]


def spread_by_distance(scores: np.ndarray) -> float:
    """The largest difference of two scores of equal distance, among keys that are not later.

    scores: (n, n). 0 if they depend on the distance only.
    """
    diagonals = (np.diagonal(scores, -distance) for distance in range(len(scores)))
    return float(max(np.ptp(diagonal) for diagonal in diagonals))


def _scaled(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    return ops.scale_scores(ops.dot_product_scores(Q, K), 1 / math.sqrt(Q.shape[-1]))


def table_parameters(sizes: DecoderSizes, tokens: int) -> int:
    """Parameters of learnt positions: a vector for each ("Language Models are Unsupervised
    Multitask Learners", Radford et al., 2019)."""
    return tokens * sizes.d_model


def rotation_multiply_adds(sizes: DecoderSizes) -> int:
    """Multiply-adds to rotate the queries and keys of one new token, in all layers: 2 a number."""
    return 2 * sizes.layers * (sizes.heads + sizes.kv_heads) * sizes.d_k


def alibi_multiply_adds(sizes: DecoderSizes, tokens: int) -> int:
    """Multiply-adds of ALiBi's biases for one new token over ``tokens`` keys, in all layers."""
    return sizes.layers * sizes.heads * tokens
