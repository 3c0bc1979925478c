"""One axis of a tensor: its role, its size symbol and its labels."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import TypeGuard, cast

import numpy as np

from core.kinds import POSITION_KINDS

Labels = tuple[str, ...] | tuple[tuple[str, ...], ...]


def is_per_sample(labels: Labels | str | None) -> TypeGuard[tuple[tuple[str, ...], ...]]:
    """Whether there is a tuple for each sample."""
    return isinstance(labels, tuple) and len(labels) > 0 and isinstance(labels[0], tuple)


@dataclass(frozen=True)
class Axis:
    """One axis of a tensor: its role, the symbol of its size and the labels along it.

    role: ``"query"``, ``"d_k"``, …; unique within a stage.
    symbol: the size in LaTeX, such as ``d_k``.
    labels: a name for each position, or one such tuple for each sample of the batch; None: numbers.
    kinds: of ``core.kinds.POSITION_KINDS``: one for all positions, or shaped like labels.
    hops: duration of a position in hops of the spectrogram; 0 if the axis is not time.

    Raises ValueError for an unknown kind.
    """

    role: str
    symbol: str
    labels: Labels | None = None
    kinds: Labels | str = ""
    hops: int = 0

    def __post_init__(self) -> None:
        """Check the kinds."""
        for kind in self.all_kinds if self.kinds else ():
            if kind not in POSITION_KINDS:
                raise ValueError(f"axis {self.role!r}: no position has the kind {kind!r}")

    @property
    def all_kinds(self) -> tuple[str, ...]:
        """Every kind along the axis in any sample, without repetitions, in order."""
        if isinstance(self.kinds, str):
            return (self.kinds,)
        named = chain(*self.kinds) if is_per_sample(self.kinds) else self.kinds
        return tuple(dict.fromkeys(cast(Iterable[str], named)))

    def for_all_samples(self) -> "Axis":
        """The axis for a tensor without batch: what differs between samples is dropped."""
        labels, kinds = self.labels, self.kinds
        if not (is_per_sample(labels) or is_per_sample(kinds)):
            return self
        if is_per_sample(labels):
            labels = labels[0] if len(set(labels)) == 1 else None
        if is_per_sample(kinds):
            kinds = kinds[0] if len(set(kinds)) == 1 else ""
        return replace(self, labels=labels, kinds=kinds)

    def names(self, sample: int = 0) -> tuple[str, ...] | None:
        """The labels of one sample, or None if there are none."""
        if is_per_sample(self.labels):
            return self.labels[sample]
        return cast(tuple[str, ...] | None, self.labels)

    def label(self, index: int, sample: int = 0) -> str:
        """The label at this index; by default its number, counted from 1."""
        names = self.names(sample)
        return names[index] if names else str(index + 1)

    def kinds_of(self, sample: int = 0) -> str | tuple[str, ...]:
        """The kinds of one sample: one for all positions, or one for each."""
        if is_per_sample(self.kinds):
            return self.kinds[sample]
        return cast(str | tuple[str, ...], self.kinds)

    def kind(self, index: int, sample: int = 0) -> str:
        """The kind at this index."""
        kinds = self.kinds_of(sample)
        return kinds if isinstance(kinds, str) else kinds[index]

    def positions(self, *kinds: str, size: int, sample: int = 0) -> tuple[int, ...]:
        """The indices, below size, of the positions of these kinds in a sample."""
        of = self.kinds_of(sample)
        if isinstance(of, str):
            return tuple(range(size)) if of in kinds else ()
        return tuple(index for index, kind in enumerate(of[:size]) if kind in kinds)

    def filled(self, real: np.ndarray) -> "Axis":
        """The axis with the kind ``filling`` where ``real``, (batch, index) bool, is False."""
        if real.all():
            return self
        kinds = tuple(
            tuple(self.kind(i, sample) if is_real else "filling" for i, is_real in enumerate(row))
            for sample, row in enumerate(real)
        )
        return replace(self, kinds=kinds)

    def alone(self, index: int, symbol: str) -> "Axis":
        """The axis reduced to one index; its labels must not differ between samples."""
        names = self.names()
        labels = names[index : index + 1] if names else None
        return replace(self, symbol=symbol, labels=labels, kinds=self.kind(index))
