"""The numbers in a cache, drawn to scale; and the perplexity by the size of a latent vector."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from views.figures.axis import escaped
from views.figures.chart import Figure, chart, dotted, heat, lines, marks
from views.figures.head_maps import panel
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale
from views.text import numbers

TITLE, LINE = 34, 11  # pixels above a table, and of a token's row


@dataclass(frozen=True, eq=False)
class Strip:
    """A table of (token, number). role: of its columns, which colours its title."""

    title: str
    values: np.ndarray
    scale: Scale
    role: str


def strips(tables: Sequence[Strip], names: Sequence[str], theme: Theme, *, cell: str) -> Figure:
    """Tables one below the other, every number equally wide. cell: with token, column and value."""
    tokens = [escaped(name) for name in names]
    n, widest = len(names), max(table.values.shape[1] for table in tables)
    high = max(60, LINE * n)
    height = len(tables) * (TITLE + high)
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    notes = []
    for i, table in enumerate(tables):
        columns = table.values.shape[1]
        top = 1 - (i * (TITLE + high) + TITLE) / height
        # Formatted in the browser: there are thousands of them.
        hover = cell.format(token="%{customdata}", column="%{x}", value="%{z:.2f}")
        down = (max(0, top - high / height), top)
        axes, trace_axes = panel(i, (0, columns / widest), down, visible=False)
        layout |= axes
        traces.append(
            heat(
                table.values.tolist(), (table.scale.low, table.scale.high),
                table.scale.stops(theme), hover, x=list(range(1, columns + 1)),
                customdata=[[token] * columns for token in tokens], **trace_axes,
            )
        )  # fmt: skip
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
) -> Figure:  # fmt: skip
    """Perplexity by d_c, and as trained as a dotted line. here: the chosen d_c."""
    palette = PALETTES[theme]
    traces = [
        lines(
            sizes, values, palette.share[2], size=6, name=names["latent"],
            hover=map(numbers.short, values), before="%{x}: ",
        ),
        dotted([sizes[0], sizes[-1]], [whole, whole], theme, name=names["whole"]),
        marks([here[0]], [here[1]], palette.accent, 13, name=names["here"]),
    ]  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=280,
        xaxis={"tickvals": list(sizes), "zeroline": False}, yaxis={"rangemode": "tozero"},
    )  # fmt: skip
