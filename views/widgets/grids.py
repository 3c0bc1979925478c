"""Small matrices side by side, each cell with its number, optionally marked and clickable."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from views.figures.palette import PALETTES, ramp
from views.figures.scale import Scale
from views.text import numbers
from views.text.spans import isolated
from views.widgets.component import component

HUGE = 1e7  # numbers from here on are printed as a power of ten
MOST = 32 * 32  # cells up to which each has its number; larger matrices are drawn as an image


@dataclass(frozen=True, eq=False)
class Grid:
    """One matrix to draw.

    title: its symbol or name. values: (rows, columns). rows, columns: labels along each side, or
    ``()`` for none. row_role, column_role: their axis roles, which set the colours of the labels.
    scale: the colour scale; matrices that are compared share one. printed: numbers to print in
    place of the values.
    is_masked, marked, covered: booleans of shape (rows, columns), of masked cells (hatched), of
    framed cells, and of cells that show a question mark in place of their number.
    after: a text behind each row, such as its sum. below: a text under each column.
    note: a line below the matrix. sign: the text before the next matrix, such as ``×`` or ``=``.
    digits: decimals; by default those of ``numbers.short``. small: narrow cells.
    fixed: not clickable, even if the other matrices are.
    """

    title: str
    values: np.ndarray
    scale: Scale
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    row_role: str = "query"
    column_role: str = "key"
    is_masked: np.ndarray | None = None
    marked: np.ndarray | None = None
    covered: np.ndarray | None = None
    after: Sequence[str] = ()
    below: Sequence[str] = ()
    note: str = ""
    sign: str = ""
    printed: np.ndarray | None = None
    digits: int | None = None
    small: bool = False
    fixed: bool = False


def grids(
    drawn: Sequence[Grid],
    key: str,
    on_click: Callable[[int, int, int], None] | None = None,
    opens: bool = False,
) -> None:
    """Draw matrices in a row that wraps.

    on_click: callback with the indices of matrix, row and column, from 0; with it every cell is a
    button. opens: whether it opens something in the microscope below.
    """

    def clicked() -> None:
        cell = st.session_state[key].cell
        if cell and on_click:
            on_click(int(cell["grid"]), int(cell["row"]), int(cell["column"]))

    data = {
        "grids": [_data(grid) for grid in drawn],
        "clicks": on_click is not None,
        "opens": opens,
    }
    more: dict[str, Any] = {"on_cell_change": clicked} if on_click else {}
    component("grids")(key=key, data=data, **more)


def _data(grid: Grid) -> dict[str, Any]:
    values = np.asarray(grid.values)
    small, shown = values.size <= MOST, values if grid.printed is None else grid.printed
    return {
        "title": grid.title,
        "rows": [isolated(name) for name in grid.rows],
        "columns": [isolated(name) for name in grid.columns],
        "roles": [grid.row_role, grid.column_role],
        "levels": grid.scale.positions(values).tolist(),
        "printed": [[_printed(v, grid.digits) for v in row] for row in shown] if small else None,
        "ramps": {theme: _ramp(grid.scale, theme) for theme in PALETTES},
        "is_masked": _flags(grid.is_masked),
        "marked": _flags(grid.marked),
        "covered": _flags(grid.covered),
        "after": list(grid.after),
        "below": list(grid.below),
        "note": grid.note,
        "sign": grid.sign,
        "small": grid.small,
        "fixed": grid.fixed,
    }


def _printed(value: Any, digits: int | None) -> str:
    number = float(value)
    if HUGE <= abs(number) < np.inf:
        return numbers.power_of_ten(number)
    return numbers.short(number) if digits is None else numbers.plain(number, digits)


def _ramp(scale: Scale, theme: Any) -> list[list[int]]:
    colours: list[list[int]] = ramp(scale.stops(theme)).tolist()
    return colours


def _flags(flags: np.ndarray | None) -> list[list[bool]] | None:
    return None if flags is None else np.asarray(flags, bool).tolist()
