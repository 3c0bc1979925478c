"""Charts of sinusoidal positions: a heatmap, and dot products by distance."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from views import numbers
from views.figures.chart import chart, colorscale
from views.figures.palette import PALETTES, Theme

MARKS = (("circle-open", 14), ("diamond-open", 9), ("circle", 4))


def waves(position: np.ndarray, theme: Theme, *, x: str, y: str) -> go.Figure:
    """A heatmap of positions, position 0 at the top. position: (n, d_model), −1 … 1."""
    drawn = {
        "type": "heatmap",
        "z": position.astype(np.float32),
        "zmin": -1,
        "zmax": 1,
        "colorscale": colorscale(PALETTES[theme].signed),
        "colorbar": {"tickvals": [-1, 0, 1], "thickness": 10, "outlinewidth": 0},
        "text": [[numbers.plain(value, 4) for value in row] for row in position.tolist()],
        "hovertemplate": "PE[%{y}, %{x}] = %{text}<extra></extra>",
    }
    yaxis = {"autorange": "reversed", "showgrid": False, "zeroline": False}
    xaxis = {"showgrid": False, "zeroline": False}
    return chart([drawn], theme, x=x, y=y, height=340, yaxis=yaxis, xaxis=xaxis)


def by_distance(
    formula: np.ndarray, computed: Mapping[str, np.ndarray], theme: Theme,
    *, x: str, y: str, named: str,
) -> go.Figure:  # fmt: skip
    """The dot product of two positions by distance: by the formula, and computed.

    formula: (distance,) from 0. computed: by name, (distance,) of at most that size.
    """
    palette = PALETTES[theme]
    colours = (palette.roles["query"], palette.roles["key"], palette.roles["d_k"])
    drawn: list[dict[str, Any]] = [
        {"type": "scatter", "mode": "lines", "y": formula, "name": named,
         "line": {"color": palette.soft, "width": 1.5}}
    ]  # fmt: skip
    for (name, values), colour, (mark, size) in zip(computed.items(), colours, MARKS, strict=True):
        marker = {
            "color": colour,
            "symbol": mark,
            "size": size,
            "line": {"width": 2, "color": colour},
        }
        drawn.append(
            {"type": "scatter", "mode": "markers", "y": values, "name": name, "marker": marker}
        )
    return chart(drawn, theme, x=x, y=y, height=340)
