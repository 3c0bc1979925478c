"""Tables of query by key side by side, one for each head or each variant, on one colour scale."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from views.figures.axis import escaped
from views.figures.chart import QUIET, Figure, chart, heat
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale
from views.text import numbers

GAP = 0.02  # between two tables, as a part of the figure's width
TITLE, LABEL = 24, 13  # pixels above a table, and for the name of a row


def columns(count: int) -> list[tuple[float, float]]:
    """Where each of so many tables begins and ends, as parts of the figure's width."""
    wide = (1 - GAP * (count - 1)) / count
    return [(i * (wide + GAP), i * (wide + GAP) + wide) for i in range(count)]


def head_maps(
    tables: Sequence[np.ndarray], names: Sequence[str], scale: Scale, theme: Theme, *,
    titles: Sequence[str], hover: str, rows: int = 190, **more: Any,
) -> Figure:  # fmt: skip
    """Heatmaps of (query, key), each with a title above; nan for cells that are left empty.

    names: of the tokens, text from the user. hover: of a cell, with ``{query}``, ``{key}`` and
    ``{value}``. rows: pixels of the tables. more: as ``side_by_side`` takes it.
    """
    tokens = [escaped(name) for name in names]
    maps = [
        heat(
            np.where(np.isfinite(table), table, np.nan).tolist(), (scale.low, scale.high),
            scale.stops(theme), gap=1, text=_hovers(table, tokens, hover),
        )
        for table in tables
    ]  # fmt: skip
    font = {"size": LABEL - 1, "color": role_colour("query", theme)}
    return side_by_side(maps, tokens, theme, titles=titles, rows=rows, tickfont=font, **more)


def side_by_side(
    maps: Sequence[dict[str, Any]], names: Sequence[str], theme: Theme, *, titles: Sequence[str],
    rows: int, tickfont: Mapping[str, Any] | None = None, below: int = 0,
    shapes: Sequence[dict[str, Any]] = (), annotations: Sequence[dict[str, Any]] = (),
) -> Figure:  # fmt: skip
    """Heatmaps with a title above each, and names of their rows beside the first.

    rows, below: pixels of the tables, and free below them, where shapes and annotations stand,
    from 0 at the bottom to 1 at the top of the figure.
    """
    height = TITLE + rows + below
    bottom, top = below / height, 1 - TITLE / height
    named = range(0, len(names), math.ceil(LABEL * len(names) / rows))
    ticks = {
        "showticklabels": True, "tickvals": list(named), "ticktext": [names[i] for i in named],
        "tickfont": tickfont or {},
    }  # fmt: skip
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    above = []
    for i, (table, ends) in enumerate(zip(maps, columns(len(maps)), strict=True)):
        axes, trace_axes = panel(i, ends, (bottom, top), **(ticks if i == 0 else {}))
        traces.append(table | trace_axes)
        layout |= axes
        above.append(label(titles[i], sum(ends) / 2, (1 + top) / 2, PALETTES[theme].ink))
    return chart(
        traces, theme, x="", y="", height=height, margin={"l": 0, "r": 2, "t": 0, "b": 2},
        shapes=list(shapes), annotations=[*above, *annotations], **layout,
    )  # fmt: skip


def panel(
    number: int, across: tuple[float, float], down: tuple[float, float], **upright: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The axes of a heatmap that is a part of a figure, with row 0 at the top; and their names.

    number: which part, from 0. across, down: parts of the figure's width and height, the latter
    from the bottom. upright: what the y axis has more.
    """
    axis = str(number + 1) if number else ""
    bare = {
        **QUIET, "showline": False, "ticks": "", "fixedrange": True, "showticklabels": False,
    }  # fmt: skip
    axes = {
        f"xaxis{axis}": {**bare, "domain": across, "anchor": f"y{axis}"},
        f"yaxis{axis}": {
            **bare, "domain": down, "anchor": f"x{axis}", "autorange": "reversed", **upright
        },
    }  # fmt: skip
    return axes, {"xaxis": f"x{axis}", "yaxis": f"y{axis}"}


def causal_tables(tensor: np.ndarray) -> list[np.ndarray]:
    """(batch 1, head, n, n) -> (n, n) of each head, nan where a key comes after the query."""
    return [np.where(np.tri(tensor.shape[-1]) > 0, table, np.nan) for table in tensor[0]]


def label(text: str, x: float, y: float, colour: str) -> dict[str, Any]:
    """A text centred at a point, given as parts of the figure's width and height."""
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
