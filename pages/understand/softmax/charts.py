"""Charts of one row: its weights as bars, and its entropy over temperature."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from views import numbers
from views.figures.chart import chart
from views.figures.palette import PALETTES, Theme

HEIGHT = 250
LABEL = 0.13  # of the axis: how high a bar's number stands, with the gap below it


def weight_bars(
    weights: np.ndarray, keys: Sequence[str], theme: Theme, *, x: str, y: str
) -> go.Figure:
    """A bar for each weight of a row, with a dotted line at 1 / n.

    Each number is above its bar, or above the line if the line would cross it.
    weights: (key,). keys: their names in the project's own words.
    """
    palette, n = PALETTES[theme], len(keys)
    bars = {
        "type": "bar",
        "x": list(range(n)),
        "y": weights.tolist(),
        "width": 0.62,
        "marker": {"color": palette.share[2]},
        "hovertext": [numbers.plain(weight, 4) for weight in weights.tolist()],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    labels = {
        "type": "scatter",
        "x": list(range(n)),
        "y": [1 / n if weight <= 1 / n < weight + LABEL else weight for weight in weights.tolist()],
        "mode": "text",
        "text": [numbers.plain(weight, 2) for weight in weights.tolist()],
        "textposition": "top center",
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    even = {
        "type": "scatter",
        "x": [-0.5, n - 0.5],
        "y": [1 / n, 1 / n],
        "mode": "lines",
        "line": {"color": palette.soft, "dash": "dot", "width": 1.5},
        "hoverinfo": "skip",
    }
    ticks = {"tickvals": list(range(n)), "ticktext": list(keys)}
    quiet = {"showgrid": False, "zeroline": False, "range": [-0.5, n - 0.5]}
    return chart(
        [bars, even, labels],
        theme,
        x=x,
        y=y,
        height=HEIGHT,
        xaxis={**ticks, **quiet, "tickfont": {"color": palette.roles["key"]}},
        yaxis={"range": [0, 1.12], "tickvals": [0, 0.5, 1]},
        showlegend=False,
    )


def entropy_curve(
    temperatures: np.ndarray,
    entropy: np.ndarray,
    most: float,
    here: tuple[float, float],
    theme: Theme,
    *,
    x: str,
    y: str,
) -> go.Figure:
    """Entropy over temperature, with its maximum as a dotted line and a marker.

    temperatures, entropy: (point,). here: the current temperature and its entropy.
    """
    palette = PALETTES[theme]
    curve = {
        "type": "scatter",
        "x": temperatures.tolist(),
        "y": entropy.tolist(),
        "mode": "lines",
        "line": {"color": palette.share[2], "width": 2.5},
        "hovertext": [
            f"{numbers.bare(t, 3)}: {numbers.plain(most, 3)}"
            for t, most in zip(temperatures.tolist(), entropy.tolist(), strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    limit = {
        "type": "scatter",
        "x": [temperatures[0], temperatures[-1]],
        "y": [most, most],
        "mode": "lines",
        "line": {"color": palette.soft, "dash": "dot", "width": 1.5},
        "hoverinfo": "skip",
    }
    point = {
        "type": "scatter",
        "x": [here[0]],
        "y": [here[1]],
        "mode": "markers+text",
        "marker": {"color": palette.accent, "size": 13},
        "text": [numbers.plain(here[1], 2)],
        "textposition": _beside(here[0], here[1] / most),
        "textfont": {"size": 15},
        "hoverinfo": "skip",
    }
    ends = np.log10(temperatures[[0, -1]]).tolist()
    return chart(
        [curve, limit, point],
        theme,
        x=x,
        y=y,
        height=HEIGHT,
        xaxis={
            "type": "log",
            "range": [ends[0] - 0.06, ends[1] + 0.06],
            "tickvals": [0.05, 0.2, 1, 5, 20],
            "ticktext": ["0.05", "0.2", "1", "5", "20"],
        },
        yaxis={"range": [-0.08 * most, 1.12 * most]},
        showlegend=False,
    )


def _beside(temperature: float, part: float) -> str:
    """The position of the marker's text at which the curve does not cross it."""
    if part < 0.3:
        return "top left" if temperature > 0.1 else "top right"
    return "bottom right" if temperature < 3 else "bottom left"
