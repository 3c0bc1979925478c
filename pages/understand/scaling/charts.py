"""Random dot products as histograms on one axis, one row of weights, and curves over d_k."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.experiments.scaling import normal_density
from views import numbers
from views.figures.chart import chart
from views.figures.palette import PALETTES, Theme
from views.spans import in_figure

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
) -> go.Figure:
    """Two histograms one above the other on one axis, each a density with its normal curve.

    Each is as high as its panel. normal, measured: names of the curve and of the bars.
    """
    traces = [*_histogram(upper, "y", theme), *_histogram(lower, "y2", theme)]
    traces[1] |= {"name": normal, "showlegend": True}
    traces[0] |= {"name": measured, "showlegend": True}
    upright = {"showticklabels": False, "showgrid": False, "rangemode": "tozero"}
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
        yaxis={**upright, "domain": UPPER},
        yaxis2={**upright, "domain": LOWER, "fixedrange": True},
        annotations=titles,
    )


def _histogram(scores: Scores, panel: str, theme: Theme) -> list[dict[str, Any]]:
    """The bars and the normal curve of one panel."""
    ends = DEVIATIONS * scores.spread
    counts, edges = np.histogram(scores.values, bins=BINS, range=(-ends, ends))
    middles = ((edges[:-1] + edges[1:]) / 2).tolist()
    bars = {
        "type": "bar",
        "x": middles,
        "y": (counts / (len(scores.values) * (edges[1] - edges[0]))).tolist(),
        "width": float(edges[1] - edges[0]),
        "marker": {"color": colour(scores.kind, theme), "line": {"width": 0}},
        "opacity": 0.75,
        "hovertext": [numbers.plain(middle, 2) for middle in middles],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    places = np.linspace(-ends, ends, 201)
    curve = {
        "type": "scatter",
        "mode": "lines",
        "x": places.tolist(),
        "y": normal_density(places, scores.spread).tolist(),
        "line": {"color": PALETTES[theme].ink, "width": 1.5},
        "hoverinfo": "skip",
    }
    return [one | {"yaxis": panel, "showlegend": False} for one in (bars, curve)]


def row_bars(weights: np.ndarray, kind: str, theme: Theme, *, x: str) -> go.Figure:
    """A bar chart of the weights of one row. weights: (key,)."""
    bars = {
        "type": "bar",
        "x": list(range(1, len(weights) + 1)),
        "y": weights.tolist(),
        "marker": {"color": colour(kind, theme)},
        "hovertext": [numbers.plain(weight, 4) for weight in weights.tolist()],
        "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
    }
    return chart(
        [bars],
        theme,
        x=x,
        y="",
        height=170,
        bargap=0.3,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        xaxis={"showgrid": False, "zeroline": False, "dtick": 1},
        yaxis={"range": [0, 1.05], "tickvals": [0, 0.5, 1]},
        showlegend=False,
    )


def over_widths(
    widths: Sequence[int],
    curves: Sequence[Curve],
    here: int,
    theme: Theme,
    *,
    top: float,
    bottom: float = 0,
    height: int = 230,
) -> go.Figure:
    """Lines over d_k, with large points at the current d_k.

    here: the index of the current d_k in widths. bottom, top: the ends of the y axis; logarithmic
    from a bottom above 0, and then there is a legend.
    """
    palette = PALETTES[theme]
    traces: list[dict[str, Any]] = []
    for curve in curves:
        shade = colour(curve.kind, theme)
        style = STYLES[curve.kind] | ({"dash": "dash"} if curve.is_mean else {})
        sizes = [13 if place == here else 4 for place in range(len(widths))]
        traces.append(
            {
                "type": "scatter",
                "name": curve.name,
                "x": list(widths),
                "y": list(curve.values),
                "mode": "lines" if curve.kind == "theory" else "lines+markers",
                "line": {"color": shade, **style},
                "marker": {"size": sizes, "color": shade, "opacity": 1},
                "hovertemplate": in_figure("d_k") + " = %{x}: %{hovertext}<extra></extra>",
                "hovertext": [numbers.short(value) for value in curve.values],
            }
        )
    line = {
        "type": "line", "xref": "x", "yref": "paper", "x0": widths[here], "x1": widths[here],
        "y0": 0, "y1": 1, "line": {"color": palette.soft, "width": 1}, "layer": "below",
    }  # fmt: skip
    upright: dict[str, Any] = {"range": [0, top]}
    if bottom:
        powers = np.log10([bottom, top])
        dtick = 1 if powers[1] - powers[0] < MANY_POWERS else 2
        upright = {"type": "log", "range": powers.tolist(), "dtick": dtick, "minor": {"dtick": 1}}
        upright["exponentformat"] = "power"
    shown = [1, 8, 64, 512, 4096]
    return chart(
        traces,
        theme,
        x="d_k",
        y="",
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        xaxis={
            "type": "log", "range": [-0.12, np.log10(widths[-1]) + 0.12], "tickvals": shown,
            "ticktext": [str(width) for width in shown], "zeroline": False,
        },
        yaxis={"zeroline": False, **upright},
        shapes=[line],
        showlegend=bottom > 0,
        legend=LEGENDS["falls" if curves[0].values[-1] < curves[0].values[0] else "rises"],
    )  # fmt: skip
