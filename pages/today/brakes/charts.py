"""A row's scores and weights with and without brakes, the soft cap's curve, and what grows."""

import html
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from views import numbers
from views.figures.axis import shortened
from views.figures.chart import chart
from views.figures.palette import PALETTES, Theme


def colours(theme: Theme) -> dict[str, str]:
    """The colours without brakes and with them."""
    palette = PALETTES[theme]
    return {"free": palette.signed[-1], "braked": palette.share[2]}


def bars(
    values: Mapping[str, np.ndarray], keys: Sequence[str], theme: Theme, *,
    names: Mapping[str, str], bar: str, largest: float | None = None,
) -> go.Figure:  # fmt: skip
    """A pair of bars for each key.

    values: (key,) by ``free`` and ``braked``. bar: with key and value. largest: the end of the
    axis; None if it follows from the values.
    """
    tokens = [html.escape(shortened(key)) for key in keys]
    traces: list[dict[str, Any]] = [
        {
            "type": "bar", "x": list(range(len(keys))), "y": row.tolist(), "name": names[name],
            "marker": {"color": colours(theme)[name]},
            "hovertext": [
                bar.format(key=token, value=numbers.short(float(value)))
                for token, value in zip(tokens, row, strict=True)
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
        for name, row in values.items()
    ]  # fmt: skip
    return chart(
        traces, theme, x="", y="", height=290, barmode="group", bargap=0.25,
        xaxis={
            "showgrid": False, "zeroline": False, "tickvals": list(range(len(keys))),
            "ticktext": tokens, "tickangle": -60,
            "tickfont": {"color": PALETTES[theme].roles["key"]},
        },
        yaxis={} if largest is None else {"range": [0, largest]},
    )  # fmt: skip


def cap_curve(
    scaled: np.ndarray, capped: np.ndarray, cap: float, keys: Sequence[str], theme: Theme, *,
    x: str, y: str, identity: str, name: str,
) -> go.Figure:  # fmt: skip
    """c · tanh(x / c) with a row's scores on it, and the line without a cap."""
    palette = PALETTES[theme]
    end = max(float(np.abs(scaled).max()), 2.0 * cap) * 1.05
    places = np.linspace(-end, end, 161)
    line = {"type": "scatter", "mode": "lines", "hoverinfo": "skip"}
    traces: list[dict[str, Any]] = [
        {
            **line, "x": [-1.3 * cap, 1.3 * cap], "y": [-1.3 * cap, 1.3 * cap], "name": identity,
            "line": {"color": palette.soft, "dash": "dot", "width": 1.5},
        },
        {
            **line, "x": places.tolist(), "y": (cap * np.tanh(places / cap)).tolist(),
            "name": name, "line": {"color": colours(theme)["braked"], "width": 2},
        },
        {
            "type": "scatter", "mode": "markers", "x": scaled.tolist(), "y": capped.tolist(),
            "marker": {"color": palette.accent, "size": 9}, "showlegend": False,
            "hovertext": [
                f"{html.escape(shortened(key))}: {numbers.short(float(a))} → "
                f"{numbers.short(float(b))}"
                for key, a, b in zip(keys, scaled, capped, strict=True)
            ],
            "hovertemplate": "%{hovertext}<extra></extra>",
        },
    ]  # fmt: skip
    return chart(traces, theme, x=x, y=y, height=280)


def over_factor(
    factors: np.ndarray, values: Mapping[str, Sequence[float]], here: float, theme: Theme, *,
    names: Mapping[str, str], x: str, y: str,
) -> go.Figure:  # fmt: skip
    """A measure of the row over the length of the queries, without and with brakes.

    here: the chosen factor, marked.
    """
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter", "mode": "lines", "name": names[name], "x": factors.tolist(),
            "y": list(row), "line": {"color": colours(theme)[name], "width": 2},
            "hovertext": [numbers.short(value) for value in row],
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
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
        shapes=[
            {
                "type": "line", "x0": here, "x1": here, "yref": "paper", "y0": 0, "y1": 1,
                "line": {"color": PALETTES[theme].soft, "dash": "dot", "width": 1.5},
            }
        ],
    )  # fmt: skip
