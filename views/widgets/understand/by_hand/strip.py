"""The whole sheet at one glance: scores, weights, values and result of one head, side by side."""

from collections.abc import Mapping
from functools import partial

import numpy as np

from core import Trace
from views import link
from views.figures.plane import plane_of
from views.figures.scale import scale_of
from views.selection import Selection
from views.widgets.understand.grids import Grid, grids

STEPS = ("scores", "weights", "V", "head_output")
SIGNS = {"scores": "→", "weights": "×", "V": "=", "head_output": ""}
ROLES = {
    "scores": ("query", "key"), "weights": ("query", "key"), "V": ("key", "d_v"),
    "head_output": ("query", "d_v"),
}  # fmt: skip
FEW, MOST = 5, 10  # rows and columns: with so few all steps are drawn; with more, the last two
WIDE = 10  # columns that stand side by side


def strip(trace: Trace, selection: Selection, changed: Mapping[str, np.ndarray | None]) -> None:
    """Draw them where they are small; a click opens a cell in the microscope.

    changed: by how much each number of a step did: those that did are framed.
    """
    planes = {key: plane_of(trace[key], selection.at) for key in STEPS}
    size = max(max(plane.values.shape) for plane in planes.values())
    if size > MOST:
        return
    shown: tuple[str, ...] = STEPS if size <= FEW else ("weights", "head_output")
    if sum(planes[key].values.shape[1] for key in shown) > WIDE and size <= FEW:
        shown = STEPS[1:]
    drawn = []
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
                struck=_struck(trace, key, selection),
                marked=None if by is None else by[0, selection.at["head"]] != 0,
                sign=SIGNS[key] if size <= FEW else "",
                small=True,
            )
        )
    grids(drawn, key="strip", on_click=partial(_open, shown))


def _struck(trace: Trace, key: str, selection: Selection) -> np.ndarray | None:
    """Which weights the mask forbids."""
    if key != "weights" or "masked" not in trace:
        return None
    return np.isneginf(plane_of(trace["masked"], selection.at).values)


def _open(shown: tuple[str, ...], grid: int, row: int, column: int) -> None:
    things = link.session().things
    rows, columns = ROLES[shown[grid]]
    things["places"] |= {rows: row, columns: column}
    things["drawn"] = None
    link.set_value("stage", shown[grid])
