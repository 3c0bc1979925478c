"""Plotly charts in the style of the app."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from views.figures.palette import PALETTES, Theme
from views.spans import in_figure

FONT = (
    '"Source Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Hiragino Sans", '
    "sans-serif"
)


def plotly_script() -> str:
    """Plotly in the browser, for a page that no server gives it."""
    return str(get_plotlyjs())


def colorscale(stops: Sequence[str]) -> list[list[Any]]:
    """Colours from low to high, evenly apart, as Plotly takes them."""
    return [[i / (len(stops) - 1), colour] for i, colour in enumerate(stops)]


def chart(
    traces: Sequence[dict[str, Any]],
    theme: Theme,
    *,
    x: str,
    y: str,
    height: int = 300,
    **layout: Any,
) -> go.Figure:
    """A Plotly figure in the app's style: transparent, a light grid, the legend above.

    traces: as Plotly dicts. x, y: axis titles, never text from the user. layout: further Plotly
    layout, such as ``xaxis={"type": "log"}``, which overrides the style.
    """
    palette = PALETTES[theme]
    axis = {
        "gridcolor": palette.line,
        "zerolinecolor": palette.soft,
        "linecolor": palette.soft,
        "fixedrange": True,
        "automargin": True,
    }
    merged: dict[str, Any] = {
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 30, "b": 8},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"color": palette.ink, "size": 14, "family": FONT},
        "hoverlabel": {"bgcolor": palette.ink, "font": {"color": palette.ground}},
        "legend": {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"},
        "dragmode": False,
        **layout,
    }
    for name, title in (("xaxis", x), ("yaxis", y)):
        own = layout.get(name, {})
        titled = {"text": in_figure(title), **own.get("title", {})}
        merged[name] = {**axis, **own, "title": titled}
    named = [t | ({"name": in_figure(t["name"])} if "name" in t else {}) for t in traces]
    return go.Figure({"data": named, "layout": merged})
