"""Charts of a row with and without limits: scores, weights, the soft cap, measures by factor."""

from collections.abc import Mapping, Sequence

import numpy as np

from views.figures.axis import escaped
from views.figures.chart import Figure, bars, chart, dotted, lines, marks, token_axis, upright
from views.figures.palette import PALETTES, Theme
from views.text import numbers


def colours(theme: Theme) -> dict[str, str]:
    """The colours of a row without limits and with them."""
    palette = PALETTES[theme]
    return {"free": palette.signed[-1], "limited": palette.share[2]}


def row_bars(
    values: Mapping[str, np.ndarray], keys: Sequence[str], theme: Theme, *,
    names: Mapping[str, str], bar: str, largest: float | None = None,
) -> Figure:  # fmt: skip
    """A pair of bars for each key.

    values: (key,) by ``free`` and ``limited``. bar: with key and value. largest: the end of the
    axis; None if it follows from the values.
    """
    axis = token_axis(keys, theme)
    traces = [
        bars(
            range(len(keys)), row, colours(theme)[name], name=names[name],
            hover=(
                bar.format(key=token, value=numbers.short(float(value)))
                for token, value in zip(axis["ticktext"], row, strict=True)
            ),
        )
        for name, row in values.items()
    ]  # fmt: skip
    return chart(
        traces, theme, x="", y="", height=290, barmode="group", bargap=0.25, xaxis=axis,
        yaxis={} if largest is None else {"range": [0, largest]},
    )  # fmt: skip


def cap_curve(
    scaled: np.ndarray, capped: np.ndarray, cap: float, keys: Sequence[str], theme: Theme, *,
    x: str, y: str, identity: str, name: str,
) -> Figure:  # fmt: skip
    """c · tanh(x / c) with a row's scores on it, and the line without a cap."""
    end = max(float(np.abs(scaled).max()), 2.0 * cap) * 1.05
    scores = np.linspace(-end, end, 161)
    traces = [
        dotted([-1.3 * cap, 1.3 * cap], [-1.3 * cap, 1.3 * cap], theme, name=identity),
        lines(scores, cap * np.tanh(scores / cap), colours(theme)["limited"], name=name),
        marks(
            scaled, capped, PALETTES[theme].accent, 9, showlegend=False,
            hover=(
                f"{escaped(key)}: {numbers.short(float(a))} → {numbers.short(float(b))}"
                for key, a, b in zip(keys, scaled, capped, strict=True)
            ),
        ),
    ]  # fmt: skip
    return chart(traces, theme, x=x, y=y, height=280)


def over_factor(
    factors: np.ndarray, values: Mapping[str, Sequence[float]], here: float, theme: Theme, *,
    names: Mapping[str, str], x: str, y: str,
) -> Figure:  # fmt: skip
    """A measure of the row by the factor of the queries, without and with limits.

    here: the chosen factor, marked.
    """
    traces = [
        lines(
            factors, row, colours(theme)[name], name=names[name], hover=map(numbers.short, row)
        )
        for name, row in values.items()
    ]  # fmt: skip
    ticks = [0.25, 0.5, 1, 2, 4, 8, 16, 32]
    return chart(
        traces, theme, x=x, y=y, height=260,
        xaxis={
            "type": "log", "tickvals": ticks, "ticktext": [f"× {tick:g}" for tick in ticks],
            "zeroline": False,
        },
        yaxis={"rangemode": "tozero"},
        shapes=[upright(here, theme)],
    )  # fmt: skip
