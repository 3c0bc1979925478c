"""Charts of the influence of each word on each step: a triangular heatmap, and its last row."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from views.figures.axis import axis, escaped
from views.figures.chart import Figure, chart, heat, lines
from views.figures.palette import PALETTES, Theme
from views.figures.plane import Side
from views.text import numbers

MOST, NEVER = 6, 1e-300  # the exponent, up or down, at which colours end; 0 on a log axis
WIDTH = 230  # of a triangle in pixels, about
DASHES = ("solid", "dash")
TITLE = {"font": {"size": 13}, "standoff": 18}


def exponents(*triangles: np.ndarray) -> tuple[int, int]:
    """The exponents of ten at the two ends of a common colour scale, at least −2 … 0.

    The upper one is rounded to the nearest: values up to √10 times larger have its colour.
    """
    parts = np.concatenate([t[np.tril_indices(len(t))] for t in triangles])
    logs = np.log10(np.maximum(parts, NEVER))
    high = min(MOST, max(0, math.ceil(float(logs.max()) - 0.5)))
    return min(-2, max(-MOST, math.floor(float(logs.min())))), high


def triangle(
    lengths: np.ndarray, names: Sequence[str], ends: tuple[int, int], theme: Theme,
    *, x: str, y: str, height: int,
) -> Figure:  # fmt: skip
    """A heatmap of log₁₀ ‖∂(row)/∂(column)‖ between two exponents.

    lengths: (step, word); cells above the diagonal are not drawn.
    """
    n, (low, high) = len(lengths), ends
    below = np.tril(np.ones((n, n), dtype=bool))
    logs = np.log10(np.maximum(lengths, NEVER))
    labels = [[numbers.short(float(value)) for value in row] for row in lengths]
    called = [escaped(name) for name in names]
    pairs = [
        [f"{j + 1} {called[j]} → {i + 1} {called[i]}: {labels[i][j]}" for j in range(n)]
        for i in range(n)
    ]
    ticks = [*range(high, low, -max(1, math.ceil((high - low) / 4))), low]
    drawn = heat(
        np.where(below, np.clip(logs, low, high), np.nan).astype(np.float32), ends,
        PALETTES[theme].share, x0=1, y0=1, gap=2 if n <= 24 else 0, text=pairs, showscale=n > 1,
        colorbar={
            "thickness": 9, "x": 1, "xanchor": "right", "y": 1, "yanchor": "top", "len": 0.52,
            "outlinewidth": 0, "tickvals": ticks,
            "ticktext": [_end(tick, ends) + power(tick) for tick in ticks],
        },
    )  # fmt: skip
    sides = {
        name: axis(Side(role, tuple(names), True), (0, 1), other, theme, WIDTH / n, vertical=down)
        for name, role, other, down in (
            ("xaxis", "key", "y", False), ("yaxis", "query", "x", True),
        )
    }  # fmt: skip
    sides["xaxis"] |= {"side": "bottom", "ticklabeloverflow": "allow"}
    for side in sides.values():
        side["title"] = TITLE
    margin = {"l": 0, "r": 0, "t": 6, "b": 0}
    return chart([drawn], theme, x=x, y=y, height=height, margin=margin, **sides)


def influence_by_distance(
    curves: Mapping[str, np.ndarray], names: Sequence[str], theme: Theme,
    *, x: str, y: str, height: int,
) -> Figure:  # fmt: skip
    """Curves of influence by distance from the last word.

    curves: by name, (word,) in the order of the words.
    """
    palette = PALETTES[theme]
    n = len(names)
    words = [escaped(name) for name in reversed(names)]
    drawn = []
    for (name, lengths), colour, dash in zip(
        curves.items(), (palette.signed[-1], palette.share[3]), DASHES, strict=True
    ):
        back = lengths[::-1]
        texts = (
            f"{word}: {numbers.short(float(value))}"
            for word, value in zip(words, back, strict=True)
        )
        drawn.append(
            lines(
                range(n), np.maximum(back, NEVER), colour, width=2.5, dash=dash, name=name,
                size=7 if n <= 24 else 4, hover=texts, before="%{x} · ",
            )
        )  # fmt: skip
    logs = [math.log10(float(max(value, NEVER))) for part in curves.values() for value in part]
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    ticks = range(low, high + 1, max(1, math.ceil((high - low) / 6)))
    vertical = {
        "type": "log",
        "title": TITLE,
        "tickvals": [10.0**tick for tick in ticks],
        "ticktext": [power(tick) for tick in ticks],
    }
    margin = {"l": 0, "r": 8, "t": 30, "b": 0}
    return chart(
        drawn, theme, x=x, y=y, height=height, margin=margin,
        xaxis={"title": TITLE, "range": [-0.4, n - 0.6], "dtick": math.ceil(n / 8)},
        yaxis=vertical,
    )  # fmt: skip


def power(exponent: int) -> str:
    """A power of ten as text: ``10⁻³``, and ``1`` for 10⁰."""
    return "1" if exponent == 0 else "10" + str(exponent).translate(numbers.SUPERSCRIPT)


def _end(tick: int, ends: tuple[int, int]) -> str:
    return "≤ " if tick == ends[0] else "≥ " if tick == ends[1] else ""
