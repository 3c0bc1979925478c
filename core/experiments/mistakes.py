"""Common mistakes in attention: one operation replaced by a wrong one.

``Operations()`` is correct and gives the numbers of ``core.attention``; a mistake replaces one of
its operations. The mask is causal throughout. Shapes as in ``core``: (batch, head, query, key).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core import masks, ops
from core.errors import InputError, shape_mismatch
from core.weights import Weights

Operation = Callable[..., np.ndarray]


class MatmulMismatch(ValueError):
    """Two matrices with different inner sizes were to be multiplied.

    left, right: their shapes in one head, (rows, columns); the message is that of NumPy.
    """

    def __init__(self, left: tuple[int, ...], right: tuple[int, ...], message: str) -> None:
        super().__init__(message)
        self.left, self.right = left, right


def divide_by_root_d_k(scores: np.ndarray, d_k: int) -> np.ndarray:
    """scaled = scores / √d_k."""
    return ops.scale_scores(scores, 1 / math.sqrt(d_k))


def mask_then_softmax(scaled: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """−∞ in masked cells, then softmax over the keys."""
    masked = np.where(allowed, scaled, -np.inf)
    return ops.softmax(masked)


def softmax_over_queries(scaled: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Softmax over axis −2, the queries, instead of axis −1, the keys."""
    masked = np.where(allowed, scaled, -np.inf)
    return ops.softmax(masked.swapaxes(-1, -2)).swapaxes(-1, -2)  # wrong: down the columns


def leave_unscaled(scores: np.ndarray, d_k: int) -> np.ndarray:
    """No scaling before softmax."""
    return scores  # wrong: not divided by √d_k


def reshape_only(packed: np.ndarray, heads: int) -> np.ndarray:
    """Reshape without the transpose: the right shape, but the numbers in the wrong heads."""
    batch, n, width = packed.shape
    return packed.reshape(batch, heads, n, width // heads)  # wrong: no (batch, n, head, d_k) first


def keep_key_upright(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """Q K instead of Q Kᵀ."""
    return Q @ K  # wrong: K is not transposed


def divide_by_heads_twice(packed: np.ndarray, heads: int) -> np.ndarray:
    """d_k / h columns per head, though d_k is d_model / h already."""
    own = ops.split_heads(packed, heads)
    return own[..., : own.shape[-1] // heads]  # wrong: divided by h a second time


def softmax_then_mask(scaled: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Softmax over all keys, then masked weights set to 0."""
    weights = ops.softmax(scaled)
    return np.where(allowed, weights, 0)  # wrong: the rows are not normalised again


def mask_with_zero(scaled: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Masked scores set to 0 instead of −∞."""
    masked = np.where(allowed, scaled, 0)  # wrong: e⁰ = 1, not 0
    return ops.softmax(masked)


@dataclass(frozen=True)
class Operations:
    """The operations in which a mistake can be made.

    split: (batch, n, h·d_k), heads -> (batch, head, n, d_k).
    compare: Q, K -> scores. scale: scores, d_k -> scaled.
    share: scaled, allowed -> weights.
    """

    split: Operation = ops.split_heads
    compare: Operation = ops.dot_product_scores
    scale: Operation = divide_by_root_d_k
    share: Operation = mask_then_softmax


CORRECT = Operations()


@dataclass(frozen=True)
class Mistake:
    """operation: the field of ``Operations`` to replace; wrong: its replacement."""

    operation: str
    wrong: Operation

    @property
    def right(self) -> Operation:
        """The correct operation."""
        operation: Operation = getattr(CORRECT, self.operation)
        return operation

    @property
    def operations(self) -> Operations:
        """All operations, with the wrong one."""
        changed: dict[str, Any] = {self.operation: self.wrong}
        return replace(CORRECT, **changed)


MISTAKES = {
    "axis": Mistake("share", softmax_over_queries),
    "unscaled": Mistake("scale", leave_unscaled),
    "reshape": Mistake("split", reshape_only),
    "upright": Mistake("compare", keep_key_upright),
    "twice": Mistake("split", divide_by_heads_twice),
    "late_mask": Mistake("share", softmax_then_mask),
    "zero_mask": Mistake("share", mask_with_zero),
}


@dataclass(frozen=True, eq=False)
class AttentionStages:
    """The stages of one attention, under their usual names."""

    Q: np.ndarray
    K: np.ndarray
    V: np.ndarray
    scores: np.ndarray
    scaled: np.ndarray
    weights: np.ndarray
    head_output: np.ndarray
    concat: np.ndarray
    output: np.ndarray


def attend(X: np.ndarray, weights: Weights, operations: Operations = CORRECT) -> AttentionStages:
    """Causal multi-head self-attention with these operations.

    X: (batch, n, d_model). Each head uses as many rows of its W_O as it has columns.

    Raises shape_mismatch if X or W_O does not fit, heads_do_not_divide if a head would have no
    column, and MatmulMismatch if two matrices cannot be multiplied.
    """
    if X.ndim != 3 or X.shape[2] != weights.d_model:
        raise shape_mismatch("X", f"(batch, token, {weights.d_model})", X.shape)
    if weights.W_O is None:
        raise shape_mismatch("W_O", "a matrix that is not empty", ())
    packed = (ops.linear(X, W) for W in (weights.W_Q, weights.W_K, weights.W_V))
    Q, K, V = (operations.split(each, weights.heads) for each in packed)
    if not Q.shape[-1]:
        raise InputError("heads_do_not_divide", name="d_k", width=weights.d_k, heads=weights.heads)
    scores = _compared(operations, Q, K)
    scaled = operations.scale(scores, Q.shape[-1])
    shared = operations.share(scaled, masks.causal(*scaled.shape[-2:]))
    head_output = ops.weighted_sum(shared, V)
    concat = ops.merge_heads(head_output)
    by_head = weights.W_O.reshape(weights.heads, weights.d_v, -1)[:, : V.shape[-1]]
    output = ops.linear(concat, by_head.reshape(concat.shape[-1], -1))
    return AttentionStages(Q, K, V, scores, scaled, shared, head_output, concat, output)


def _compared(operations: Operations, Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    try:
        return operations.compare(Q, K)
    except ValueError as error:
        raise MatmulMismatch(Q.shape[-2:], K.shape[-2:], str(error)) from error


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
    """The mean of the row maxima, without the first row, which has one allowed key only.

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
