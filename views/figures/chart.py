"""Plotly charts in the style of the app, and the lines, marks, bars and heatmaps on them.

x and y of a trace: its points, of which NaN and None are left out. hover: a text for each point,
without which nothing is shown of it; before: what stands before each of them, such as ``%{x}: ``.
more: further properties of a Plotly trace, such as ``name``, which the legend shows.
"""

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

from views.figures.axis import escaped
from views.figures.palette import PALETTES, Theme, role_colour
from views.text.spans import in_figure

FONT = (
    '"Source Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", "Hiragino Sans", '
    "sans-serif"
)
Figure: TypeAlias = go.Figure
QUIET: dict[str, Any] = {"showgrid": False, "zeroline": False}  # an axis without lines of its own


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
) -> Figure:
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
    # Plotly would check every property, for longer than a chart takes; a test does it.
    return Figure({"data": named, "layout": merged}, _validate=False)


def lines(
    x: Any, y: Any, colour: str, *, width: float = 2, dash: str = "solid",
    size: float | Sequence[float] | None = None, hover: Iterable[str] | None = None,
    before: str = "", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A line through points. size: of a mark at each of them in pixels; None for no marks."""
    marked = {} if size is None else {"marker": {"size": size, "opacity": 1}}
    return {
        "type": "scatter", "mode": "lines+markers" if marked else "lines", **_points(x, y),
        "line": {"color": colour, "width": width, "dash": dash}, **marked,
        **_hover(hover, before), **more,
    }  # fmt: skip


def dotted(x: Any, y: Any, theme: Theme, **more: Any) -> dict[str, Any]:
    """A line to compare others with."""
    return lines(x, y, PALETTES[theme].soft, width=1.5, dash="dot", **more)


def marks(
    x: Any, y: Any, colour: str | Sequence[str], size: float, *,
    hover: Iterable[str] | None = None, before: str = "", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Points of this size in pixels. more: ``marker`` adds to its colour and size."""
    marker = {"color": colour, "size": size, **more.pop("marker", {})}
    return {
        "type": "scatter", "mode": "markers", **_points(x, y), "marker": marker,
        **_hover(hover, before), **more,
    }  # fmt: skip


def bars(
    x: Any, y: Any, colour: str, *,
    hover: Iterable[str] | None = None, before: str = "", **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """Bars upon 0. more: ``marker`` adds to their colour."""
    marker = {"color": colour, **more.pop("marker", {})}
    return {
        "type": "bar", **_points(x, y), "marker": marker, **_hover(hover, before), **more
    }  # fmt: skip


def heat(
    table: Any, ends: tuple[float, float], stops: Sequence[Any], hover: str = "%{text}", *,
    gap: int = 0, **more: Any,
) -> dict[str, Any]:  # fmt: skip
    """A table of numbers as colours, from the first of ``stops`` to the last between two ends.

    table: (row, column), NaN for cells that are left empty. stops: colours, evenly apart, or as
    Plotly takes them. gap: pixels between cells. more: ``text`` of each cell, which is what
    ``hover`` shows.
    """
    return {
        "type": "heatmap", "z": table, "zmin": ends[0], "zmax": ends[1],
        "colorscale": colorscale(stops) if isinstance(stops[0], str) else stops,
        "showscale": "colorbar" in more, "xgap": gap, "ygap": gap, "hoverongaps": False,
        "hovertemplate": f"{hover}<extra></extra>", **more,
    }  # fmt: skip


def upright(x: float, theme: Theme, **line: Any) -> dict[str, Any]:
    """A thin line from the bottom of a chart to its top, as one of its shapes."""
    look = {"color": PALETTES[theme].soft, "dash": "dot", "width": 1.5, **line}
    return {
        "type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": look,
        "layer": "below",
    }  # fmt: skip


def token_axis(names: Sequence[str], theme: Theme) -> dict[str, Any]:
    """An x axis with a token at each whole number from 0. names: text from the user."""
    return {
        **QUIET, "tickvals": list(range(len(names))), "ticktext": [escaped(one) for one in names],
        "tickangle": -60, "tickfont": {"color": role_colour("key", theme)},
    }  # fmt: skip


def _points(x: Any, y: Any) -> dict[str, Any]:
    return {"x": np.asarray(x).tolist(), "y": np.asarray(y).tolist()}


def _hover(texts: Iterable[str] | None, before: str) -> dict[str, Any]:
    if texts is None:
        return {"hoverinfo": "skip"}
    return {"hovertext": list(texts), "hovertemplate": f"{before}%{{hovertext}}<extra></extra>"}
