"""Which colour a value has: one scale for each group of stages that must be compared."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from core import Stage, Trace
from views.figures.palette import PALETTES, Theme

SHARES = ("weights", "dropped")
PROBABILITIES = "probabilities"
FAINT = 10
LOGITS = ("scores", "scaled", "masked")


@dataclass(frozen=True)
class Scale:
    """The values at the two ends of a colour scale, and its stops per theme.

    kind: ``"share"`` runs from 0 up; ``"signed"`` is centred at 0; ``"flag"`` is false or true;
    ``"number"`` is for whole numbers that name something: they have no colour.
    root: colours run along the square root of the value, so that a small share of many is seen.
    """

    kind: str
    low: float
    high: float
    root: bool = False

    def stops(self, theme: Theme) -> tuple[str, ...]:
        """The colours from low to high."""
        palette = PALETTES[theme]
        if self.kind == "flag":
            return palette.masked, palette.ground
        if self.kind == "number":
            return palette.ground, palette.ground
        return palette.share if self.kind == "share" else palette.signed

    def place(self, values: np.ndarray) -> np.ndarray:
        """Each value as a whole number 0 … 255 along the scale; not finite ones become 0."""
        span = (self.high - self.low) or 1.0
        with np.errstate(invalid="ignore"):
            part = np.nan_to_num((values - self.low) / span, nan=0, posinf=0, neginf=0)
        part = np.clip(part, 0, 1)
        return np.round((np.sqrt(part) if self.root else part) * 255).astype(np.uint8)

    @property
    def ticks(self) -> tuple[float, ...]:
        """The values that stand beside the colour bar."""
        if self.kind == "signed":
            return self.low, 0, self.high
        return (self.low, self.high / 4, self.high) if self.root else (self.low, self.high)


def scale_of(trace: Trace, key: str, hidden: tuple[int, ...] = ()) -> Scale:
    """The scale of a stage: the same for all its samples, heads, rows and overlays.

    Weights share 0 … m, with m their largest in the whole trace, rounded up to 1, 2 or 5 · 10ᵏ;
    where an even share is a tenth of m or less, the colours run along its root.
    Scores, scaled and masked share the range of all three, so that scaling is seen to shrink.
    hidden: the places of tokens that are out of the picture; where queries meet keys, what they
    give and get has no part in the range.
    """
    stage = trace[key]
    if stage.tensor.dtype == bool:
        return Scale("flag", 0, 1)
    if stage.tensor.dtype.kind in "iu":
        return Scale("number", 0, 1)
    if key in SHARES:
        high = round_up(largest(trace, SHARES, hidden))
        return Scale("share", 0, high, root=high * stage.size("key") >= FAINT)
    if key == PROBABILITIES:
        return Scale("share", 0, round_up(largest(trace, (key,))))
    group = LOGITS if key in LOGITS else (key,)
    limit = largest(trace, group, hidden) or 1.0
    return Scale("signed", -limit, limit)


def largest(trace: Trace, keys: tuple[str, ...], hidden: tuple[int, ...] = ()) -> float:
    """The largest finite absolute value in those of the stages that the trace has.

    hidden: the places of tokens that do not count where queries meet keys.
    """
    found = 0.0
    for stage in (trace[key] for key in keys if key in trace):
        for tensor in _shown(stage, hidden):
            high, low = float(tensor.max()), float(tensor.min())
            if math.isinf(low):
                low = float(tensor.min(initial=0, where=np.isfinite(tensor)))
            found = max(found, -low, high if math.isfinite(high) else 0.0)
    return found


def of_tokens_by_tokens(stage: Stage) -> bool:
    """Whether queries meet keys in a stage, so that a token has a row and a column."""
    return {"query", "key"} <= set(stage.roles)


def _shown(stage: Stage, hidden: tuple[int, ...]) -> Iterator[np.ndarray]:
    """A stage in pieces without the rows and columns of what is hidden; nothing is copied."""
    if not hidden or not of_tokens_by_tokens(stage):
        yield stage.tensor
        return
    sides = [_between(hidden, stage.size(role)) for role in ("query", "key")]
    for rows, columns in product(*sides):
        at = {"query": rows, "key": columns}
        yield stage.tensor[tuple(at.get(role, slice(None)) for role in stage.roles)]


def _between(hidden: tuple[int, ...], size: int) -> list[slice]:
    """The runs of places, of so many, that are not hidden."""
    ends = pairwise([-1, *sorted(hidden), size])
    return [slice(before + 1, behind) for before, behind in ends if before + 1 < behind]


def round_up(value: float) -> float:
    """The next of 1, 2 or 5 · 10ᵏ that is not below the value; 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for step in (1, 2, 5, 10):
        if value <= step * power * (1 + 1e-12):
            return step * power
    raise AssertionError("10 times the power is above the value")
