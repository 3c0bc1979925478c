"""Invariants of attention, as checks that a mistake may fail.

A check changes something that must not affect the result and measures the change, or compares a sum
or a size with its required value.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from core import masks, ops
from core.experiments.mistakes import CORRECT, AttentionStages, Operations, attend
from core.weights import Weights

TOLERANCE = 1e-9  # what rounding may do to sums of this size
SPREAD_TOLERANCE = 0.1  # a spread is measured on a sample
ROWS = 4096  # rows of the sample from which the spread is measured


@dataclass(frozen=True)
class Check:
    """The measured value, and whether the invariant holds."""

    value: float
    holds: bool


@dataclass(frozen=True, eq=False)
class Case:
    """An attention to check: its input (batch, n, d_model), weights and operations.

    seed: of the random numbers of the checks. head: index of the head to measure in checks of
    single heads; None: all.
    """

    X: np.ndarray
    weights: Weights
    operations: Operations = CORRECT
    seed: int = 0
    head: int | None = None
    attended: AttentionStages = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "attended", attend(self.X, self.weights, self.operations))

    @property
    def allowed(self) -> np.ndarray:
        """The causal mask, (query, key)."""
        return masks.causal(*self.attended.weights.shape[-2:])

    def in_head(self, values: np.ndarray) -> np.ndarray:
        """The values of the measured head. (batch, head, …) -> (batch, 1 or all heads, …)."""
        return values if self.head is None else values[:, [self.head]]

    def drawn(self, *shape: int) -> np.ndarray:
        """Normal random numbers, deterministic for the seed."""
        return np.random.default_rng(self.seed).normal(size=shape)


def rows_sum_to_one(case: Case) -> Check:
    """Σ_j weights[i, j] = 1 for every query i. Measures the largest distance from 1."""
    return _nothing(case.in_head(case.attended.weights).sum(axis=-1) - 1)


def forbidden_is_zero(case: Case) -> Check:
    """weights[i, j] = 0 exactly, for every key j > i. Measures the largest such weight."""
    largest = float(np.abs(case.in_head(case.attended.weights)[..., ~case.allowed]).max(initial=0))
    return Check(largest, largest == 0)


def future_changes_nothing(case: Case) -> Check:
    """Changing the last token does not change the output of earlier tokens."""
    changed = case.X.copy()
    changed[:, -1] = case.drawn(*changed[:, -1].shape)
    again = attend(changed, case.weights, case.operations).output
    return _nothing((again - case.attended.output)[:, :-1])


def constant_changes_nothing(case: Case) -> Check:
    """Adding a constant to a row of scores does not change the weights."""
    scaled = case.attended.scaled
    constants = case.drawn(*scaled.shape[:-1], 1)
    weights = case.operations.share(scaled + constants, case.allowed)
    return _nothing(case.in_head(weights - case.attended.weights))


def spread_is_one(case: Case) -> Check:
    """For normal Q and K of variance 1 the scaled scores have a standard deviation of about 1.

    Q and K: (d_k, d_k), drawn many times.
    """
    d_k = case.attended.Q.shape[-1]
    Q, K = case.drawn(2, max(1, ROWS // d_k), 1, d_k, d_k)
    spread = float(case.operations.scale(case.operations.compare(Q, K), d_k).std())
    return Check(spread, abs(spread - 1) < SPREAD_TOLERANCE)


def own_columns_only(case: Case) -> Check:
    """Changing the columns of other heads does not change the Q of head i."""
    heads, d_k = case.weights.heads, case.weights.d_k
    packed = ops.linear(case.X, case.weights.W_Q)
    other = case.drawn(*packed.shape)
    before = case.operations.split(packed, heads)
    differences = []
    for i in range(heads) if case.head is None else (case.head,):
        changed, own = other.copy(), slice(i * d_k, (i + 1) * d_k)
        changed[..., own] = packed[..., own]
        differences.append(case.operations.split(changed, heads)[:, i] - before[:, i])
    return _nothing(np.stack(differences))


def own_key_only(case: Case) -> Check:
    """Changing the last key changes only the last column of scores."""
    changed = case.attended.K.copy()
    changed[..., -1, :] = case.drawn(*changed[..., -1, :].shape)
    again = case.operations.compare(case.attended.Q, changed)
    return _nothing(case.in_head(again - case.attended.scores)[..., :-1])


def width_is_whole(case: Case) -> Check:
    """concat has d_model columns. Measures its columns."""
    columns = case.attended.concat.shape[-1]
    return Check(columns, columns == case.weights.d_model)


def _nothing(differences: np.ndarray) -> Check:
    """The largest difference; holds if it is within rounding."""
    largest = float(np.abs(differences).max(initial=0))
    return Check(largest, largest < TOLERANCE)


INVARIANTS: dict[str, Callable[[Case], Check]] = {
    check.__name__: check
    for check in (
        rows_sum_to_one,
        forbidden_is_zero,
        future_changes_nothing,
        constant_changes_nothing,
        spread_is_one,
        own_columns_only,
        own_key_only,
        width_is_whole,
    )
}


def check_all(case: Case, head: int | None = None) -> dict[str, Check]:
    """All checks by name, in one head (from 0), or in all heads."""
    measured = replace(case, head=head)
    return {name: check(measured) for name, check in INVARIANTS.items()}
