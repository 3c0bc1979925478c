"""What stands in a cache, drawn to scale; and the perplexity by the size of a latent vector."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from views import numbers
from views.figures.axis import shortened
from views.figures.chart import chart, colorscale
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale

TITLE, LINE = 34, 11  # pixels above a table, and of a token's row


@dataclass(frozen=True, eq=False)
class Strip:
    """A table of (token, number). role: of its columns, which colours its title."""

    title: str
    values: np.ndarray
    scale: Scale
    role: str


def strips(tables: Sequence[Strip], names: Sequence[str], theme: Theme, *, cell: str) -> go.Figure:
    """Tables one below the other, every number equally wide. cell: with token, column and value."""
    tokens = [html.escape(shortened(name)) for name in names]
    n, widest = len(names), max(table.values.shape[1] for table in tables)
    high = max(60, LINE * n)
    height = len(tables) * (TITLE + high)
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    notes = []
    for i, table in enumerate(tables):
        axis = "" if i == 0 else str(i + 1)
        columns = table.values.shape[1]
        top = 1 - (i * (TITLE + high) + TITLE) / height
        traces.append(
            {
                "type": "heatmap", "z": table.values.tolist(), "xaxis": f"x{axis}",
                "yaxis": f"y{axis}", "zmin": table.scale.low, "zmax": table.scale.high,
                "colorscale": colorscale(table.scale.stops(theme)),
                "showscale": False, "x": list(range(1, columns + 1)),
                "customdata": [[token] * columns for token in tokens],
                # Formatted in the browser: there are thousands of them.
                "hovertemplate": cell.format(
                    token="%{customdata}", column="%{x}", value="%{z:.2f}"
                ) + "<extra></extra>",
            }
        )  # fmt: skip
        layout[f"xaxis{axis}"] = {
            "visible": False, "fixedrange": True, "domain": [0, columns / widest],
            "anchor": f"y{axis}",
        }  # fmt: skip
        layout[f"yaxis{axis}"] = {
            "visible": False, "fixedrange": True, "autorange": "reversed",
            "domain": [max(0, top - high / height), top], "anchor": f"x{axis}",
        }  # fmt: skip
        notes.append(
            {
                "text": table.title, "x": 0, "y": top + 4 / height, "xref": "paper",
                "yref": "paper", "showarrow": False, "xanchor": "left", "yanchor": "bottom",
                "font": {"color": role_colour(table.role, theme), "size": 14},
            }
        )  # fmt: skip
    return chart(
        traces, theme, x="", y="", height=height, margin={"l": 0, "r": 0, "t": 0, "b": 0},
        annotations=notes, **layout,
    )  # fmt: skip


def perplexities(
    sizes: Sequence[int], values: Sequence[float], whole: float, here: tuple[int, float],
    theme: Theme, *, names: Mapping[str, str], x: str, y: str,
) -> go.Figure:  # fmt: skip
    """Perplexity by d_c, and as trained as a dotted line. here: the chosen d_c."""
    palette = PALETTES[theme]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines+markers", "name": names["latent"], "x": list(sizes),
            "y": list(values), "line": {"color": palette.share[2], "width": 2},
            "hovertext": [numbers.short(value) for value in values],
            "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
        },
        {
            "type": "scatter", "mode": "lines", "name": names["whole"],
            "x": [sizes[0], sizes[-1]], "y": [whole, whole], "hoverinfo": "skip",
            "line": {"color": palette.soft, "dash": "dot", "width": 1.5},
        },
        {
            "type": "scatter", "mode": "markers", "name": names["here"], "x": [here[0]],
            "y": [here[1]], "marker": {"color": palette.accent, "size": 13}, "hoverinfo": "skip",
        },
    ]  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=280,
        xaxis={"tickvals": list(sizes), "zeroline": False}, yaxis={"rangemode": "tozero"},
    )  # fmt: skip
