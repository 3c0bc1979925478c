"""Colour scales: one for each group of stages that are compared with each other."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np

from core import Stage, Trace, blockwise
from core.blockwise import BlockwiseArray
from core.rules import Operand, Sum
from views.figures.palette import PALETTES, Theme

SHARES = ("weights", "dropped")
PROBABILITIES = "probabilities"
FAINT = 10
SCORES = ("scores", "scaled", "masked")
RESIDUAL = "residual"
UNEVEN = 4  # times the range of the palest head, from which on colours follow the square root
MOST = 0.99  # of the numbers of a stage, whose largest ends a scale that a few would make pale:
OUTLYING = 8  # those that are this many times as large
SAMPLED = 100_000  # numbers, evenly spaced, among which the largest of most is found


@dataclass(frozen=True)
class Scale:
    """A colour scale between two values.

    kind: ``"share"`` starts at 0; ``"signed"`` is centred at 0; ``"flag"`` is false or true;
    ``"number"`` is for integers that are ids, without colours.
    root: whether colours follow the square root of the value, so that small ones are visible.
    clipped: whether a few values lie beyond both ends, and have the colours of those.
    """

    kind: str
    low: float
    high: float
    root: bool = False
    clipped: bool = False

    def stops(self, theme: Theme) -> tuple[str, ...]:
        """The colours from low to high."""
        palette = PALETTES[theme]
        if self.kind == "flag":
            return palette.masked, palette.ground
        if self.kind == "number":
            return palette.ground, palette.ground
        return palette.share if self.kind == "share" else palette.signed

    def positions(self, values: np.ndarray) -> np.ndarray:
        """The position of each value on the scale, uint8 0 … 255; 0 for what is not finite."""
        span = (self.high - self.low) or 1.0
        with np.errstate(invalid="ignore"):
            part = np.nan_to_num((values - self.low) / span, nan=0, posinf=0, neginf=0)
        part = np.clip(part, 0, 1)
        if self.root and self.kind == "signed":
            part = (1 + np.sign(part - 0.5) * np.sqrt(np.abs(2 * part - 1))) / 2
        elif self.root:
            part = np.sqrt(part)
        return np.round(part * 255).astype(np.uint8)

    @property
    def ticks(self) -> tuple[float, ...]:
        """The values that are printed beside the colour bar."""
        if self.kind == "signed":
            quarters = (self.low / 4, 0, self.high / 4) if self.root else (0,)
            return self.low, *quarters, self.high
        return (self.low, self.high / 4, self.high) if self.root else (self.low, self.high)


def scale_of(trace: Trace, key: str, hidden: tuple[int, ...] = ()) -> Scale:
    """The colour scale of a stage, the same for all its samples and heads.

    Weights have 0 … m, m being the largest in the trace, rounded up to 1, 2 or 5 · 10ᵏ; if 1 / n is
    at most m / 10, colours follow the square root. Scores before and after they are divided, and
    what a residual connection adds up, have one common range. If one head's or one of these stages'
    largest is four times another's, colours follow the root of the absolute value. A few numbers
    that are far larger than all others lie beyond the ends.
    hidden: positions of tokens whose rows and columns do not count in query-by-key stages.
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
    group = [_reach(trace[one], hidden) for one in _compared(trace, key)]
    limit = max(one.most for one in group) or 1.0
    root = limit >= UNEVEN * min(one.palest for one in group) > 0
    clipped = limit < max(one.largest for one in group)
    return Scale("signed", -limit, limit, root, clipped)


def _compared(trace: Trace, key: str) -> tuple[str, ...]:
    """The stages of the trace that are drawn beside this one and compared with it, and itself."""
    group: tuple[str, ...] = SCORES
    if RESIDUAL in trace and isinstance(added := trace[RESIDUAL].rule, Sum):
        operands = [part.stage for part in added.parts if isinstance(part, Operand)]
        group = (*operands, RESIDUAL) if key in (*operands, RESIDUAL) else group
    return tuple(one for one in group if one in trace) if key in group else (key,)


class Reach(NamedTuple):
    """The largest finite absolute values of a stage.

    most: but for a few that are far larger than all others. palest: of the head of which it is
    smallest; with one head, most.
    """

    largest: float
    most: float
    palest: float


def _reach(stage: Stage, hidden: tuple[int, ...]) -> Reach:
    def found() -> Reach:
        limit = _largest(stage, hidden)
        most = limit if "key" in stage.roles else _most_of(stage.tensor, limit)
        return Reach(limit, most, _palest(stage, hidden) or most)

    return stage.derived(("reach", hidden if is_query_by_key(stage) else ()), found)


def _most_of(tensor: np.ndarray, limit: float) -> float:
    """The limit, or if few numbers are so large where most of them end."""
    numbers = tensor.reshape(-1)
    sample = np.abs(numbers[:: 1 + numbers.size // SAMPLED])
    sample = sample[np.isfinite(sample)]
    if np.count_nonzero(sample > limit / OUTLYING) > (1 - MOST) * sample.size + 2:
        return limit  # as the quantile would say, which takes far longer
    most = float(np.quantile(sample, MOST)) if sample.size else 0.0
    return round_up(most) if limit >= OUTLYING * most > 0 else limit


def signed_scale(*arrays: np.ndarray, rounded: bool = False) -> Scale:
    """One scale for matrices that are compared, centred at 0; all values are finite.

    rounded: to 1, 2 or 5 · 10ᵏ.
    """
    limit = max(float(np.abs(array).max()) for array in arrays) or 1.0
    limit = round_up(limit) if rounded else limit
    return Scale("signed", -limit, limit)


def _palest(stage: Stage, hidden: tuple[int, ...]) -> float:
    """The smallest of the largest finite absolute values of the heads; 0 if there is one head."""
    if "head" not in stage.roles or stage.size("head") == 1:
        return 0.0
    most = np.zeros(stage.size("head"))
    others = tuple(axis for axis, role in enumerate(stage.roles) if role != "head")
    for tensor in _shown(stage, hidden):
        if isinstance(tensor, BlockwiseArray):
            rows = tuple(axis for axis in others if axis < tensor.ndim - 1)
            most = np.maximum(most, _most(tensor).max(axis=rows))
            continue
        for ends in (tensor.max, tensor.min):
            with np.errstate(invalid="ignore"):
                found = np.abs(ends(axis=others, initial=0, where=np.isfinite(tensor)))
            most = np.maximum(most, found)
    return float(most.min())


def _most(tensor: BlockwiseArray) -> np.ndarray:
    """The largest finite absolute value of each row, (…, query); 0 if none is finite."""
    low, high, _ = blockwise.of_rows(tensor)
    return np.maximum(np.maximum(-low, high), 0)


def largest(trace: Trace, keys: tuple[str, ...], hidden: tuple[int, ...] = ()) -> float:
    """The largest finite absolute value of these stages, ignoring stages the trace does not have.

    hidden: positions of tokens whose rows and columns do not count in query-by-key stages.
    """
    return max((_largest(trace[key], hidden) for key in keys if key in trace), default=0.0)


def _largest(stage: Stage, hidden: tuple[int, ...]) -> float:
    limit = 0.0
    for tensor in _shown(stage, hidden):
        if isinstance(tensor, BlockwiseArray):
            limit = max(limit, float(_most(tensor).max()))
            continue
        high, low = float(tensor.max()), float(tensor.min())
        if math.isinf(low):
            low = float(tensor.min(initial=0, where=np.isfinite(tensor)))
        limit = max(limit, -low, high if math.isfinite(high) else 0.0)
    return limit


def is_query_by_key(stage: Stage) -> bool:
    """Whether a stage has a query and a key axis."""
    return {"query", "key"} <= set(stage.roles)


def _shown(stage: Stage, hidden: tuple[int, ...]) -> Iterator[np.ndarray]:
    """Views of a stage's tensor without the rows and columns of hidden tokens."""
    if not hidden or not is_query_by_key(stage):
        yield stage.tensor
        return
    sides = [_between(hidden, stage.size(role)) for role in ("query", "key")]
    for rows, columns in product(*sides):
        at = {"query": rows, "key": columns}
        yield stage.tensor[tuple(at.get(role, slice(None)) for role in stage.roles)]


def _between(hidden: tuple[int, ...], size: int) -> list[slice]:
    """The runs of positions in 0 … size − 1 that are not hidden."""
    ends = pairwise([-1, *sorted(hidden), size])
    return [slice(before + 1, behind) for before, behind in ends if before + 1 < behind]


def round_up(value: float) -> float:
    """The smallest of 1, 2 or 5 · 10ᵏ that is at least the value; 1 for 0."""
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    for step in (1, 2, 5, 10):
        if value <= step * power * (1 + 1e-12):
            return step * power
    raise AssertionError("10 times the power is above the value")
