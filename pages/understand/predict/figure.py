"""The matrices of a step: its operands, and its result with covered cells."""

from dataclasses import replace
from typing import Any

import numpy as np

from core import Trace
from pages.understand.predict.digits import digits_of, divisor_of
from pages.understand.predict.quiz import Quiz, click
from views.figures.plane import Plane, masked_cells, padding_positions
from views.figures.scale import scale_of
from views.figures.step import step_of
from views.text import Words
from views.widgets.grids import Grid, grids

NARROW = 6  # columns, from which on cells are narrow
SIGNS = {"masked": "+ M =", "weights": "softmax"}


def figure(quiz: Quiz, texts: Words, words: Words) -> None:
    """Draw the matrices; a click on the result selects or covers a cell, or shows its sum."""
    trace, key = quiz.trace, quiz.inputs.stage
    cell = quiz.current or quiz.shown
    row, column = cell or quiz.inputs.at
    at = index_by_role(trace, key, quiz.inputs.index(trace, row, column))
    step = step_of(trace, key, at)
    drawn = []
    for plane in step.operands:
        if plane.values.dtype == bool:
            continue
        marked = _marked(plane) if cell else None
        drawn.append(_grid(trace, plane, at, words, marked=marked, sign="", fixed=True))
    if step.layout == "product":
        drawn[0] = replace(drawn[0], sign="×")
    drawn[-1] = replace(drawn[-1], sign=sign_of(trace, key))
    here = np.zeros(quiz.values.shape, bool)
    here[row, column] = cell is not None
    result = _grid(trace, step.result, at, words, covered=quiz.pending, marked=here)
    if key == "masked":
        drawn[0] = replace(drawn[0], is_masked=result.is_masked, note=texts.hatched)
    if result.is_masked is not None:
        result = replace(result, is_masked=result.is_masked & ~np.asarray(result.covered))

    def clicked(grid: int, row: int, column: int) -> None:
        if grid == len(drawn):
            click(quiz, row, column)

    grids([*drawn, result], key="quiz_grids", on_click=clicked)


def index_by_role(trace: Trace, key: str, index: tuple[int, ...]) -> dict[str, int]:
    """The index of a cell by axis role."""
    return dict(zip(trace[key].roles, index, strict=True))


def title_of(plane: Plane, words: Words) -> str:
    """The symbol of a matrix, with its head if there are several."""
    title = plane.stage + ("ᵀ" if plane.transposed else "")
    if plane.head is None:
        return title
    return f"{title} · {words.viewer.head.format(number=plane.head + 1)}"


def sign_of(trace: Trace, key: str) -> str:
    """The operation that is written behind the last operand of a step."""
    if key == "scaled":
        return f"÷ {divisor_of(trace)} ="
    return SIGNS.get(key, "=")


def hidden_by_mask(trace: Trace, plane: Plane, at: dict[str, int]) -> np.ndarray | None:
    """Which cells are masked; None if none can be."""
    if plane.stage == "masked":
        return np.isneginf(plane.values)
    return masked_cells(trace, plane, at)


def is_filled(trace: Trace) -> bool:
    """Whether there are padding queries, whose rows are left out."""
    return padding_positions(trace, "query", 0) is not None


def _grid(
    trace: Trace,
    plane: Plane,
    at: dict[str, int],
    words: Words,
    *,
    covered: np.ndarray | None = None,
    marked: np.ndarray | None = None,
    **more: Any,
) -> Grid:
    filled = padding_positions(trace, plane.rows.role, 0)
    rows = slice(None) if filled is None else slice(int((~filled).sum()))
    is_masked = hidden_by_mask(trace, plane, at)
    return Grid(
        title_of(plane, words),
        plane.values[rows],
        scale_of(trace, plane.stage),
        rows=plane.rows.names[rows] if plane.rows.role else (),
        columns=plane.columns.names,
        row_role=plane.rows.role or "query",
        column_role=plane.columns.role,
        is_masked=None if is_masked is None else is_masked[rows],
        covered=None if covered is None else covered[rows],
        marked=None if marked is None else marked[rows],
        digits=digits_of(plane.values),
        small=plane.values.shape[1] > NARROW,
        **more,
    )


def _marked(plane: Plane) -> np.ndarray | None:
    """The row, column or cell that the current cell is computed from."""
    if plane.row is None and plane.column is None:
        return None
    marked = np.zeros(plane.values.shape, bool)
    row = slice(None) if plane.row is None else plane.row
    column = slice(None) if plane.column is None else plane.column
    marked[row, column] = True
    return marked
