"""Sequences in another order, and what becomes of them on the way through attention.

A permutation is written as the places that are taken: ``order = (2, 0, 1)`` puts what stood at
place 2 first. As a matrix, P[i, order[i]] = 1, so that P X is X in the new order.

Self-attention without position and without a causal mask is equivariant: f(P X) = P f(X), and
weights(P X) = P weights(X) Pᵀ (Lee et al., "Set Transformer", 2019).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class RestoredOrder:
    """A result for a sequence, and for the same sequence in another order, row beside row.

    before: the result as the sequence was given. after: the result of the other order, each row
    (and column) back where it stood before. difference: after − before.
    """

    before: np.ndarray
    after: np.ndarray
    difference: np.ndarray

    @property
    def largest(self) -> float:
        """max |difference|: 0, or a last digit of rounding, where the order does not matter."""
        return float(np.abs(self.difference).max())

    @property
    def by_row(self) -> np.ndarray:
        """How far each row has moved: √(Σ_j difference_ij²). Returns (row,)."""
        return np.asarray(np.linalg.norm(self.difference, axis=-1))


def reordered(array: np.ndarray, order: Sequence[int], axes: Sequence[int] = (0,)) -> np.ndarray:
    """P X: the places along these axes in another order; over both axes of a square, P A Pᵀ.

    Raises ValueError where the order does not name each place once.
    """
    for axis in axes:
        check(order, array.shape[axis])
        array = np.take(array, order, axis=axis)
    return array


def inverse(order: Sequence[int]) -> tuple[int, ...]:
    """The order that undoes this one: inverse[order[i]] = i, as the matrix Pᵀ."""
    check(order, len(order))
    return tuple(int(i) for i in np.argsort(order))


def restore_order(
    before: np.ndarray, after: np.ndarray, order: Sequence[int], axes: Sequence[int] = (0,)
) -> RestoredOrder:
    """Undo the order in a result and hold it against the one from before: Pᵀ f(P X) − f(X).

    before: f(X). after: f(P X), its rows in the new order. axes: those that follow the sequence,
    (0,) for output (token, d_model) and (0, 1) for weights (query, key).
    """
    restored = reordered(after, inverse(order), axes)
    return RestoredOrder(before, restored, restored - before)


def shuffled(n: int, seed: int) -> tuple[int, ...]:
    """A random order that is not the given one, the same for the same seed; n = 1 has but one."""
    random = np.random.default_rng(seed)
    order = as_given(n)
    while n > 1 and order == as_given(n):
        order = tuple(int(i) for i in random.permutation(n))
    return order


def as_given(n: int) -> tuple[int, ...]:
    """The order that leaves everything where it is."""
    return tuple(range(n))


def check(order: Sequence[int], n: int) -> None:
    """Raise ValueError where the order does not name each of n places once."""
    if sorted(order) != list(range(n)):
        raise ValueError(f"order {tuple(order)} does not name each of {n} places once")
