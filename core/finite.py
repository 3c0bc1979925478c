"""Numbers that are finite and stay so: what would overflow is refused before it is computed.

Bounds are taken from the small tensors: looking through the large ones costs as much as making
them. Each function raises NotFinite, which names what does not stay finite.
"""

import numpy as np

from core.errors import NotFinite


def check(name: str, tensor: np.ndarray) -> None:
    """Refuse NaN and infinities."""
    if not np.isfinite(tensor).all():
        raise NotFinite(name)


def in_precision(name: str, array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """A copy of the array in float32 or float64, refused where a number is too large for it."""
    with np.errstate(over="ignore"):
        result = array.astype(dtype)
    if (np.isinf(result) & np.isfinite(array)).any():
        raise NotFinite(name)
    return result


def check_scores(Q: np.ndarray, K: np.ndarray, factor: float, bias: np.ndarray | None) -> None:
    """Bound scores, scaled and masked.

    |Q Kᵀ · factor + bias| ≤ max(1, d_k · max|Q| · max|K|) · max(1, |factor|) + max|bias|,
    where −∞ in the bias does not count. The 1s keep the factor itself within the precision.
    """
    bound = max(1.0, Q.shape[3] * largest(Q) * largest(K)) * max(1.0, abs(factor))
    if bias is not None:
        bound += largest(bias, where=~np.isneginf(bias))
    _check_bound("scores", bound, Q.dtype)


def check_head_output(V: np.ndarray, dropout: float) -> None:
    """Bound head_output.

    |head_output| ≤ max|V| / (1 − dropout), for a row of weights sums to 1, but for rounding.
    """
    _check_bound("head_output", 1.01 * largest(V) / (1 - dropout), V.dtype)


def check_residual(X: np.ndarray, added: np.ndarray) -> None:
    """Bound residual: |X + added| ≤ max|X| + max|added|."""
    _check_bound("residual", largest(X) + largest(added), X.dtype)


def check_normalised(residual: np.ndarray) -> None:
    """Bound the variance of a row: Σ (x − mean)² ≤ d_model · (2 max|x|)²."""
    bound = 2 * largest(residual)
    _check_bound("normalised", residual.shape[2] * bound * bound, residual.dtype)


def largest(tensor: np.ndarray, where: np.ndarray | bool = True) -> float:
    """The largest size of a number in the tensor."""
    return float(np.abs(tensor).max(initial=0, where=where))


def _check_bound(name: str, bound: float, dtype: np.dtype) -> None:
    if not bound < float(np.finfo(dtype).max):
        raise NotFinite(name)
