"""Entropy of attention weights, and the Jacobian of softmax.

All functions take rows along the last axis that sum to 1. Entropy is that of
Shannon, "A Mathematical Theory of Communication" (1948), section 6; the Jacobian of softmax is
written out in Martins and Astudillo, "From Softmax to Sparsemax" (2016), section 2.5.
"""

import math

import numpy as np

from core import finite, ops
from core.errors import out_of_range


def entropy(weights: np.ndarray) -> np.ndarray:
    """The entropy in bits: H = −Σ p log₂ p, with 0 log 0 = 0. (…, key) -> (…).

    0 for a single key with weight 1, log₂ n for n equal weights.
    Raises not_real, not_finite, and out_of_range for a weight below 0.
    """
    _check(weights)
    logarithms = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    # A row of one certain key would be −0.
    return np.abs((weights * logarithms).sum(axis=-1))


def most_entropy(keys: int) -> float:
    """The largest entropy of a row: log₂ n, in bits."""
    return math.log2(keys)


def perplexity(weights: np.ndarray) -> np.ndarray:
    """The perplexity 2^H: the number of equal weights with the same entropy. (…, key) -> (…)."""
    return np.exp2(entropy(weights))


def ratio(scores: np.ndarray, one: int, other: int) -> float:
    """The ratio of the weights of two keys: p_i / p_j = e^(x_i − x_j).

    scores: (key,). The sum of the row cancels out. ∞ on overflow.
    """
    with np.errstate(over="ignore"):
        return float(np.exp(scores[one] - scores[other]))


def entropy_over_temperature(scores: np.ndarray, temperatures: np.ndarray) -> np.ndarray:
    """The entropy of softmax(scores / T), in bits, for each temperature T.

    scores: (key,); temperatures: (temperature,), each above 0. Returns (temperature,).
    """
    rows = [ops.scale_scores(scores, 1.0, float(T)) for T in temperatures]
    return entropy(ops.softmax(np.stack(rows)))  # (temperature, key) -> (temperature,)


def jacobian(weights: np.ndarray) -> np.ndarray:
    """The Jacobian of softmax: J = diag(p) − p pᵀ, where p = softmax(x).

    J_ij = ∂p_i / ∂x_j = p_i (1 if i = j else 0) − p_i p_j. (…, key) -> (…, key, key).
    Raises not_real, not_finite, and out_of_range for a weight below 0.
    """
    _check(weights)
    diagonal = weights[..., None] * np.eye(weights.shape[-1], dtype=weights.dtype)
    return diagonal - weights[..., :, None] * weights[..., None, :]


def jacobian_size(weights: np.ndarray) -> np.ndarray:
    """The Frobenius norm of the Jacobian of softmax: √(Σ J_ij²). (…, key) -> (…).

    0 for a single key with weight 1; √(n − 1) / n for n equal weights; at most ½, for two keys of
    weight ½.
    """
    return np.sqrt(np.square(jacobian(weights)).sum(axis=(-2, -1)))


def _check(weights: np.ndarray) -> None:
    finite.check("weights", finite.real("weights", weights))
    least = float(weights.min(initial=0))
    if least < 0:
        raise out_of_range("weights", least, "at least 0")
