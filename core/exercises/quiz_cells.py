"""Which numbers of a stage are hidden from a learner who is to find them."""

from collections.abc import Iterable

import numpy as np

from core import rules
from core.errors import OutOfRange
from core.trace import Stage, Trace

SHARE = 1 / 3


def computed(trace: Trace) -> tuple[str, ...]:
    """Keys of the stages that follow from others; what is given cannot be found."""
    return tuple(key for key, stage in trace.items() if not isinstance(stage.rule, rules.Given))


def every_cell(trace: Trace, key: str) -> np.ndarray:
    """All cells that can be asked for: none of a given stage, nor of a query that is mere filling.

    Of the shape of the stage, True where the cell is covered; so are all that follow.
    """
    stage = trace[key]
    if isinstance(stage.rule, rules.Given):
        return np.zeros(stage.tensor.shape, bool)
    asked = np.ones(stage.tensor.shape, bool)
    if "key_mask" in trace and "query" in stage.roles:
        real = trace["key_mask"].tensor  # (batch, token)
        shape = [stage.size(role) if role in ("batch", "query") else 1 for role in stage.roles]
        asked &= real.reshape(shape)
    return asked


def one_row(trace: Trace, key: str, row: int) -> np.ndarray:
    """All cells of one row, counted from 0, in every head. Raises OutOfRange."""
    stage = trace[key]
    rows = stage.tensor.shape[-2]
    if not 0 <= row < rows:
        raise OutOfRange("row", row, f"0 … {rows - 1}")
    here = (np.arange(rows) == row)[:, None]
    return every_cell(trace, key) & here


def these(trace: Trace, key: str, cells: Iterable[tuple[int, int]]) -> np.ndarray:
    """The cells (row, column), counted from 0, in every head.

    Beyond the edge stands the nearest there is: so cells that were chosen in one stage stand for
    some in a narrower one.
    """
    chosen = np.zeros(trace[key].tensor.shape[-2:], bool)
    for cell in cells:
        chosen[nearest(trace, key, cell)] = True
    return every_cell(trace, key) & chosen


def nearest(trace: Trace, key: str, cell: tuple[int, int]) -> tuple[int, int]:
    """The cell, or the one nearest to it that the stage has."""
    rows, columns = trace[key].tensor.shape[-2:]
    return min(max(cell[0], 0), rows - 1), min(max(cell[1], 0), columns - 1)


def at_random(trace: Trace, key: str, seed: int) -> np.ndarray:
    """A third of the cells of each head, at least one, drawn from the seed.

    Stages of the same shape have the same cells covered, and a copy has those of its source: so no
    step tells what another hides.
    """
    stage = trace[key]
    if isinstance(stage.rule, rules.Operand):
        return at_random(trace, stage.rule.stage, seed)[_source(trace, stage, stage.rule)]
    askable = every_cell(trace, key)
    covered = np.zeros_like(askable)
    random = np.random.default_rng(seed)
    for plane in np.ndindex(askable.shape[:-2]):
        places = np.argwhere(askable[plane])
        if len(places):
            count = max(1, round(len(places) * SHARE))
            chosen = random.choice(places, size=count, replace=False)
            covered[plane][tuple(chosen.T)] = True
    return covered


def _source(trace: Trace, stage: Stage, copied: rules.Operand) -> tuple[rules.Position, ...]:
    places: dict[str, rules.Position] = dict(
        zip(stage.roles, np.indices(stage.tensor.shape), strict=True)
    )
    return tuple(rules.resolve(index, places, trace.tensors) for index in copied.index)
