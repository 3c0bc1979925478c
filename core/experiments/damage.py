"""What a mistake does to one input: how far off the result is, and where it shows most."""

import numpy as np

from core.experiments.mistakes import Operation


def relative_error(right: np.ndarray, broken: np.ndarray) -> float:
    """‖broken − right‖ / ‖right‖: 0 for the same numbers, 1 for as far off as all zeros."""
    size = float(np.linalg.norm(right))
    return float(np.linalg.norm(broken - right)) / size if size else 0.0


def farthest_sum(weights: np.ndarray) -> tuple[int, float]:
    """The row whose sum is farthest from 1, and that sum. weights: (query, key)."""
    sums = weights.sum(axis=-1)
    row = int(np.abs(sums - 1).argmax())
    return row, float(sums[row])


def largest_masked_weight(weights: np.ndarray, allowed: np.ndarray) -> tuple[int, int, float]:
    """Query, key and weight of the largest weight on a key that is not allowed.

    weights, allowed: (query, key). The weight is 0 where everything is allowed.
    """
    forbidden = np.where(allowed, 0, weights)
    query, key = np.unravel_index(forbidden.argmax(), forbidden.shape)
    return int(query), int(key), float(forbidden[query, key])


def mean_largest_weight(weights: np.ndarray) -> float:
    """The largest weight of a row, on the mean of all rows that have a choice.

    weights: (query, key) behind a causal mask, whose first row has none.
    """
    return float(weights[min(1, len(weights) - 1) :].max(axis=-1).mean())


def origin(
    split: Operation, n: int, heads: int, d_k: int, head: int, row: int
) -> list[tuple[int, int]]:
    """Which token and which column of X W_Q the numbers in a row of a head's Q come from.

    Found by splitting an array of serial numbers. Returns d_k pairs (token, column).
    """
    serial = np.arange(n * heads * d_k).reshape(1, n, heads * d_k)
    found = split(serial, heads)[0, head, row]
    return [
        (int(token), int(column)) for token, column in zip(*divmod(found, heads * d_k), strict=True)
    ]
