"""An overview of one head: scores, weights, values and output side by side."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from core import Stage, Trace
from views import link
from views.figures.plane import Plane, masked_cells, shown_plane
from views.figures.scale import scale_of
from views.figures.symbols import Convention
from views.selection import Place, Selection
from views.widgets.grids import Grid, grids

STEPS = ("scores", "weights", "V", "head_output")
SIGNS: dict[Convention, dict[str, str]] = {
    "rows": {"scores": "→", "weights": "×", "V": "="},
    "columns": {"head_output": "=", "V": "×", "weights": "←"},
}  # the sign behind each matrix; with tokens as columns, A V is written V A
FEW, MOST = 5, 10  # sizes up to which all steps, or the last two, are drawn
WIDE = 10  # columns that fit side by side


def overview(trace: Trace, selection: Selection, changed: Mapping[str, np.ndarray | None]) -> None:
    """Draw the matrices if they are small; a click opens a cell in the microscope.

    changed: the difference of each step from the preset; cells that differ are framed.
    """
    convention = selection.convention
    planes = {key: shown_plane(trace[key], selection.at, convention) for key in STEPS}
    size = max(max(plane.values.shape) for plane in planes.values())
    if size > MOST:
        return
    shown: tuple[str, ...] = STEPS if size <= FEW else ("weights", "head_output")
    widths = [trace[key].tensor.shape[-1] for key in shown]
    if sum(widths) > WIDE and size <= FEW:
        shown = STEPS[1:]
    if convention == "columns":
        shown = shown[::-1]
    last, drawn = shown[-1], []
    for key in shown:
        plane = planes[key]
        by = changed.get(key)
        drawn.append(
            Grid(
                key,
                plane.values,
                scale_of(trace, key),
                rows=plane.rows.names,
                row_role=plane.rows.role,
                columns=plane.columns.names,
                column_role=plane.columns.role,
                is_masked=masked_cells(trace, plane, selection.at),
                marked=None if by is None else _changed(trace[key], by, selection),
                sign=SIGNS[convention][key] if size <= FEW and key != last else "",
                small=True,
            )
        )
    grids(drawn, key="strip", on_click=partial(_open, [planes[key] for key in shown]))


def _changed(stage: Stage, by: np.ndarray, selection: Selection) -> np.ndarray:
    """Which cells of the drawn plane of a stage differ from the preset."""
    drawn = shown_plane(replace(stage, tensor=by), selection.at, selection.convention)
    changed: np.ndarray = drawn.values != 0
    return changed


def _open(shown: list[Plane], grid: int, row: int, column: int) -> None:
    now, plane = link.remembered(Place), shown[grid]
    now.places |= {plane.rows.role: row, plane.columns.role: column}
    now.drawn = None
    link.set_value("stage", plane.stage)
