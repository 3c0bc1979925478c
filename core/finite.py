"""Checks that numbers are real and finite, with an error that names the tensor.

Large tensors are checked in advance, by a bound computed from their small operands, because
scanning them costs as much as computing them. Small tensors are scanned after they are computed.
Each function but the first two raises not_finite.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from core.arrays import as_numpy
from core.errors import InputError


def real(name: str, given: ArrayLike) -> np.ndarray:
    """The numbers as an array of integers or floats. Raises not_real for any other type."""
    array = as_numpy(given)
    check_real(name, array.dtype)
    return array


def check_real(name: str, dtype: np.dtype) -> None:
    """Raises not_real for any type but integers and floats."""
    if dtype.kind not in "iuf":
        raise InputError("not_real", name=name, kind=dtype.type.__name__.rstrip("_"))


def check(name: str, tensor: np.ndarray) -> None:
    """Raises not_finite if the tensor holds NaN or an infinity."""
    if not np.isfinite(tensor).all():
        raise InputError("not_finite", name=name)


def computed(
    name: str, operation: Callable[..., np.ndarray], *arguments: np.ndarray | float | None
) -> np.ndarray:
    """The result of an operation on finite numbers. Raises not_finite if it overflows."""
    with np.errstate(over="ignore", invalid="ignore"):
        tensor = operation(*arguments)
    check(name, tensor)
    return tensor


def in_precision(name: str, array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """A copy of the array as float32 or float64. Raises not_finite if a number is too large."""
    if array.dtype == dtype:
        return array.copy(order="K")
    with np.errstate(over="ignore"):
        result = array.astype(dtype)
    if (np.isinf(result) & np.isfinite(array)).any():
        raise InputError("not_finite", name=name)
    return result


def check_scores(
    Q: np.ndarray,
    K: np.ndarray,
    scale: float,
    temperature: float,
    bias: np.ndarray | None,
    linear_bias: float = 0.0,
) -> None:
    """Raises not_finite if scores, scaled or masked could overflow, by this bound:

    |Q Kᵀ · scale / temperature + bias| ≤ max(1, d_k · max|Q| · max|K|) · max(1, |scale|) ·
    max(1, 1 / temperature) + max|bias| + linear_bias, where −∞ in the bias does not count. The 1s
    bound the factors themselves too, in whatever order they are multiplied. The
    bias may be as large as a number can be, as long as the sum rounds to a number. linear_bias: a
    bound of the bias of ALiBi.
    """
    factors = max(1.0, abs(scale)) * max(1.0, 1 / temperature)
    bound = max(1.0, Q.shape[3] * largest(Q) * largest(K)) * factors
    bound += linear_bias
    _check_bound("scores", bound, Q.dtype)
    if bias is not None:
        with np.errstate(over="ignore"):
            summed = Q.dtype.type(bound + largest(bias, where=~np.isneginf(bias)))
        check("scores", summed)


def check_head_output(V: np.ndarray, dropout: float) -> None:
    """Raises not_finite if head_output could overflow, by this bound:

    |head_output| ≤ max|V| / (1 − dropout), for a row of weights sums to 1, but for rounding.
    """
    _check_bound("head_output", 1.01 * largest(V) / (1 - dropout), V.dtype)


def largest(tensor: np.ndarray, where: np.ndarray | bool = True) -> float:
    """The largest absolute value in the tensor; 0 if it is empty."""
    return float(np.abs(tensor).max(initial=0, where=where))


def _check_bound(name: str, bound: float, dtype: np.dtype) -> None:
    if not bound < float(np.finfo(dtype).max):
        raise InputError("not_finite", name=name)
