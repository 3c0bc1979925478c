"""Ways to mask a cell: which value it gets, before softmax or after it."""

import math
from dataclasses import dataclass

import numpy as np

from core import ops

BEFORE = {"minus_infinity": -math.inf, "minus_1e9": -1e9, "zero": 0.0}
AFTER = ("after", "after_shared")
WAYS = (*BEFORE, *AFTER)


def filled(scaled: np.ndarray, allowed: np.ndarray, value: float) -> np.ndarray:
    """The scaled scores, with one value in every cell that is not allowed."""
    return np.where(allowed, scaled, value)


def masked_before(scaled: np.ndarray, allowed: np.ndarray, value: float = -math.inf) -> np.ndarray:
    """Mask, then share out: weights = softmax(filled).

    value: −∞ gives exactly 0 (section 3.2.3). −1e9 gives e^(−1e9 − max), which is 0 in floating
    point, but only where the row has an allowed cell for its maximum. 0 is a score like any other:
    it gets e^(0 − max).
    """
    return ops.softmax(filled(scaled, allowed, value))


def masked_after(scaled: np.ndarray, allowed: np.ndarray, *, shared: bool = False) -> np.ndarray:
    """Share out, then mask: weights = softmax(scaled) ⊙ allowed.

    shared: divide each row by what is left of it, so that it sums to 1 again. This is softmax over
    the allowed cells alone, hence the same as masking before, as long as the row keeps anything: a
    forbidden score that is some 745 larger leaves nothing of float64's allowed weights.
    """
    weights = ops.softmax(scaled) * allowed
    if shared:
        left = weights.sum(axis=-1, keepdims=True)  # (…, query, 1)
        weights /= np.where(left == 0, 1, left)
    return weights


def weights_by(way: str, scaled: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The weights when cells are masked in one of the ``WAYS``.

    Raises KeyError for another way.
    """
    if way in AFTER:
        return masked_after(scaled, allowed, shared=way == "after_shared")
    return masked_before(scaled, allowed, BEFORE[way])


def leaked_weight(weights: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """How much of each query's attention lies on keys that are not allowed. Returns (…, query)."""
    return (weights * ~allowed).sum(axis=-1)


def fully_masked(allowed: np.ndarray) -> np.ndarray:
    """True for each query that may look at no key. Returns (…, query)."""
    return np.logical_not(allowed.any(axis=-1))


@dataclass(frozen=True)
class MaskEffect:
    """What one way of masking does to all rows together.

    leak: the most that lies on forbidden keys in a row. least, most: the smallest and the largest
    sum of a row. apart: the largest difference of a weight from masking with −∞.
    """

    leak: float
    least: float
    most: float
    apart: float


def mask_effect(way: str, scaled: np.ndarray, allowed: np.ndarray) -> MaskEffect:
    """What a way of masking does to these scores, scaled and allowed (…, query, key)."""
    weights = weights_by(way, scaled, allowed)
    sums = weights.sum(axis=-1)
    apart = np.abs(weights - masked_before(scaled, allowed))
    return MaskEffect(
        float(leaked_weight(weights, allowed).max()),
        float(sums.min()),
        float(sums.max()),
        float(apart.max()),
    )
