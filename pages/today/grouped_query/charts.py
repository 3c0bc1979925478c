"""Weights of all query heads above the keys and values that they share, and the size of a cache."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core import Stage
from core.experiments.cache_size import CONTEXT, DecoderSizes
from views import numbers
from views.figures.chart import chart
from views.figures.head_maps import TITLE, causal_tables, columns, head_maps, label
from views.figures.palette import Theme, role_colour
from views.figures.scale import Scale

ROWS, BELOW = 170, 52  # pixels of the tables, and of the boxes below them
HEIGHT = TITLE + ROWS + BELOW
BOX, JOINT = 32, 46  # pixels from the bottom: the top of a box, and where its lines begin


@dataclass(frozen=True)
class Names:
    """head and shared: with ``{number}``; weights: of a cell, with query, key and value."""

    head: str
    shared: str
    weights: str


def shared_heads(
    weights: Stage, kv_heads: int, scale: Scale, theme: Theme, names: Names
) -> go.Figure:
    """The weights (batch 1, head, query, key) of each query head, above boxes of shared K and V."""
    heads, colour = weights.size("head"), role_colour("key", theme)
    group, ends = heads // kv_heads, columns(heads)
    boxes, labels, lines = [], [], []
    for number in range(kv_heads):
        own = range(number * group, (number + 1) * group)
        left, right = ends[own[0]][0], ends[own[-1]][1]
        boxes.append(_shape("rect", (left, right), (0, BOX), colour))
        text = names.shared.format(number=number + 1)
        labels.append(label(text, (left + right) / 2, BOX / 2 / HEIGHT, colour))
        lines += [_shape("line", (sum(ends[i]) / 2,) * 2, (BOX, JOINT), colour) for i in own]
    return head_maps(
        causal_tables(weights.tensor), weights.axis("key").names() or (), scale, theme,
        titles=[names.head.format(number=i + 1) for i in range(heads)], hover=names.weights,
        rows=ROWS, below=BELOW, shapes=[*boxes, *lines], annotations=labels,
    )  # fmt: skip


def changes(before: Stage, after: Stage, scale: Scale, theme: Theme, names: Names) -> go.Figure:
    """The difference of the weights of each head, after − before."""
    heads = before.size("head")
    return head_maps(
        causal_tables(after.tensor - before.tensor), before.axis("key").names() or (), scale, theme,
        titles=[names.head.format(number=i + 1) for i in range(heads)], hover=names.weights,
        rows=ROWS,
    )  # fmt: skip


def _shape(kind: str, x: tuple[float, float], y: tuple[int, int], colour: str) -> dict[str, Any]:
    return {
        "type": kind, "xref": "paper", "yref": "paper", "x0": x[0], "x1": x[1],
        "y0": y[0] / HEIGHT, "y1": y[1] / HEIGHT, "line": {"color": colour, "width": 2},
    }  # fmt: skip


def cache_by_length(
    sizes: DecoderSizes, named: Mapping[int, str], theme: Theme, *, x: str, y: str
) -> go.Figure:
    """The bytes of a cache over its tokens. named: the lines, by their number of K and V heads."""
    lengths = [2**i for i in range(10, CONTEXT.bit_length())]
    colours = [role_colour(role, theme) for role in ("head", "key", "query")]
    traces = []
    for (kv_heads, name), colour in zip(named.items(), colours, strict=True):
        bytes_held = [sizes.cache_bytes(tokens, kv_heads) for tokens in lengths]
        traces.append(
            {
                "type": "scatter", "mode": "lines+markers", "name": name, "x": lengths,
                "y": [held / 1e9 for held in bytes_held], "line": {"color": colour, "width": 2},
                "hovertext": [
                    f"{numbers.count(n)}: {numbers.size(held)}"
                    for n, held in zip(lengths, bytes_held, strict=True)
                ],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )  # fmt: skip
    ticks = [n for i, n in enumerate(reversed(lengths)) if i % 2 == 0]
    return chart(
        traces, theme, x=x, y=y, height=280,
        xaxis={"type": "log", "tickvals": ticks, "ticktext": [numbers.count(n) for n in ticks]},
        yaxis={"type": "log", "tickvals": [0.01, 0.1, 1, 10, 100],
               "ticktext": ["0.01", "0.1", "1", "10", "100"]},
    )  # fmt: skip
