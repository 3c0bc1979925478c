"""A step as one Plotly figure, in the layout of a matrix product or side by side."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core import Trace
from views import numbers
from views.figures import heatmap
from views.figures.arrange import DESK, Box, arrange, head_height
from views.figures.axis import NARROWER, axis, text_width
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.plane import Plane, filling, forbidden
from views.figures.scale import Scale, scale_of
from views.figures.step import step_of
from views.figures.symbols import Convention, name_of

FONT = (
    '"Source Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Hiragino Sans", '
    "sans-serif"
)
THIN = 8
COLOURED = ("share", "signed")


def step_figure(
    trace: Trace,
    key: str,
    at: Mapping[str, int],
    theme: Theme,
    convention: Convention = "rows",
    hidden: tuple[int, ...] = (),
) -> go.Figure:
    """The figure of one stage: its operands and its result around the chosen cell ``at``.

    hidden: the places of tokens whose rows and columns are covered where queries meet keys.
    """
    step = step_of(trace, key, at, convention)
    boxes = arrange(step)
    height = max(box.y + box.height for box in boxes) + 8
    palette = PALETTES[theme]
    layout: dict[str, Any] = {
        "width": None,
        "height": height,
        "margin": {"l": 0, "r": 0, "t": 0, "b": 0},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.ink, "size": 14, "family": FONT},
        "hoverlabel": {"bgcolor": palette.ink, "font": {"color": palette.ground}},
        "annotations": [],
        "shapes": [],
        "dragmode": False,
    }
    data = []
    for number, box in enumerate(boxes, start=1):
        suffix = "" if number == 1 else str(number)
        plane, names = box.plane, (f"x{suffix}", f"y{suffix}")
        x = (box.x / DESK.width, (box.x + box.width) / DESK.width)
        y = (1 - (box.y + box.height) / height, 1 - box.y / height)
        scale = scale_of(trace, plane.stage, hidden)
        is_result = number == len(boxes)
        bar = _bar(scale, x[1], y, theme) if is_result and scale.kind in COLOURED else None
        cell = (box.width / plane.values.shape[1], box.height / plane.values.shape[0])
        quiet = filling(trace, plane.rows.role, at.get("batch", 0))
        data += heatmap.traces(
            plane, scale, theme, names, cell, exact=is_result, bar=bar, quiet=quiet,
            struck=forbidden(trace, plane, at),
        )  # fmt: skip
        layout[f"xaxis{suffix}"] = axis(
            plane.columns, x, names[1], theme, cell[0] * NARROWER, vertical=False
        )
        layout[f"yaxis{suffix}"] = axis(plane.rows, y, names[0], theme, cell[1], vertical=True)
        layout["annotations"].append(_title(box, x[0], y[1], theme))
        if quiet is not None:
            layout["shapes"] += _greyed(plane, names, quiet, palette.card)
        if {plane.rows.role, plane.columns.role} == {"query", "key"}:
            layout["shapes"] += _covered(plane, names, hidden, theme)
        layout["shapes"] += _marks(plane, names, cell, is_result, palette.accent)
    return go.Figure({"data": data, "layout": layout})


def _bar(scale: Scale, right: float, y: tuple[float, float], theme: Theme) -> dict[str, Any]:
    return {
        "x": right + 12 / DESK.width,
        "xanchor": "left",
        "y": y[0],
        "yanchor": "bottom",
        "len": y[1] - y[0],
        "thickness": 8,
        "outlinewidth": 0,
        "ticktext": [_tick(value, scale) for value in scale.ticks],
        "tickfont": {"size": 11, "color": PALETTES[theme].soft},
        "ypad": 0,
        "xpad": 0,
    }


def _tick(value: float, scale: Scale) -> str:
    return numbers.bare(value) if scale.kind == "share" or not value else numbers.short(value)


def _title(box: Box, x: float, y: float, theme: Theme) -> dict[str, Any]:
    plane = box.plane
    symbol = "".join(f"<{tag}>{text}</{tag}>" for tag, text in name_of(plane.stage))
    if plane.transposed:
        symbol += "<sup>⊤</sup>"
    sides = [(f"{s.role} {len(s.names)}", s.role) for s in (plane.rows, plane.columns) if s.role]
    if plane.head is not None:
        sides = [(f"head {plane.head + 1}", "head")]
    coloured = [f'<span style="color:{role_colour(r, theme)}">{size}</span>' for size, r in sides]
    room = box.width + DESK.gap / 2 - text_width(plane.stage)
    fits = room > sum(text_width(size) for size, _ in sides)
    sizes = f"  <span style='font-size:12px'>{' × '.join(coloured)}</span>" if fits else ""
    return {
        "text": f"<i>{symbol}</i>{sizes}",
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": head_height(plane.columns, box.width / plane.values.shape[1]),
        "showarrow": False,
        "font": {"size": 15},
    }


def _greyed(
    plane: Plane, names: tuple[str, str], quiet: np.ndarray, colour: str
) -> list[dict[str, Any]]:
    return [
        {
            "type": "rect",
            "xref": names[0],
            "yref": names[1],
            "x0": 0.5,
            "x1": plane.values.shape[1] + 0.5,
            "y0": int(row) + 0.5,
            "y1": int(row) + 1.5,
            "fillcolor": colour,
            "opacity": 0.7,
            "line": {"width": 0},
        }
        for row in np.flatnonzero(quiet)
    ]


def _covered(
    plane: Plane, names: tuple[str, str], hidden: tuple[int, ...], theme: Theme
) -> list[dict[str, Any]]:
    """A blank strip over the row and over the column of each hidden token."""
    palette = PALETTES[theme]
    rows, columns = plane.values.shape
    strip = {
        "type": "rect",
        "xref": names[0],
        "yref": names[1],
        "fillcolor": palette.card,
        "line": {"color": palette.line, "width": 1},
    }
    rows_of = [{"x0": 0.5, "x1": columns + 0.5, "y0": i + 0.5, "y1": i + 1.5} for i in hidden]
    columns_of = [{"x0": i + 0.5, "x1": i + 1.5, "y0": 0.5, "y1": rows + 0.5} for i in hidden]
    return [strip | place for place in (*rows_of, *columns_of)]


def _marks(
    plane: Plane, names: tuple[str, str], cell: tuple[float, float], is_result: bool, colour: str
) -> list[dict[str, Any]]:
    """A frame around the chosen row, column or cell; around it, not over it, where it is thin."""
    rows, columns = plane.values.shape
    row, column = plane.row, plane.column
    if row is None and column is None:
        return []
    thin = min(cell) < THIN
    x_pad, y_pad = (1.5 / cell[0], 1.5 / cell[1]) if thin else (0, 0)
    left, right = (0, columns) if column is None else (column - x_pad, column + 1 + x_pad)
    top, bottom = (0, rows) if row is None else (row - y_pad, row + 1 + y_pad)
    return [
        {
            "type": "rect",
            "xref": names[0],
            "yref": names[1],
            "x0": left + 0.5,
            "x1": right + 0.5,
            "y0": top + 0.5,
            "y1": bottom + 0.5,
            "line": {"color": colour, "width": 1 if thin else 3 if is_result else 2},
        }
    ]
