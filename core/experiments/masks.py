"""Ways to mask: the value of a masked cell, before or after softmax."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core import ops

BEFORE = {"minus_infinity": -math.inf, "minus_1e9": -1e9, "zero": 0.0}
AFTER = ("after", "after_shared")
WAYS = (*BEFORE, *AFTER)
# Masks in libraries: True is allowed, True is masked, or numbers to be added.
CONVENTIONS: Mapping[str, Callable[[np.ndarray], np.ndarray]] = {
    "allowed": lambda allowed: allowed.astype(int),
    "masked": lambda allowed: (~allowed).astype(int),
    "added": lambda allowed: np.where(allowed, 0, -math.inf),
}


def filled(scaled: np.ndarray, allowed: np.ndarray, value: float) -> np.ndarray:
    """The scaled scores with ``value`` in every masked cell."""
    return np.where(allowed, scaled, value)


def masked_before(scaled: np.ndarray, allowed: np.ndarray, value: float = -math.inf) -> np.ndarray:
    """Mask before softmax: weights = softmax(filled).

    value: −∞ gives exactly 0 (section 3.2.3). −1e9 gives e^(−1e9 − max), which is 0 in floating
    point if the row has an allowed cell. 0 gives e^(0 − max), like any other score.
    """
    return ops.softmax(filled(scaled, allowed, value))


def masked_after(scaled: np.ndarray, allowed: np.ndarray, *, shared: bool = False) -> np.ndarray:
    """Mask after softmax: weights = softmax(scaled) ⊙ allowed.

    shared: renormalise each row to sum 1. This is softmax over the allowed cells, hence the same as
    masking before, unless a masked score is larger by some 745, so that the allowed weights
    underflow in float64.
    """
    weights = ops.softmax(scaled) * allowed
    if shared:
        left = weights.sum(axis=-1, keepdims=True)  # (…, query, 1)
        weights /= np.where(left == 0, 1, left)
    return weights


def weights_by(way: str, scaled: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The weights with one of the ``WAYS`` of masking.

    Raises KeyError for any other.
    """
    if way in AFTER:
        return masked_after(scaled, allowed, shared=way == "after_shared")
    return masked_before(scaled, allowed, BEFORE[way])


def leaked_weight(weights: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """The total weight of each query on masked keys. Returns (…, query)."""
    return (weights * ~allowed).sum(axis=-1)


def fully_masked(allowed: np.ndarray) -> np.ndarray:
    """True for each query without an allowed key. Returns (…, query)."""
    return np.logical_not(allowed.any(axis=-1))


def emptied_by(parts: Mapping[str, np.ndarray], query: int) -> tuple[str, ...]:
    """The masks that leave a query without keys: each one that does so alone, or else together.

    parts: masks by name, (query, key) each. Empty if a key is left.
    """
    if np.logical_and.reduce([mask[query] for mask in parts.values()]).any():
        return ()
    alone = tuple(name for name, mask in parts.items() if not mask[query].any())
    return alone or tuple(name for name, mask in parts.items() if not mask[query].all())


@dataclass(frozen=True)
class MaskEffect:
    """The effect of a way of masking on all rows.

    leak: the largest total weight on masked keys in a row. least, most: the smallest and largest
    row sum. apart: the largest difference of a weight from masking with −∞.
    """

    leak: float
    least: float
    most: float
    apart: float


def mask_effect(way: str, scaled: np.ndarray, allowed: np.ndarray) -> MaskEffect:
    """The effect of a way of masking. scaled, allowed: (…, query, key)."""
    weights = weights_by(way, scaled, allowed)
    sums = weights.sum(axis=-1)
    apart = np.abs(weights - masked_before(scaled, allowed))
    return MaskEffect(
        float(leaked_weight(weights, allowed).max()),
        float(sums.min()),
        float(sums.max()),
        float(apart.max()),
    )
