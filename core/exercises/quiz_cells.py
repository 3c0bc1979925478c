"""Which cells of a stage are covered in a quiz."""

from collections.abc import Iterable

import numpy as np

from core import rules
from core.errors import out_of_range
from core.trace import Stage, Trace

SHARE = 1 / 3


def computed(trace: Trace) -> tuple[str, ...]:
    """Keys of the computed stages; only they can be covered."""
    return tuple(key for key, stage in trace.items() if not isinstance(stage.rule, rules.Given))


def every_cell(trace: Trace, key: str) -> np.ndarray:
    """All cells that can be covered: none of a given stage, nor of a padded query.

    A bool array of the shape of the stage, True for covered cells; likewise the other functions.
    """
    stage = trace[key]
    if isinstance(stage.rule, rules.Given):
        return np.zeros(stage.tensor.shape, bool)
    covered = np.ones(stage.tensor.shape, bool)
    if "key_mask" in trace and "query" in stage.roles:
        real = trace["key_mask"].tensor  # (batch, token)
        shape = [stage.size(role) if role in ("batch", "query") else 1 for role in stage.roles]
        covered &= real.reshape(shape)
    return covered


def one_row(trace: Trace, key: str, row: int) -> np.ndarray:
    """All cells of one row, counted from 0, in every head. Raises out_of_range."""
    stage = trace[key]
    rows = stage.tensor.shape[-2]
    if not 0 <= row < rows:
        raise out_of_range("row", row, f"0 … {rows - 1}")
    here = (np.arange(rows) == row)[:, None]
    return every_cell(trace, key) & here


def these(trace: Trace, key: str, cells: Iterable[tuple[int, int]]) -> np.ndarray:
    """These cells (row, column), from 0, in every head.

    Cells out of range are replaced by the nearest ones, so that a choice carries over to a smaller
    stage.
    """
    chosen = np.zeros(trace[key].tensor.shape[-2:], bool)
    for cell in cells:
        chosen[nearest(trace, key, cell)] = True
    return every_cell(trace, key) & chosen


def nearest(trace: Trace, key: str, cell: tuple[int, int]) -> tuple[int, int]:
    """The cell, or the nearest one in range."""
    rows, columns = trace[key].tensor.shape[-2:]
    return min(max(cell[0], 0), rows - 1), min(max(cell[1], 0), columns - 1)


def at_random(trace: Trace, key: str, seed: int) -> np.ndarray:
    """A random third of the cells of each head, at least one.

    Stages of the same shape have the same covered cells, and a copy those of its source, so that no
    stage reveals the answers of another.
    """
    stage = trace[key]
    if isinstance(stage.rule, rules.Operand):
        return at_random(trace, stage.rule.stage, seed)[_source(trace, stage, stage.rule)]
    askable = every_cell(trace, key)
    covered = np.zeros_like(askable)
    random = np.random.default_rng(seed)
    for plane in np.ndindex(askable.shape[:-2]):
        cells = np.argwhere(askable[plane])
        if len(cells):
            count = max(1, round(len(cells) * SHARE))
            chosen = random.choice(cells, size=count, replace=False)
            covered[plane][tuple(chosen.T)] = True
    return covered


def _source(trace: Trace, stage: Stage, copied: rules.Operand) -> tuple[rules.Position, ...]:
    at: dict[str, rules.Position] = dict(
        zip(stage.roles, np.indices(stage.tensor.shape), strict=True)
    )
    return tuple(rules.resolve(index, at, trace.tensors) for index in copied.index)
