"""What a step computes and what it reads, the work of every step, and weights with empty rows."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from views import numbers
from views.figures.axis import shortened
from views.figures.chart import chart
from views.figures.head_maps import columns, label
from views.figures.palette import PALETTES, Theme, role_colour

GONE, KEPT, NEW = 0, 1, 2
PARTS = ("Q", "K", "V")
ROWS, TOP = 84, 24  # pixels


@dataclass(frozen=True)
class Names:
    """states: of a part of a token: gone, kept and new. cell: with part, token and state."""

    titles: tuple[str, str]
    states: tuple[str, str, str]
    cell: str


def parts_of_step(n: int, new: int) -> np.ndarray:
    """Whether Q, K and V of each of n tokens are computed now, read, or gone: (3, n).

    new: how many of the tokens are passed in this step, the last ones.
    """
    states = np.full((len(PARTS), n), NEW)
    states[0, : n - new] = GONE
    states[1:, : n - new] = KEPT
    return states


def board(tokens: Sequence[str], new: int, theme: Theme, names: Names) -> go.Figure:
    """Q, K and V of every token, without a cache and with one. tokens: text from the user."""
    palette, n = PALETTES[theme], len(tokens)
    shown = [html.escape(shortened(token)) for token in tokens]
    green = role_colour("key", theme)
    stops = (palette.masked, _mixed(green, palette.card), green)
    scale = [
        [edge, colour]
        for place, colour in enumerate(stops)
        for edge in (place / len(stops), (place + 1) / len(stops))
    ]
    height = TOP + ROWS
    traces, titles = [], []
    layout: dict[str, Any] = {}
    for i, passed in enumerate((n, new)):
        left, right = columns(2)[i]
        states, axis = parts_of_step(n, passed), "" if i == 0 else str(i + 1)
        traces.append(
            {
                "type": "heatmap", "z": states.tolist(), "zmin": -0.5, "zmax": 2.5,
                "colorscale": scale, "showscale": False, "xgap": 2, "ygap": 2,
                "xaxis": f"x{axis}", "yaxis": f"y{axis}",
                "text": [
                    [
                        names.cell.format(part=part, token=token, state=names.states[state])
                        for token, state in zip(shown, row, strict=True)
                    ]
                    for part, row in zip(PARTS, states.tolist(), strict=True)
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )  # fmt: skip
        bare = {"showgrid": False, "zeroline": False, "showline": False, "ticks": ""}
        layout[f"xaxis{axis}"] = {
            **bare, "domain": [left, right], "showticklabels": False, "fixedrange": True,
            "anchor": f"y{axis}",
        }  # fmt: skip
        layout[f"yaxis{axis}"] = {
            **bare, "domain": [0, ROWS / height], "autorange": "reversed", "fixedrange": True,
            "anchor": f"x{axis}", "showticklabels": i == 0, "tickvals": [0, 1, 2],
            "ticktext": [f"<i>{part}</i>" for part in PARTS],
        }  # fmt: skip
        titles.append(label(names.titles[i], (left + right) / 2, 1 - TOP / 2 / height, palette.ink))
    return chart(
        traces, theme, x="", y="", height=height, margin={"l": 0, "r": 2, "t": 0, "b": 2},
        annotations=titles, **layout,
    )  # fmt: skip


def _mixed(colour: str, ground: str) -> str:
    """A colour that is paler by two thirds on this ground."""
    parts = ([int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in (colour, ground))
    return "#" + "".join(
        f"{(own + 2 * behind) // 3:02x}" for own, behind in zip(*parts, strict=True)
    )


def rows_of_step(weights: np.ndarray, n: int) -> np.ndarray:
    """The weights of one head (query, key) as (n, n): nan for queries that are not asked, and for
    keys behind a query."""
    table = np.full((n, n), np.nan)
    table[n - len(weights) :] = weights
    return np.where(np.tri(n) > 0, table, np.nan)


def work(
    without: Sequence[int], cached: Sequence[int], step: int, theme: Theme,
    *, names: tuple[str, str], x: str, y: str, ticks: Sequence[str],
) -> go.Figure:  # fmt: skip
    """The multiply-adds of every step, without a cache and with one; the present step is larger."""
    colours = (PALETTES[theme].signed[-1], role_colour("key", theme))
    traces = [
        {
            "type": "scatter", "mode": "lines+markers", "name": name, "x": list(range(len(spent))),
            "y": list(spent), "line": {"color": colour, "width": 2},
            "marker": {"size": [12 if i == step else 6 for i in range(len(spent))]},
            "hovertext": [numbers.count(one) for one in spent],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
        for name, spent, colour in zip(names, (without, cached), colours, strict=True)
    ]  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=260,
        xaxis={"tickvals": list(range(len(ticks))), "ticktext": list(ticks)},
        yaxis={"rangemode": "tozero"},
    )  # fmt: skip
