"""Measures of the error that a mistake in attention causes."""

import numpy as np

from core.experiments.mistakes import Operation


def relative_error(right: np.ndarray, broken: np.ndarray) -> float:
    """‖broken − right‖ / ‖right‖: 0 if equal, 1 if broken is all zeros."""
    size = float(np.linalg.norm(right))
    return float(np.linalg.norm(broken - right)) / size if size else 0.0


def farthest_sum(weights: np.ndarray) -> tuple[int, float]:
    """The row whose sum differs most from 1, and that sum. weights: (query, key)."""
    sums = weights.sum(axis=-1)
    row = int(np.abs(sums - 1).argmax())
    return row, float(sums[row])


def largest_masked_weight(weights: np.ndarray, allowed: np.ndarray) -> tuple[int, int, float]:
    """Query, key and value of the largest weight on a masked key.

    weights, allowed: (query, key). The value is 0 if everything is allowed.
    """
    forbidden = np.where(allowed, 0, weights)
    query, key = np.unravel_index(forbidden.argmax(), forbidden.shape)
    return int(query), int(key), float(forbidden[query, key])


def mean_largest_weight(weights: np.ndarray) -> float:
    """The mean of the row maxima, without the first row, which sees one key only.

    weights: (query, key), with a causal mask.
    """
    return float(weights[min(1, len(weights) - 1) :].max(axis=-1).mean())


def origin(
    split: Operation, n: int, heads: int, d_k: int, head: int, row: int
) -> list[tuple[int, int]]:
    """The token and the column of X W_Q from which each number in a row of a head's Q is taken.

    Determined by splitting an array of serial numbers. Returns d_k pairs (token, column).
    """
    serial = np.arange(n * heads * d_k).reshape(1, n, heads * d_k)
    found = split(serial, heads)[0, head, row]
    return [
        (int(token), int(column)) for token, column in zip(*divmod(found, heads * d_k), strict=True)
    ]
