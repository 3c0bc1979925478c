"""Charts of one row: its weights as bars, and its entropy over temperature."""

from collections.abc import Sequence

import numpy as np

from views.figures.chart import QUIET, Figure, bars, chart, dotted, lines, marks
from views.figures.palette import PALETTES, Theme
from views.text import numbers

HEIGHT = 250
LABEL = 0.13  # of the axis: how high a bar's number stands, with the gap below it


def weight_bars(
    weights: np.ndarray, keys: Sequence[str], theme: Theme, *, x: str, y: str
) -> Figure:
    """A bar for each weight of a row, with a dotted line at 1 / n.

    Each number is above its bar, or above the line if the line would cross it.
    weights: (key,). keys: their names in the project's own words.
    """
    n = len(keys)
    drawn = bars(
        range(n), weights, PALETTES[theme].share[2], width=0.62,
        hover=(numbers.plain(weight, 4) for weight in weights.tolist()),
    )  # fmt: skip
    labels = {
        "type": "scatter", "mode": "text", "x": list(range(n)),
        "y": [1 / n if weight <= 1 / n < weight + LABEL else weight for weight in weights.tolist()],
        "text": [numbers.plain(weight) for weight in weights.tolist()],
        "textposition": "top center", "cliponaxis": False, "hoverinfo": "skip",
    }  # fmt: skip
    even = dotted([-0.5, n - 0.5], [1 / n, 1 / n], theme)
    return chart(
        [drawn, even, labels], theme, x=x, y=y, height=HEIGHT, showlegend=False,
        xaxis={
            **QUIET, "tickvals": list(range(n)), "ticktext": list(keys), "range": [-0.5, n - 0.5],
            "tickfont": {"color": PALETTES[theme].roles["key"]},
        },
        yaxis={"range": [0, 1.12], "tickvals": [0, 0.5, 1]},
    )  # fmt: skip


def entropy_curve(
    temperatures: np.ndarray,
    entropy: np.ndarray,
    most: float,
    here: tuple[float, float],
    theme: Theme,
    *,
    x: str,
    y: str,
) -> Figure:
    """Entropy over temperature, with its maximum as a dotted line and a marker.

    temperatures, entropy: (point,). here: the current temperature and its entropy.
    """
    palette = PALETTES[theme]
    curve = lines(
        temperatures, entropy, palette.share[2], width=2.5,
        hover=(
            f"{numbers.bare(t, 3)}: {numbers.plain(bits, 3)}"
            for t, bits in zip(temperatures.tolist(), entropy.tolist(), strict=True)
        ),
    )  # fmt: skip
    limit = dotted([temperatures[0], temperatures[-1]], [most, most], theme)
    point = marks(
        [here[0]], [here[1]], palette.accent, 13, mode="markers+text",
        text=[numbers.plain(here[1])], textposition=_beside(here[0], here[1] / most),
        textfont={"size": 15},
    )  # fmt: skip
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
