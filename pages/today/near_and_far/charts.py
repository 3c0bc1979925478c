"""A token's receptive field through layers, weights of all heads, perplexity over the window."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.experiments.near_and_far import reach
from views import numbers
from views.figures.axis import shortened
from views.figures.chart import chart
from views.figures.head_maps import head_maps
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale

ROWS = 165  # pixels of the tables of weights


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


def heads(
    values: np.ndarray, mask: np.ndarray, scale: Scale, names: Sequence[str], theme: Theme, *,
    head: str, cell: str,
) -> go.Figure:  # fmt: skip
    """All heads of a layer, the edge of what a window lets through drawn.

    values: (head, query, key), nan where nothing is drawn. mask: (query, key) bool. head: with
    ``{number}``. cell: with query, key and value.
    """
    count, edge = len(values), edge_of(mask)
    shapes = [
        {
            "type": "path", "path": edge, "xref": f"x{axis}", "yref": f"y{axis}",
            "line": {"color": PALETTES[theme].signed[-1], "width": 1.5},
        }
        for axis in ("", *range(2, count + 1))
        if edge
    ]  # fmt: skip
    return head_maps(
        list(values), names, scale, theme, titles=[head.format(number=i + 1) for i in range(count)],
        hover=cell, rows=ROWS, shapes=shapes,
    )  # fmt: skip


def edge_of(mask: np.ndarray) -> str:
    """The lines between what a causal mask lets through and what it does not, as a path in cells.

    mask: (query, key) bool. Lines at the future are left out.
    """
    n = len(mask)
    beside = ((i, j) for i in range(n) for j in range(i) if mask[i, j] != mask[i, j + 1])
    above = ((i, j) for i in range(1, n) for j in range(i) if mask[i, j] != mask[i - 1, j])
    lines = [
        *(f"M {j + 0.5} {i - 0.5} V {i + 0.5}" for i, j in beside),
        *(f"M {j - 0.5} {i - 0.5} H {j + 0.5}" for i, j in above),
    ]
    return " ".join(lines)


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
