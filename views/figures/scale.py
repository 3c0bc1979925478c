"""Which colour a value has: one scale for each group of stages that must be compared."""

import math
from dataclasses import dataclass

import numpy as np

from core import Trace
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


def scale_of(trace: Trace, key: str) -> Scale:
    """The scale of a stage: the same for all its samples, heads, rows and overlays.

    Weights share 0 … m, with m their largest in the whole trace, rounded up to 1, 2 or 5 · 10ᵏ;
    where an even share is a tenth of m or less, the colours run along its root.
    Scores, scaled and masked share the range of all three, so that scaling is seen to shrink.
    """
    stage = trace[key]
    if stage.tensor.dtype == bool:
        return Scale("flag", 0, 1)
    if stage.tensor.dtype.kind in "iu":
        return Scale("number", 0, 1)
    if key in SHARES:
        high = round_up(largest(trace, SHARES))
        return Scale("share", 0, high, root=high * stage.size("key") >= FAINT)
    if key == PROBABILITIES:
        return Scale("share", 0, round_up(largest(trace, (key,))))
    group = LOGITS if key in LOGITS else (key,)
    limit = largest(trace, group) or 1.0
    return Scale("signed", -limit, limit)


def largest(trace: Trace, keys: tuple[str, ...]) -> float:
    """The largest finite absolute value in those of the stages that the trace has."""
    found = 0.0
    for key in keys:
        if key in trace:
            tensor = trace[key].tensor
            high, low = float(tensor.max()), float(tensor.min())
            if math.isinf(low):
                low = float(tensor.min(initial=0, where=np.isfinite(tensor)))
            found = max(found, -low, high if math.isfinite(high) else 0.0)
    return found


def round_up(value: float) -> float:
    """The next of 1, 2 or 5 · 10ᵏ that is not below the value; 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for step in (1, 2, 5, 10):
        if value <= step * power * (1 + 1e-12):
            return step * power
    raise AssertionError("10 times the power is above the value")
