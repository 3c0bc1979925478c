"""Weights of all query heads above the keys and values that they share, and the size of a cache."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core import Stage
from core.experiments.cache_size import CONTEXT, DecoderSizes
from views.figures.chart import Figure, chart, lines
from views.figures.head_maps import TITLE, causal_tables, columns, head_maps, label
from views.figures.palette import Theme, role_colour
from views.figures.scale import Scale
from views.text import numbers

ROWS, BELOW = 170, 52  # pixels of the tables, and of the boxes below them
HEIGHT = TITLE + ROWS + BELOW
BOX, JOINT = 32, 46  # pixels from the bottom: the top of a box, and where its lines begin


@dataclass(frozen=True)
class Names:
    """head and shared: with ``{number}``; weights: of a cell, with query, key and value."""

    head: str
    shared: str
    weights: str


def shared_heads(weights: Stage, kv_heads: int, scale: Scale, theme: Theme, names: Names) -> Figure:
    """The weights (batch 1, head, query, key) of each query head, above boxes of shared K and V."""
    heads, colour = weights.size("head"), role_colour("key", theme)
    group, ends = heads // kv_heads, columns(heads)
    boxes, labels, joints = [], [], []
    for number in range(kv_heads):
        own = range(number * group, (number + 1) * group)
        left, right = ends[own[0]][0], ends[own[-1]][1]
        boxes.append(_shape("rect", (left, right), (0, BOX), colour))
        text = names.shared.format(number=number + 1)
        labels.append(label(text, (left + right) / 2, BOX / 2 / HEIGHT, colour))
        joints += [_shape("line", (sum(ends[i]) / 2,) * 2, (BOX, JOINT), colour) for i in own]
    return head_maps(
        causal_tables(weights.tensor), weights.axis("key").names() or (), scale, theme,
        titles=[names.head.format(number=i + 1) for i in range(heads)], hover=names.weights,
        rows=ROWS, below=BELOW, shapes=[*boxes, *joints], annotations=labels,
    )  # fmt: skip


def changes(before: Stage, after: Stage, scale: Scale, theme: Theme, names: Names) -> Figure:
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
) -> Figure:
    """The bytes of a cache over its tokens. named: the lines, by their number of K and V heads."""
    lengths = [2**i for i in range(10, CONTEXT.bit_length())]
    colours = [role_colour(role, theme) for role in ("head", "key", "query")]
    traces = []
    for (kv_heads, name), colour in zip(named.items(), colours, strict=True):
        held = [sizes.cache_bytes(tokens, kv_heads) for tokens in lengths]
        texts = (
            f"{numbers.count(n)}: {numbers.size(one)}" for n, one in zip(lengths, held, strict=True)
        )
        traces.append(
            lines(lengths, [one / 1e9 for one in held], colour, size=6, name=name, hover=texts)
        )
    ticks = [n for i, n in enumerate(reversed(lengths)) if i % 2 == 0]
    return chart(
        traces, theme, x=x, y=y, height=280,
        xaxis={"type": "log", "tickvals": ticks, "ticktext": [numbers.count(n) for n in ticks]},
        yaxis={"type": "log", "tickvals": [0.01, 0.1, 1, 10, 100],
               "ticktext": ["0.01", "0.1", "1", "10", "100"]},
    )  # fmt: skip
