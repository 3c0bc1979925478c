"""Tables of query by key side by side, one for each head or each variant, on one colour scale."""

import html
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from views import numbers
from views.figures.axis import shortened
from views.figures.chart import chart, colorscale
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale

GAP = 0.02  # between two tables, as a part of the figure's width
TITLE, LABEL = 24, 13  # pixels above a table, and for the name of a row


def columns(count: int) -> list[tuple[float, float]]:
    """Where each of so many tables begins and ends, as parts of the figure's width."""
    wide = (1 - GAP * (count - 1)) / count
    return [(i * (wide + GAP), i * (wide + GAP) + wide) for i in range(count)]


def head_maps(
    tables: Sequence[np.ndarray],
    names: Sequence[str],
    scale: Scale,
    theme: Theme,
    *,
    titles: Sequence[str],
    hover: str,
    rows: int = 190,
    below: int = 0,
    shapes: Sequence[dict[str, Any]] = (),
    annotations: Sequence[dict[str, Any]] = (),
) -> go.Figure:
    """Heatmaps of (query, key), each with a title above; nan for cells that are left empty.

    names: of the tokens, text from the user. hover: of a cell, with ``{query}``, ``{key}`` and
    ``{value}``. rows, below: pixels of the tables, and free below them, where shapes and
    annotations stand, from 0 at the bottom to 1 at the top of the figure.
    """
    palette, height = PALETTES[theme], TITLE + rows + below
    bottom, top = below / height, 1 - TITLE / height
    tokens = [html.escape(shortened(name)) for name in names]
    named = range(0, len(tokens), math.ceil(LABEL * len(tokens) / rows))
    bare = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    above = []
    for i, (table, (left, right)) in enumerate(zip(tables, columns(len(tables)), strict=True)):
        axis = "" if i == 0 else str(i + 1)
        traces.append(
            {
                "type": "heatmap", "z": np.where(np.isfinite(table), table, np.nan).tolist(),
                "xaxis": f"x{axis}", "yaxis": f"y{axis}", "zmin": scale.low, "zmax": scale.high,
                "colorscale": colorscale(scale.stops(theme)), "showscale": False, "xgap": 1,
                "ygap": 1, "hoverongaps": False, "hovertemplate": "%{text}<extra></extra>",
                "text": _hovers(table, tokens, hover),
            }
        )  # fmt: skip
        layout[f"xaxis{axis}"] = {
            **bare, "domain": [left, right], "fixedrange": True, "showticklabels": False,
            "anchor": f"y{axis}",
        }  # fmt: skip
        layout[f"yaxis{axis}"] = {
            **bare, "domain": [bottom, top], "autorange": "reversed", "fixedrange": True,
            "anchor": f"x{axis}", "showticklabels": i == 0, "tickvals": list(named),
            "ticktext": [tokens[place] for place in named],
            "tickfont": {"size": LABEL - 1, "color": role_colour("query", theme)},
        }  # fmt: skip
        above.append(label(titles[i], (left + right) / 2, (1 + top) / 2, palette.ink))
    return chart(
        traces, theme, x="", y="", height=height, margin={"l": 0, "r": 2, "t": 0, "b": 2},
        shapes=list(shapes), annotations=[*above, *annotations], **layout,
    )  # fmt: skip


def causal_tables(tensor: np.ndarray) -> list[np.ndarray]:
    """(batch 1, head, n, n) -> (n, n) of each head, nan where a key comes after the query."""
    return [np.where(np.tri(tensor.shape[-1]) > 0, table, np.nan) for table in tensor[0]]


def label(text: str, x: float, y: float, colour: str) -> dict[str, Any]:
    """A text in the middle of a place, given as parts of the figure's width and height."""
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "showarrow": False,
        "xanchor": "center", "yanchor": "middle", "font": {"color": colour, "size": 14},
    }  # fmt: skip


def _hovers(table: np.ndarray, tokens: Sequence[str], text: str) -> list[list[str]]:
    return [
        [
            text.format(query=query, key=key, value=numbers.short(float(value)))
            if np.isfinite(value)
            else ""
            for key, value in zip(tokens, row, strict=True)
        ]
        for query, row in zip(tokens, table, strict=True)
    ]
