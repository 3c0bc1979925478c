"""A Plotly chart of the app as a still SVG, in the colours of both themes.

Only what the app's charts use is known: heatmaps, bars, lines, markers and texts on linear and
logarithmic axes, straight lines, rectangles and annotations.
"""

import base64
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from views.figures.palette import PALETTES, rgb
from views.gallery.axes import Axis, axis_of, places, room_for_labels, width

WIDTH, TOP, RIGHT, BOTTOM, LEGEND = 560, 10, 12, 40, 24  # pixels
SHADES = 64
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}


def _pairs() -> Iterator[tuple[str, str]]:
    light, dark = PALETTES["light"], PALETTES["dark"]
    for name in ("ground", "card", "ink", "soft", "line", "accent", "masked", "hatch"):
        yield getattr(light, name), getattr(dark, name)
    for one, other in ((light.signed, dark.signed), (light.share, dark.share)):
        yield from zip(one, other, strict=True)
    yield from zip(light.roles.values(), dark.roles.values(), strict=True)


DARK = dict(_pairs())  # the dark theme's colour by the light one's


def svg(figure: Mapping[str, Any]) -> str:
    """The chart as an SVG element, as wide as there is room."""
    layout, traces = dict(figure["layout"]), [_plain(trace) for trace in figure["data"]]
    _number_categories(traces, layout)
    _arrange_bars(traces, layout.get("barmode", "overlay"))
    height = float(layout.get("height", 300))
    named = [t for t in traces if t.get("name") and t.get("showlegend") is not False]
    has_legend = len(named) > 1 and layout.get("showlegend") is not False
    top = TOP + (LEGEND if has_legend else 0)
    left = room_for_labels(layout, traces, top, height - BOTTOM)
    area = (left, WIDTH - RIGHT, top, height - BOTTOM)
    drawn: list[str] = []
    axes: dict[tuple[str, str], tuple[Axis, Axis]] = {}
    for trace in traces:
        x, y = str(trace.get("xaxis", "x")), str(trace.get("yaxis", "y"))
        if (x, y) not in axes:
            axes[x, y] = axis_of(layout, x, traces, area), axis_of(layout, y, traces, area)
            drawn.extend(_frame(*axes[x, y]))
    for trace in traces:
        pair = axes[str(trace.get("xaxis", "x")), str(trace.get("yaxis", "y"))]
        drawn.extend(_DRAWN[trace["type"]](trace, *pair))
    first = next(iter(axes.values()), None)
    if first:
        drawn.extend(_added(layout, *first, area))
    if has_legend:
        drawn.append(_legend(named, left))
    return f'<svg class="chart" viewBox="0 0 {WIDTH} {height:g}" role="img">{"".join(drawn)}</svg>'


def _number_categories(traces: Sequence[dict[str, Any]], layout: dict[str, Any]) -> None:
    """Replace texts along an axis by their positions, and let the texts be its ticks."""
    for trace in traces:
        for letter in "xy":
            names = trace.get(letter)
            if not isinstance(names, list) or not any(isinstance(name, str) for name in names):
                continue
            axis = str(trace.get(f"{letter}axis", letter)).replace(letter, f"{letter}axis", 1)
            known = list(dict.fromkeys([*layout.get(axis, {}).get("ticktext", ()), *names]))
            ticks = {"tickvals": list(range(len(known))), "ticktext": known}
            layout[axis] = layout.get(axis, {}) | ticks
            trace[letter] = [known.index(name) for name in names]


def _arrange_bars(traces: Sequence[dict[str, Any]], mode: str) -> None:
    """Put bars at the same places onto one another, or beside one another."""
    bars = [trace for trace in traces if trace["type"] == "bar"]
    if len(bars) < 2:
        return
    below = np.zeros(max(len(bar["y"]) for bar in bars))
    for i, bar in enumerate(bars):
        if mode == "stack":
            bar["base"] = below[: len(bar["y"])].tolist()
            below[: len(bar["y"])] += np.asarray(bar["y"], float)
        elif mode == "group":
            bar["width"] = 0.75 / len(bars)
            shift = (i - (len(bars) - 1) / 2) * 0.75 / len(bars)
            bar["x"] = [place + shift for place in bar["x"]]


def numbers_of(figure: Mapping[str, Any]) -> np.ndarray | None:
    """The largest table of a chart, (row, column), or its longest series as one row."""
    tables = [
        np.atleast_2d(np.asarray(_plain(trace).get("z", _plain(trace).get("y", [])), dtype=float))
        for trace in figure["data"]
        if trace["type"] in ("heatmap", "bar", "scatter")
    ]
    return max(tables, key=lambda table: (len(table) > 1, table.size), default=None)


def _plain(trace: Mapping[str, Any]) -> dict[str, Any]:
    """A trace whose arrays, which may be written in base64, are lists or NumPy arrays."""
    return {key: _array(value) for key, value in trace.items()}


def _array(value: Any) -> Any:
    if not isinstance(value, Mapping) or "bdata" not in value:
        return value
    array = np.frombuffer(base64.b64decode(value["bdata"]), np.dtype(value["dtype"]))
    return array.reshape([int(n) for n in str(value.get("shape", array.size)).split(",")])


def _frame(x: Axis, y: Axis) -> Iterator[str]:
    """Grid, ticks and titles."""
    for axis, other, letter in ((x, y, "x"), (y, x, "y")):
        ink = axis.layout.get("tickfont", {}).get("color", PALETTES["light"].soft)
        start, end = other.pixels
        free = -math.inf  # where the last label ends
        for at, text in axis.ticks():
            line = (
                f"M{at:.1f} {start:.1f}V{end:.1f}"
                if letter == "x"
                else f"M{start:.1f} {at:.1f}H{end:.1f}"
            )
            if axis.layout.get("showgrid") is not False:
                yield f'<path d="{line}" stroke="{_colour(PALETTES["light"].line)}"/>'
            place = (at, max(start, end) + 16) if letter == "x" else (min(start, end) - 6, at + 4)
            if letter == "y":
                yield _text(text, *place, ink, "end")
            elif at - width(text) / 2 > free:
                free = at + width(text) / 2 + 2
                yield _text(text, *place, ink)
        title = (axis.layout.get("title") or {}).get("text", "")
        if title:
            (left, right), (bottom, top) = x.pixels, y.pixels
            ink = PALETTES["light"].ink
            if letter == "x":
                yield _text(title, (left + right) / 2, max(bottom, top) + 33, ink)
            else:
                turned = f'transform="rotate(-90 13 {(top + bottom) / 2:.1f})"'
                yield _text(title, 13, (top + bottom) / 2, ink, "middle", turned)


def _heatmap(trace: Mapping[str, Any], x: Axis, y: Axis) -> Iterator[str]:
    """One path for all cells of a colour, of which there are at most ``SHADES``."""
    table = np.asarray(trace["z"], dtype=float)
    low, high = trace.get("zmin", np.nanmin(table)), trace.get("zmax", np.nanmax(table))
    across, down = places(trace, "x"), places(trace, "y")
    gap = 1 if trace.get("xgap") else 0
    parts = np.clip((table - low) / ((high - low) or 1), 0, 1)
    cells: dict[float, str] = {}
    for i, j in np.argwhere(np.isfinite(parts)):
        left, right = sorted(x.at([across[j] - 0.5, across[j] + 0.5]))
        top, bottom = sorted(y.at([down[i] - 0.5, down[i] + 0.5]))
        wide, tall = right - left - gap, bottom - top - gap
        shade = round(float(parts[i, j]) * SHADES) / SHADES
        cells[shade] = (
            cells.get(shade, "") + f"M{left:.1f} {top:.1f}h{wide:.1f}v{tall:.1f}h{-wide:.1f}z"
        )
    for shade, path in cells.items():
        yield f'<path d="{path}" fill="{_on_scale(trace["colorscale"], shade)}"/>'


def _bars(trace: Mapping[str, Any], x: Axis, y: Axis) -> Iterator[str]:
    wide, fills = trace.get("width") or 0.8, trace["marker"]["color"]
    low = 10.0 ** y.ends[0] if y.layout.get("type") == "log" else 0
    for i, (place, value) in enumerate(zip(trace["x"], trace["y"], strict=True)):
        each = wide[i] if isinstance(wide, list) else wide
        base = trace["base"][i] if "base" in trace else low
        left, right = x.at([place - each / 2, place + each / 2])
        top, bottom = sorted((float(y.at(base + value)), float(y.at(base))))
        fill = fills if isinstance(fills, str) else fills[i]
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" rx="2" '
            f'height="{bottom - top:.1f}" fill="{_colour(fill)}"/>'
        )


def _scatter(trace: Mapping[str, Any], x: Axis, y: Axis) -> Iterator[str]:
    values = np.asarray(trace["y"], dtype=float)
    given = trace.get("x")
    across = x.at(np.arange(len(values)) if given is None else np.asarray(given, float))
    down, mode = y.at(values), str(trace.get("mode", "lines"))
    line, marker = trace.get("line", {}), trace.get("marker", {})
    ink = line.get("color") or marker.get("color") or PALETTES["light"].share[3]
    if "lines" in mode:
        path, pen = "", "M"
        for left, top in zip(across, down, strict=True):
            if not math.isfinite(left) or not math.isfinite(top):
                pen = "M"
                continue
            path += f"{pen}{left:.1f} {top:.1f}"
            pen = "L"
        dash = ' stroke-dasharray="5 4"' if line.get("dash", "solid") != "solid" else ""
        stroke = f'stroke="{_colour(ink)}" stroke-width="{line.get("width", 2)}"{dash}'
        yield f'<path d="{path}" fill="none" {stroke}/>'
    for i, (left, top) in enumerate(zip(across, down, strict=True)):
        if "markers" in mode and math.isfinite(top):
            fills, sizes = marker.get("color", ink), marker.get("size", 6)
            fill = fills if isinstance(fills, str) else fills[i]
            size = sizes if isinstance(sizes, int | float) else sizes[i]
            place = f'cx="{left:.1f}" cy="{top:.1f}" r="{size / 2:.1f}"'
            is_open = str(marker.get("symbol", "")).endswith("-open")
            paint = "none" if is_open else _colour(fill)
            stroke = f' stroke="{_colour(fill)}"' if is_open else ""
            yield f'<circle {place} fill="{paint}"{stroke}/>'
        if "text" in mode:
            where = str(trace.get("textposition", "middle center")).split()
            lift = {"top": -9, "middle": 4, "bottom": 18}[where[0]]
            anchor = {"left": "end", "center": "middle", "right": "start"}[where[-1]]
            colour = trace.get("textfont", {}).get("color", PALETTES["light"].ink)
            ahead = {"end": -9, "start": 9}.get(anchor, 0)
            yield _text(str(trace["text"][i]), left + ahead, top + lift, colour, anchor)


_DRAWN = {"heatmap": _heatmap, "bar": _bars, "scatter": _scatter}


def _added(
    layout: Mapping[str, Any], x: Axis, y: Axis, area: tuple[float, float, float, float]
) -> Iterator[str]:
    """Shapes and annotations."""
    left, right, top, bottom = area

    def across(given: Mapping[str, Any], name: str) -> float:
        value = float(given[name])
        return left + value * (right - left) if given.get("xref") == "paper" else float(x.at(value))

    def down(given: Mapping[str, Any], name: str) -> float:
        value = float(given[name])
        return (
            bottom - value * (bottom - top) if given.get("yref") == "paper" else float(y.at(value))
        )

    for shape in layout.get("shapes", ()):
        if shape["type"] not in ("line", "rect"):
            continue
        (x0, x1), (y0, y1) = (
            [across(shape, name) for name in ("x0", "x1")],
            [down(shape, name) for name in ("y0", "y1")],
        )
        ink = _colour(shape.get("line", {}).get("color", PALETTES["light"].soft))
        fill = _colour(shape.get("fillcolor", "none"))
        path = f"M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" if shape["type"] == "line" else (
            f"M{x0:.1f} {y0:.1f}H{x1:.1f}V{y1:.1f}H{x0:.1f}z"
        )  # fmt: skip
        yield f'<path d="{path}" fill="{fill}" stroke="{ink}"/>'
    for note in layout.get("annotations", ()):
        ink = note.get("font", {}).get("color", PALETTES["light"].ink)
        anchor = _ANCHORS.get(note.get("xanchor", "center"), "middle")
        yield _text(str(note.get("text", "")), across(note, "x"), down(note, "y") + 4, ink, anchor)


def _legend(named: Sequence[Mapping[str, Any]], place: float) -> str:
    drawn = ""
    for trace in named:
        inks = trace.get("line", {}).get("color") or trace.get("marker", {}).get("color", "")
        ink = inks if isinstance(inks, str) else ""
        drawn += f'<rect x="{place:.1f}" y="8" width="14" height="8" rx="2" fill="{_colour(ink)}"/>'
        drawn += _text(str(trace["name"]), place + 19, 16, PALETTES["light"].ink, "start")
        place += 36 + width(str(trace["name"]))
    return drawn


def _text(text: str, x: float, y: float, ink: str, anchor: str = "middle", more: str = "") -> str:
    """A text of Plotly's HTML subset, of which sub- and superscripts are kept."""
    inside = text
    for tag, down in (("sub", 3), ("sup", -5)):
        back = f'<tspan dy="{-down}">\N{ZERO WIDTH SPACE}</tspan>'
        moved = rf'<tspan dy="{down}" font-size="75%">\1</tspan>{back}'
        inside = re.sub(f"<{tag}>(.*?)</{tag}>", moved, inside)
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{_colour(ink)}" {more}>'
        f"{re.sub('</?[bi]>|<br>', '', inside)}</text>"
    )


def _colour(colour: str) -> str:
    """A colour of the light theme as one for both; others as they are."""
    other = DARK.get(colour)
    return f"light-dark({colour}, {other})" if other else escape(colour or "none")


def _on_scale(stops: Sequence[Sequence[Any]], part: float) -> str:
    places = [float(place) for place, _ in stops]
    both = []
    light = [str(colour) for _, colour in stops]
    for theme in (light, [DARK.get(colour, colour) for colour in light]):
        colours = np.array([rgb(colour) for colour in theme])
        mixed = [round(float(np.interp(part, places, colours[:, c]))) for c in range(3)]
        both.append("#{:02x}{:02x}{:02x}".format(*mixed))
    return f"light-dark({both[0]}, {both[1]})"
