"""Random dot products as histograms on one axis, one row of weights, and curves over d_k."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.experiments.scaling import normal_density
from views.figures.chart import QUIET, Figure, bars, chart, lines, upright
from views.figures.palette import PALETTES, Theme
from views.text import numbers
from views.text.spans import in_figure

BINS = 41
DEVIATIONS = 4
HALF = 100  # the end of the axis of scores: three deviations of the widest
TICKS = [-100, -50, 0, 50, 100]
UPPER, LOWER = (0.56, 0.93), (0.0, 0.37)  # parts of a figure's height, each with its title above
MANY_POWERS = 6  # of ten along an axis, from which on only every second has a number
LEGENDS: dict[str, dict[str, Any]] = {
    "rises": {"orientation": "v", "x": 0.02, "y": 1, "yanchor": "top"},
    "falls": {"orientation": "v", "x": 0.02, "y": 0.02, "yanchor": "bottom"},
}
MARGIN = {"l": 8, "r": 8, "t": 8, "b": 8}
STYLES: dict[str, dict[str, Any]] = {
    "raw": {"width": 2},
    "good": {"width": 2},
    "other": {"width": 2, "dash": "dot"},
    "theory": {"width": 1.5, "dash": "dash"},
}


@dataclass(frozen=True)
class Curve:
    """One line over d_k. kind: ``raw``, ``good``, ``other`` or ``theory``, which gives its look.

    is_mean: drawn dashed, beside a median.
    """

    name: str
    values: Sequence[float]
    kind: str
    is_mean: bool = False


def colour(kind: str, theme: Theme) -> str:
    """The colour of raw scores, of those divided by √d_k, and of those divided otherwise."""
    palette = PALETTES[theme]
    return {
        "raw": palette.signed[-1],
        "good": palette.share[2],
        "other": palette.soft,
        "theory": palette.ink,
    }[kind]


@dataclass(frozen=True)
class Scores:
    """One of the histograms. spread: of its normal curve. kind: ``raw``, ``good`` or ``other``."""

    title: str
    values: np.ndarray
    spread: float
    kind: str


def histograms(
    upper: Scores, lower: Scores, theme: Theme, *, x: str, normal: str, measured: str
) -> Figure:
    """Two histograms one above the other on one axis, each a density with its normal curve.

    Each is as high as its panel. normal, measured: names of the curve and of the bars.
    """
    traces = [*_histogram(upper, "y", theme), *_histogram(lower, "y2", theme)]
    traces[1] |= {"name": normal, "showlegend": True}
    traces[0] |= {"name": measured, "showlegend": True}
    bare = {"showticklabels": False, "showgrid": False, "rangemode": "tozero"}
    titles = [
        {
            "text": in_figure(one.title), "showarrow": False, "xref": "paper", "yref": "paper",
            "x": 0, "xanchor": "left", "y": top, "yanchor": "bottom", "align": "left",
            "font": {"color": colour(one.kind, theme), "size": 15},
        }
        for one, (_, top) in ((upper, UPPER), (lower, LOWER))
    ]  # fmt: skip
    return chart(
        traces,
        theme,
        x=x,
        y="",
        height=330,
        bargap=0,
        xaxis={"range": [-HALF, HALF], "tickvals": TICKS, "zeroline": False, "anchor": "y2"},
        yaxis={**bare, "domain": UPPER},
        yaxis2={**bare, "domain": LOWER, "fixedrange": True},
        annotations=titles,
    )


def _histogram(scores: Scores, panel: str, theme: Theme) -> list[dict[str, Any]]:
    """The bars and the normal curve of one panel."""
    ends = DEVIATIONS * scores.spread
    counts, edges = np.histogram(scores.values, bins=BINS, range=(-ends, ends))
    middles = ((edges[:-1] + edges[1:]) / 2).tolist()
    drawn = bars(
        middles, counts / (len(scores.values) * (edges[1] - edges[0])), colour(scores.kind, theme),
        width=float(edges[1] - edges[0]), opacity=0.75, marker={"line": {"width": 0}},
        hover=(numbers.plain(middle) for middle in middles),
    )  # fmt: skip
    x = np.linspace(-ends, ends, 201)
    curve = lines(x, normal_density(x, scores.spread), PALETTES[theme].ink, width=1.5)
    return [one | {"yaxis": panel, "showlegend": False} for one in (drawn, curve)]


def row_bars(weights: np.ndarray, kind: str, theme: Theme, *, x: str) -> Figure:
    """A bar chart of the weights of one row. weights: (key,)."""
    drawn = bars(
        range(1, len(weights) + 1), weights, colour(kind, theme),
        hover=(numbers.plain(weight, 4) for weight in weights.tolist()), before="%{x}: ",
    )  # fmt: skip
    return chart(
        [drawn], theme, x=x, y="", height=170, bargap=0.3, margin=MARGIN, showlegend=False,
        xaxis={**QUIET, "dtick": 1}, yaxis={"range": [0, 1.05], "tickvals": [0, 0.5, 1]},
    )  # fmt: skip


def over_widths(
    widths: Sequence[int],
    curves: Sequence[Curve],
    here: int,
    theme: Theme,
    *,
    top: float,
    bottom: float = 0,
    height: int = 230,
) -> Figure:
    """Lines over d_k, with large points at the current d_k.

    here: the index of the current d_k in widths. bottom, top: the ends of the y axis; logarithmic
    from a bottom above 0, and then there is a legend.
    """
    sizes = [13 if index == here else 4 for index in range(len(widths))]
    traces = [
        lines(
            widths, curve.values, colour(curve.kind, theme), name=curve.name,
            **(STYLES[curve.kind] | ({"dash": "dash"} if curve.is_mean else {})),
            size=None if curve.kind == "theory" else sizes,
            hover=map(numbers.short, curve.values), before=in_figure("d_k") + " = %{x}: ",
        )
        for curve in curves
    ]  # fmt: skip
    yaxis: dict[str, Any] = {"range": [0, top]}
    if bottom:
        powers = np.log10([bottom, top])
        dtick = 1 if powers[1] - powers[0] < MANY_POWERS else 2
        yaxis = {"type": "log", "range": powers.tolist(), "dtick": dtick, "minor": {"dtick": 1}}
        yaxis["exponentformat"] = "power"
    shown = [1, 8, 64, 512, 4096]
    return chart(
        traces,
        theme,
        x="d_k",
        y="",
        height=height,
        margin=MARGIN,
        xaxis={
            "type": "log", "range": [-0.12, np.log10(widths[-1]) + 0.12], "tickvals": shown,
            "ticktext": [str(width) for width in shown], "zeroline": False,
        },
        yaxis={"zeroline": False, **yaxis},
        shapes=[upright(widths[here], theme, dash="solid", width=1)],
        showlegend=bottom > 0,
        legend=LEGENDS["falls" if curves[0].values[-1] < curves[0].values[0] else "rises"],
    )  # fmt: skip
