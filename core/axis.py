"""One axis of a tensor: its role, its size symbol and its labels."""

from dataclasses import dataclass, replace
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
    labels: a name for each place, or one such tuple for each sample of the batch; None: numbers.
    kinds: of ``core.kinds.POSITION_KINDS``: one for all places, or shaped like labels.
    first, of: for a slice of a larger axis, the index of its first place and the full size: head 5
        of 12 has first 4 and of 12. None: the axis is complete.
    hops: duration of a place in hops of the spectrogram; 0 if the axis is not time.

    Raises ValueError for an unknown kind.
    """

    role: str
    symbol: str
    labels: Labels | None = None
    kinds: Labels | str = ""
    first: int = 0
    of: int | None = None
    hops: int = 0

    def __post_init__(self) -> None:
        """Check the kinds."""
        for kind in self.all_kinds:
            if kind not in POSITION_KINDS:
                raise ValueError(f"places of {self.role!r} are of no kind {kind!r}")

    @property
    def all_kinds(self) -> tuple[str, ...]:
        """Every kind along the axis in any sample, without repetitions, in order."""
        samples = range(len(self.kinds) if is_per_sample(self.kinds) else 1)
        found = (self.kinds_of(sample) for sample in samples)
        named = (kind for of in found for kind in ((of,) if isinstance(of, str) else of))
        return tuple(dict.fromkeys(named))

    @property
    def per_sample(self) -> bool:
        """Whether each sample has its own labels."""
        return is_per_sample(self.labels)

    def for_all_samples(self) -> "Axis":
        """The axis for a tensor without batch: what differs between samples is dropped."""
        labels, kinds = self.labels, self.kinds
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

    def label(self, place: int, sample: int = 0) -> str:
        """The label of one place; by default its number, counted from 1."""
        names = self.names(sample)
        return names[place] if names else str(place + 1)

    def kinds_of(self, sample: int = 0) -> str | tuple[str, ...]:
        """The kinds of one sample: one for all places, or one for each."""
        if is_per_sample(self.kinds):
            return self.kinds[sample]
        return cast(str | tuple[str, ...], self.kinds)

    def kind(self, place: int, sample: int = 0) -> str:
        """The kind of one place."""
        kinds = self.kinds_of(sample)
        return kinds if isinstance(kinds, str) else kinds[place]

    def positions(self, *kinds: str, size: int, sample: int = 0) -> tuple[int, ...]:
        """The indices, below size, of the places of these kinds in a sample."""
        return tuple(place for place in range(size) if self.kind(place, sample) in kinds)

    def filled(self, real: np.ndarray) -> "Axis":
        """The axis with the kind ``filling`` where ``real``, (batch, place) bool, is False."""
        if real.all():
            return self
        kinds = tuple(
            tuple(self.kind(i, sample) if there else "filling" for i, there in enumerate(row))
            for sample, row in enumerate(real)
        )
        return replace(self, kinds=kinds)

    def alone(self, place: int, symbol: str) -> "Axis":
        """The axis reduced to one place; its labels must not differ between samples."""
        names = self.names()
        labels = names[place : place + 1] if names else None
        return replace(self, symbol=symbol, labels=labels, kinds=self.kind(place))
