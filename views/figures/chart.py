"""Curves and bars of an experiment, in the look of the app."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from views.figures.palette import PALETTES, Theme
from views.spans import in_figure

FONT = (
    '"Source Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Hiragino Sans", '
    "sans-serif"
)


def chart(
    traces: Sequence[dict[str, Any]],
    theme: Theme,
    *,
    x: str,
    y: str,
    height: int = 300,
    **layout: Any,
) -> go.Figure:
    """Plotly traces on the app's ground: no frame, a quiet grid, the legend above.

    x, y: what the axes are called; never a reader's own text. layout: more of Plotly's layout, such
    as ``xaxis={"type": "log"}``, laid over what every chart has.
    """
    palette = PALETTES[theme]
    axis = {
        "gridcolor": palette.line,
        "zerolinecolor": palette.soft,
        "linecolor": palette.soft,
        "fixedrange": True,
        "automargin": True,
    }
    whole: dict[str, Any] = {
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
        given = layout.get(name, {})
        titled = {"text": in_figure(title), **given.get("title", {})}
        whole[name] = {**axis, **given, "title": titled}
    called = [t | ({"name": in_figure(t["name"])} if "name" in t else {}) for t in traces]
    return go.Figure({"data": called, "layout": whole})
