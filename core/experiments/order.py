"""Permutations of the sequence, and the equivariance of self-attention.

A permutation is a tuple of source indices: ``order = (2, 0, 1)`` puts the element at index 2
first. As a matrix, P[i, order[i]] = 1, so that P X is X in the new order.

Self-attention without position and without a causal mask is equivariant: f(P X) = P f(X), and
weights(P X) = P weights(X) Pᵀ (Lee et al., "Set Transformer", 2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class RestoredOrder:
    """The result for a sequence, and that for a permuted one, restored to the original order.

    before: the original result. after: the result of the permuted sequence, with its rows (and
    columns) in the original order. difference: after − before.
    """

    before: np.ndarray
    after: np.ndarray
    difference: np.ndarray

    @property
    def largest(self) -> float:
        """max |difference|: 0, up to rounding, if the order does not matter."""
        return float(np.abs(self.difference).max())

    @property
    def by_row(self) -> np.ndarray:
        """The norm of the difference of each row: √(Σ_j difference_ij²). Returns (row,)."""
        return np.asarray(np.linalg.norm(self.difference, axis=-1))


def reordered(array: np.ndarray, order: Sequence[int], axes: Sequence[int] = (0,)) -> np.ndarray:
    """P X: these axes permuted; for both axes of a square matrix, P A Pᵀ.

    Raises ValueError if the order is not a permutation.
    """
    for axis in axes:
        check(order, array.shape[axis])
        array = np.take(array, order, axis=axis)
    return array


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """The inverse permutation: inverse[order[i]] = i, the matrix Pᵀ."""
    check(order, len(order))
    return tuple(int(i) for i in np.argsort(order))


def restore_order(
    before: np.ndarray, after: np.ndarray, order: Sequence[int], axes: Sequence[int] = (0,)
) -> RestoredOrder:
    """Undo the permutation in a result and compare it: Pᵀ f(P X) − f(X).

    before: f(X). after: f(P X), in the new order. axes: those along the sequence,
    (0,) for output (token, d_model) and (0, 1) for weights (query, key).
    """
    restored = reordered(after, inverse(order), axes)
    return RestoredOrder(before, restored, restored - before)


def shuffled(n: int, seed: int) -> tuple[int, ...]:
    """A random permutation other than the identity (unless n = 1), deterministic for a seed."""
    random = np.random.default_rng(seed)
    order = as_given(n)
    while n > 1 and order == as_given(n):
        order = tuple(int(i) for i in random.permutation(n))
    return order


def as_given(n: int) -> tuple[int, ...]:
    """The identity permutation."""
    return tuple(range(n))


def check(order: Sequence[int], n: int) -> None:
    """Raises ValueError if the order is not a permutation of n positions."""
    if sorted(order) != list(range(n)):
        raise ValueError(f"order {tuple(order)} is not a permutation of {n} positions")
