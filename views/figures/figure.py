"""A step as one Plotly figure, in the layout of a matrix product or side by side."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core import Trace
from views import numbers
from views.figures import heatmap
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.plane import Plane, Side, filling
from views.figures.scale import Scale, scale_of
from views.figures.step import Step, step_of

WIDTH = 760
GAP, TITLE, BAR = 34, 24, 70
TALLEST_STACK, ROOMY = 560, 44
FONT = (
    '"Source Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Hiragino Sans", '
    "sans-serif"
)
TALLEST, WIDEST = 38, 64
SYMBOLS = {
    "W_Q": "W<sup>Q</sup>",
    "W_K": "W<sup>K</sup>",
    "W_V": "W<sup>V</sup>",
    "W_O": "W<sup>O</sup>",
    "W_E": "W<sup>E</sup>",
    "b_Q": "b<sup>Q</sup>",
    "b_K": "b<sup>K</sup>",
    "b_V": "b<sup>V</sup>",
    "b_O": "b<sup>O</sup>",
}


def step_figure(trace: Trace, key: str, at: Mapping[str, int], theme: Theme) -> go.Figure:
    """The figure of one stage: its operands and its result around the chosen cell ``at``."""
    step = step_of(trace, key, at)
    boxes = _arrange(step)
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
        "dragmode": "zoom",
    }
    data = []
    for number, box in enumerate(boxes, start=1):
        suffix = "" if number == 1 else str(number)
        plane, names = box.plane, (f"x{suffix}", f"y{suffix}")
        x = (box.x / WIDTH, (box.x + box.width) / WIDTH)
        y = (1 - (box.y + box.height) / height, 1 - box.y / height)
        scale = scale_of(trace, plane.stage)
        is_result = number == len(boxes)
        bar = _bar(scale, x[1], y, theme) if is_result and scale.kind != "flag" else None
        cell = (box.width / plane.values.shape[1], box.height / plane.values.shape[0])
        quiet = filling(trace, plane.rows.role, at.get("batch", 0))
        data += heatmap.traces(
            plane, scale, theme, names, cell, exact=is_result, bar=bar, quiet=quiet
        )
        layout[f"xaxis{suffix}"] = heatmap.axis(plane.columns, x, names[1], theme, vertical=False)
        layout[f"yaxis{suffix}"] = heatmap.axis(plane.rows, y, names[0], theme, vertical=True)
        layout["annotations"].append(_title(plane, x[0], y[1], box.width, theme))
        if quiet is not None:
            layout["shapes"] += _greyed(plane, names, quiet, palette.card)
        layout["shapes"] += _marks(plane, names, is_result, palette.accent)
    return go.Figure({"data": data, "layout": layout})


@dataclass(frozen=True, eq=False)
class _Box:
    """Where a plane stands, in pixels from the top left at the design width."""

    plane: Plane
    x: float
    y: float
    width: float
    height: float


def _arrange(step: Step) -> list[_Box]:
    result = step.result
    rows, columns = result.values.shape
    if step.layout == "product":
        left, right = step.operands
        inner = left.values.shape[1]
        labels = _label_width(left.rows) + _label_width(result.rows) + _label_width(right.rows) / 4
        room = WIDTH - BAR - GAP - labels
        cell_width = min(WIDEST, room / (inner + columns))
        if cell_width * inner < 60:
            cell_width = min(WIDEST, (room - 60) / columns)
        left_width = max(60, cell_width * inner) if inner * cell_width < 60 else cell_width * inner
        row_height = _row_height(rows, 460)
        top = TITLE + _head(right.columns)
        right_height = inner * _row_height(inner, 150)
        x = _label_width(left.rows)
        second_x = x + left_width + GAP + _label_width(result.rows)
        second_y = top + right_height + TITLE + 14 + _head(result.columns)
        width, height = cell_width * columns, row_height * rows
        return [
            _Box(left, x, second_y, left_width, height),
            _Box(right, second_x, top, width, right_height),
            _Box(result, second_x, second_y, width, height),
        ]
    planes = (*step.operands, result)
    labels = sum(_label_width(plane.rows) for plane in planes)
    room = WIDTH - BAR - labels - GAP * (len(planes) - 1)
    cell_width = min(WIDEST, room / sum(plane.values.shape[1] for plane in planes))
    rows, columns = result.values.shape
    tall = len(planes) * (rows * TALLEST + TITLE + 40)
    if cell_width < ROOMY and tall <= TALLEST_STACK and columns > rows:
        return _stacked(planes)
    top = TITLE + max(_head(plane.columns) for plane in planes)
    x, boxes = 0.0, []
    for plane in planes:
        x += _label_width(plane.rows)
        width = cell_width * plane.values.shape[1]
        height = plane.values.shape[0] * _row_height(plane.values.shape[0], 480)
        boxes.append(_Box(plane, x, top, width, height))
        x += width + GAP
    return boxes


def _stacked(planes: tuple[Plane, ...]) -> list[_Box]:
    left = max(_label_width(plane.rows) for plane in planes)
    y, boxes = 0.0, []
    for plane in planes:
        rows, columns = plane.values.shape
        width = min(WIDEST * columns, WIDTH - BAR - left)
        y += TITLE + _head(plane.columns)
        boxes.append(_Box(plane, left, y, width, rows * TALLEST))
        y += rows * TALLEST + 10
    return boxes


def _row_height(rows: int, tallest: float) -> float:
    return min(TALLEST, tallest / rows)


def _label_width(side: Side) -> float:
    if not side.role:
        return 0
    longest = max(
        sum(2 if ord(c) > 0x2E80 else 1 for c in heatmap.shortened(name)) for name in side.names
    )
    return 12 + 7.5 * longest


def _head(side: Side) -> float:
    if heatmap._angle(side, max(1, -(-len(side.names) // heatmap.MOST_TICKS))):
        return 12 + max(_label_width(Side("x", (name,), True)) for name in side.names)
    return 22


def _bar(scale: Scale, right: float, y: tuple[float, float], theme: Theme) -> dict[str, Any]:
    ends = [scale.low, scale.high] if scale.kind == "share" else [scale.low, 0, scale.high]
    return {
        "x": right + 12 / WIDTH,
        "xanchor": "left",
        "y": y[0],
        "yanchor": "bottom",
        "len": y[1] - y[0],
        "thickness": 8,
        "outlinewidth": 0,
        "tickvals": ends,
        "ticktext": [numbers.short(end) if end else "0" for end in ends],
        "tickfont": {"size": 11, "color": PALETTES[theme].soft},
        "ypad": 0,
        "xpad": 0,
    }


def _title(plane: Plane, x: float, y: float, width: float, theme: Theme) -> dict[str, Any]:
    symbol = SYMBOLS.get(plane.stage, plane.stage)
    if plane.transposed:
        symbol += "<sup>⊤</sup>"
    sides = [
        f'<span style="color:{role_colour(side.role, theme)}">{side.role} {len(side.names)}</span>'
        for side in (plane.rows, plane.columns)
        if side.role
    ]
    room = width - 9 * len(plane.stage)
    fits = room > sum(5 * (len(side.role) + 5) for side in (plane.rows, plane.columns))
    sizes = f"  <span style='font-size:12px'>{' × '.join(sides)}</span>" if fits else ""
    return {
        "text": f"<i>{symbol}</i>{sizes}",
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": _head(plane.columns),
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


def _marks(plane: Plane, names: tuple[str, str], is_result: bool, colour: str) -> list[Any]:
    rows, columns = plane.values.shape
    row, column = plane.row, plane.column
    if row is None and column is None:
        return []
    box = {
        "x0": 0.5 if column is None else column + 0.5,
        "x1": columns + 0.5 if column is None else column + 1.5,
        "y0": 0.5 if row is None else row + 0.5,
        "y1": rows + 0.5 if row is None else row + 1.5,
    }
    shape = {
        "type": "rect",
        "xref": names[0],
        "yref": names[1],
        "line": {"color": colour, "width": 3 if is_result else 2},
        "label": {},
    }
    return [shape | box]
