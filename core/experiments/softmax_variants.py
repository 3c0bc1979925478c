"""Wrong variants of softmax: along other axes than the keys, and without subtracting the maximum.

For demonstration; attention itself uses ``ops.softmax``.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core import ops
from core.errors import out_of_range, shape_mismatch

Over = Literal["key", "query", "both"]
OVER: tuple[Over, ...] = get_args(Over)


@dataclass(frozen=True, eq=False)
class WeightSums:
    """A matrix of weights with its row and column sums.

    weights: (query, key). row_sums: (query,); column_sums: (key,); total: of all weights.
    whole: (query,), True where a row sums to 1, up to rounding.
    """

    weights: np.ndarray
    row_sums: np.ndarray
    column_sums: np.ndarray
    total: float
    whole: np.ndarray


def softmax_over(scores: np.ndarray, over: Over) -> WeightSums:
    """Softmax over the keys of each query, over the queries of each key, or over all cells.

    scores: (query, key). Only ``"key"`` is attention ("Attention Is All You Need", section 3.2.1).
    Raises shape_mismatch and out_of_range.
    """
    if scores.ndim != 2:
        raise shape_mismatch("scores", "(query, key)", scores.shape)
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
    """Softmax without subtracting the maximum: e^x / Σ e^x.

    row: (key,). Returns ``exponentials`` (key,), ``sum`` () and ``weights`` (key,). If e^x
    overflows, or all e^x underflow, weights are NaN.
    """
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        exponentials = np.exp(row)
        total = exponentials.sum()
        weights = exponentials / total
    return {"exponentials": exponentials, "sum": total, "weights": weights}


def largest_exponent(bits: int) -> float:
    """The x from which e^x overflows in floating point of ``bits``: ln of the largest number.

    Raises out_of_range.
    """
    kinds: dict[int, type[np.floating]] = {16: np.float16, 32: np.float32, 64: np.float64}
    if bits not in kinds:
        raise out_of_range("bits", bits, "16, 32 or 64")
    return float(np.log(float(np.finfo(kinds[bits]).max)))
