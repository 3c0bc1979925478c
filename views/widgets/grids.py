"""Small matrices side by side, each cell with its number: for comparing, marking and clicking."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from views import numbers
from views.figures.palette import PALETTES, ramp
from views.figures.scale import Scale
from views.widgets.component import component

HUGE = 1e7  # from here on a number is printed as a power of ten
MOST = 32 * 32  # cells that are drawn with a number each; larger ones are a picture


@dataclass(frozen=True, eq=False)
class Grid:
    """One matrix to be drawn.

    title: its symbol or name. values: (rows, columns). rows, columns: names along each side, or
    ``()`` for none; row_role, column_role: what they are, which gives their colour.
    scale: where the colours come from, the same for all that are to be compared.
    struck: cells that are forbidden: hatched. marked: cells in a frame. covered: cells whose number
    is hidden: each shows a question mark.
    after: a text behind each row, such as its sum; below: one under each column.
    note: a line below all.
    sign: what stands between this matrix and the next, such as ``×`` or ``=``.
    digits: behind the point; by default as many as a sentence has. small: narrow cells.
    fixed: a click on this one does nothing, even where others can be clicked.
    """

    title: str
    values: np.ndarray
    scale: Scale
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    row_role: str = "query"
    column_role: str = "key"
    struck: np.ndarray | None = None
    marked: np.ndarray | None = None
    covered: np.ndarray | None = None
    after: Sequence[str] = ()
    below: Sequence[str] = ()
    note: str = ""
    sign: str = ""
    digits: int | None = None
    small: bool = False
    fixed: bool = False


def grids(
    drawn: Sequence[Grid], key: str, on_click: Callable[[int, int, int], None] | None = None
) -> None:
    """Draw matrices in a row, wrapped where there is no room.

    on_click: called with which matrix, row and column, from 0, before the run that follows; with it
    every cell is a button.
    """

    def clicked() -> None:
        cell = st.session_state[key].cell
        if cell and on_click:
            on_click(int(cell["grid"]), int(cell["row"]), int(cell["column"]))

    data = {"grids": [_data(grid) for grid in drawn], "clicks": on_click is not None}
    more: dict[str, Any] = {"on_cell_change": clicked} if on_click else {}
    component("grids")(key=key, data=data, **more)


def _data(grid: Grid) -> dict[str, Any]:
    values = np.asarray(grid.values)
    small = values.size <= MOST
    return {
        "title": grid.title,
        "rows": list(grid.rows),
        "columns": list(grid.columns),
        "roles": [grid.row_role, grid.column_role],
        "places": grid.scale.place(values).tolist(),
        "printed": [[_printed(v, grid.digits) for v in row] for row in values] if small else None,
        "ramps": {theme: _ramp(grid.scale, theme) for theme in PALETTES},
        "struck": _flags(grid.struck),
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
