"""Softmax as it should not be: along other axes than the keys, and without taking off the maximum.

They are here so that the damage can be computed; attention itself uses ``ops.softmax``.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core import ops
from core.errors import OutOfRange, ShapeMismatch

Over = Literal["key", "query", "both"]
OVER: tuple[Over, ...] = get_args(Over)


@dataclass(frozen=True, eq=False)
class WeightSums:
    """A matrix of weights and what its rows and columns come to.

    weights: (query, key). row_sums: (query,); column_sums: (key,); total: of all weights.
    whole: (query,), True where a row shares out one unit, but for rounding.
    """

    weights: np.ndarray
    row_sums: np.ndarray
    column_sums: np.ndarray
    total: float
    whole: np.ndarray


def softmax_over(scores: np.ndarray, over: Over) -> WeightSums:
    """Share one unit out along the keys of each query, the queries of each key, or over all cells.

    scores: (query, key). Only ``"key"`` is attention ("Attention Is All You Need", section 3.2.1).
    Raises ShapeMismatch and OutOfRange.
    """
    if scores.ndim != 2:
        raise ShapeMismatch("scores", "(query, key)", scores.shape)
    match over:
        case "key":
            weights = ops.softmax(scores)
        case "query":
            weights = ops.softmax(scores.T).T
        case "both":
            weights = ops.softmax(scores.reshape(1, -1)).reshape(scores.shape)
    row_sums = weights.sum(axis=1)
    return WeightSums(
        weights=weights,
        row_sums=row_sums,
        column_sums=weights.sum(axis=0),
        total=float(weights.sum()),
        whole=np.isclose(row_sums, 1),
    )


def softmax_without_max(row: np.ndarray) -> dict[str, np.ndarray]:
    """Softmax as it is first written down: e^x / Σ e^x, with nothing taken off before.

    row: (key,). Returns ``exponentials`` (key,), ``sum`` () and ``weights`` (key,). Where e^x is
    larger than any number of this precision it is ∞, and ∞ / ∞ is not a number; where all e^x are
    too small they are 0, and neither is 0 / 0.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        exponentials = np.exp(row)
        total = exponentials.sum()
        weights = exponentials / total
    return {"exponentials": exponentials, "sum": total, "weights": weights}


def largest_exponent(bits: int) -> float:
    """From where on e^x is ∞ in floating point of so many bits: ln of the largest number.

    Raises OutOfRange.
    """
    kinds: dict[int, type[np.floating]] = {16: np.float16, 32: np.float32, 64: np.float64}
    if bits not in kinds:
        raise OutOfRange("bits", bits, "16, 32 or 64")
    return float(np.log(float(np.finfo(kinds[bits]).max)))
