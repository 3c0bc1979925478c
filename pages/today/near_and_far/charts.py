"""A token's receptive field through layers, weights of all heads, perplexity over the window."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.experiments.near_and_far import reach
from views import numbers
from views.figures.axis import shortened
from views.figures.chart import chart
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale

ROW, GAP, TITLE = 165, 0.018, 36  # of the heads: pixels of a row, part of the width, pixels


def _ticks(names: Sequence[str]) -> dict[str, Any]:
    return {
        "tickvals": list(range(len(names))),
        "ticktext": [html.escape(shortened(name)) for name in names],
    }


def field(
    mask: np.ndarray, query: int, layers: int, names: Sequence[str], theme: Theme, *,
    node: str, levels: Sequence[str],
) -> go.Figure:  # fmt: skip
    """What reaches one token at the top layer: nodes by layer, the paths to it drawn.

    mask: (query, key) bool. node: with ``{token}`` and ``{level}``. levels: their
    names, from the input up.
    """
    palette, n = PALETTES[theme], len(mask)
    one = reach(mask, 1)[0]
    lit = np.zeros((layers + 1, n), bool)  # by level, from the input up
    lit[layers, query] = True
    lit[:layers] = reach(mask, layers)[::-1, query]
    paths_x: list[int | None] = []
    paths_y: list[int | None] = []
    for level in range(layers, 0, -1):
        for i in np.flatnonzero(lit[level]):
            for j in np.flatnonzero(one[i]):
                paths_x += [int(j), int(i), None]
                paths_y += [level - 1, level, None]
    lines = {
        "type": "scatter", "mode": "lines", "x": paths_x, "y": paths_y, "hoverinfo": "skip",
        "line": {"color": role_colour("key", theme), "width": 1}, "opacity": 0.55,
    }  # fmt: skip
    level_of, token_of = np.divmod(np.arange(lit.size), n)
    shown = lit.ravel()
    nodes = {
        "type": "scatter", "mode": "markers", "x": token_of.tolist(), "y": level_of.tolist(),
        "marker": {
            "size": 11,
            "color": [role_colour("query", theme) if on else palette.card for on in shown],
            "line": {
                "width": 1.5,
                "color": [role_colour("query", theme) if on else palette.masked for on in shown],
            },
        },
        "hovertext": [
            node.format(token=html.escape(shortened(names[j])), level=levels[level])
            for level, j in zip(level_of, token_of, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip
    quiet = {"showgrid": False, "zeroline": False}
    return chart(
        [lines, nodes], theme, x="", y="", height=max(330, 52 * (layers + 1)), showlegend=False,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        xaxis={
            **quiet, **_ticks(names), "range": [-0.6, n - 0.4], "tickangle": -60,
            "tickfont": {"color": role_colour("key", theme)},
        },
        yaxis={
            **quiet, "range": [-0.4, layers + 0.4], "tickvals": list(range(layers + 1)),
            "ticktext": list(levels),
        },
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Panel:
    """A row of heads. values: (head, query, key), NaN where nothing is drawn."""

    title: str
    values: np.ndarray
    scale: Scale


def heads(
    panels: Sequence[Panel], mask: np.ndarray, names: Sequence[str], theme: Theme, *,
    head: str, cell: str,
) -> go.Figure:  # fmt: skip
    """All heads of a layer in rows that are compared, the edge of what a window lets through drawn.

    mask: (query, key) bool. head: with ``{number}``. cell: with query, key and value.
    """
    palette, count = PALETTES[theme], panels[0].values.shape[0]
    n, height = len(mask), len(panels) * (ROW + TITLE) + TITLE
    wide = (1 - GAP * (count - 1)) / count
    edge_x, edge_y = edge(mask)
    tokens = [html.escape(shortened(name)) for name in names]
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    notes = []
    for line, panel in enumerate(panels):
        top = 1 - (TITLE + line * (ROW + TITLE) + TITLE) / height
        notes.append(_note(panel.title, 0, top + TITLE / height / 2, palette.ink, "left"))
        stops = panel.scale.stops(theme)
        colours = [[i / (len(stops) - 1), colour] for i, colour in enumerate(stops)]
        for i in range(count):
            number = line * count + i + 1
            axis = "" if number == 1 else str(number)
            left = i * (wide + GAP)
            traces.append(
                {
                    "type": "heatmap", "z": panel.values[i].tolist(), "xaxis": f"x{axis}",
                    "yaxis": f"y{axis}", "zmin": panel.scale.low, "zmax": panel.scale.high,
                    "colorscale": colours, "showscale": False, "xgap": 1, "ygap": 1,
                    "hoverongaps": False, "hovertemplate": "%{text}<extra></extra>",
                    "text": _hovers(panel.values[i], tokens, cell),
                }
            )  # fmt: skip
            traces.append(
                {
                    "type": "scatter", "mode": "lines", "x": edge_x, "y": edge_y,
                    "xaxis": f"x{axis}", "yaxis": f"y{axis}", "hoverinfo": "skip",
                    "showlegend": False,
                    "line": {"color": palette.signed[-1], "width": 1.5, "shape": "linear"},
                }
            )  # fmt: skip
            bare = {"visible": False, "fixedrange": True}
            layout[f"xaxis{axis}"] = {
                **bare, "domain": [left, left + wide], "range": [-0.5, n - 0.5],
                "anchor": f"y{axis}",
            }  # fmt: skip
            layout[f"yaxis{axis}"] = {
                **bare, "domain": [max(0, top - ROW / height), top], "range": [n - 0.5, -0.5],
                "anchor": f"x{axis}",
            }  # fmt: skip
            if line == 0:
                middle = left + wide / 2
                told = head.format(number=i + 1)
                notes.append(
                    _note(told, middle, 1 - TITLE / height / 2, role_colour("head", theme))
                )
    return chart(
        traces, theme, x="", y="", height=height, margin={"l": 0, "r": 0, "t": 0, "b": 0},
        annotations=notes, **layout,
    )  # fmt: skip


def _hovers(values: np.ndarray, tokens: Sequence[str], text: str) -> list[list[str]]:
    """What each cell says; nothing where nothing is drawn."""
    return [
        [
            ""
            if np.isnan(value)
            else text.format(query=q, key=k, value=numbers.short(float(value)))
            for k, value in zip(tokens, row, strict=True)
        ]
        for q, row in zip(tokens, values, strict=True)
    ]


def edge(mask: np.ndarray) -> tuple[list[float | None], list[float | None]]:
    """The lines between what a causal mask lets through and what it does not, in cells.

    mask: (query, key) bool. Lines at the future are left out. Returns x and y, None between lines.
    """
    n = len(mask)
    x: list[float | None] = []
    y: list[float | None] = []
    for i in range(n):
        for j in range(i):
            if mask[i, j] != mask[i, j + 1]:
                x += [j + 0.5, j + 0.5, None]
                y += [i - 0.5, i + 0.5, None]
    for i in range(1, n):
        for j in range(i):
            if mask[i, j] != mask[i - 1, j]:
                x += [j - 0.5, j + 0.5, None]
                y += [i - 0.5, i - 0.5, None]
    return x, y


def _note(text: str, x: float, y: float, colour: str, anchor: str = "center") -> dict[str, Any]:
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "showarrow": False,
        "xanchor": anchor, "yanchor": "middle", "font": {"color": colour, "size": 14},
    }  # fmt: skip


def perplexities(
    windows: Sequence[int], lines: Mapping[str, Sequence[float]], whole: float,
    here: tuple[int, float], theme: Theme, *, names: Mapping[str, str], x: str, y: str,
) -> go.Figure:  # fmt: skip
    """Perplexity over the width of the window, and as trained as a dotted line.

    lines: ``plain`` and ``kept``, with the first token kept. here: the chosen window.
    names: of the lines, and of ``whole`` and ``here``.
    """
    palette = PALETTES[theme]
    highest = max(max(values) for values in lines.values())
    ticks = [digit * 10**power for power in range(6) for digit in (1, 2, 5)]
    ticks = [tick for tick in ticks if tick <= highest * 1.2]
    colours = {"plain": palette.signed[-1], "kept": palette.share[2]}
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines+markers", "name": names[name],
            "x": list(windows), "y": list(values), "line": {"color": colours[name], "width": 2},
            "hovertext": [numbers.short(value) for value in values],
            "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
        }
        for name, values in lines.items()
    ]  # fmt: skip
    traces.append(
        {
            "type": "scatter", "mode": "lines", "name": names["whole"],
            "x": [windows[0], windows[-1]], "y": [whole, whole], "hoverinfo": "skip",
            "line": {"color": palette.soft, "dash": "dot", "width": 1.5},
        }
    )  # fmt: skip
    traces.append(
        {
            "type": "scatter", "mode": "markers", "name": names["here"], "x": [here[0]],
            "y": [here[1]], "marker": {"color": palette.accent, "size": 13},
            "hovertext": [numbers.short(here[1])],
            "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
        }
    )  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=300,
        xaxis={"tickvals": list(windows), "zeroline": False},
        yaxis={
            "type": "log", "zeroline": False, "tickvals": ticks,
            "ticktext": [numbers.bare(tick) for tick in ticks],
        },
    )  # fmt: skip
