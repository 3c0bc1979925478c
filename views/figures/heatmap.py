"""One plane as a Plotly heatmap: colours on the stage's scale, numbers where there is room."""

from typing import Any

import numpy as np

from views import numbers
from views.figures.axis import LINE_HEIGHT, NARROWER
from views.figures.palette import (
    BLACK,
    PALETTES,
    WHITE,
    Theme,
    black_reads_better,
    ramp,
)
from views.figures.plane import Plane
from views.figures.scale import Scale

EXACT_OPERAND, EXACT_RESULT = 64 * 64, 128 * 128
NUMBER_WIDTH = 36
SMALLEST_DIGITS, LARGEST_DIGITS = 9, 14
ROOT_STOPS = 15


def traces(
    plane: Plane, scale: Scale, theme: Theme, axes: tuple[str, str], cell: tuple[float, float],
    *, exact: bool, bar: dict[str, Any] | None = None, quiet: np.ndarray | None = None,
    struck: np.ndarray | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """The heatmap of a plane, and a second one for what is masked where anything is.

    axes: the names of the x and y axis. cell: a cell's width and height in pixels.
    exact: send the values themselves up to 128 × 128 cells, to be read off by pointing, instead of
    up to 64 × 64. A larger plane is sent as a byte a cell: the same colours at a quarter of the
    weight.
    bar: the colour bar's options, or None for no bar. quiet: (rows,) True for rows whose numbers
    are not printed because they do not count. struck: (rows, columns) True for cells that are
    masked though their value is finite; −∞ always is.
    """
    values = plane.values.astype(np.float32) if plane.values.dtype == bool else plane.values
    drawn = {
        "type": "heatmap",
        "xaxis": axes[0],
        "yaxis": axes[1],
        "x0": 1,
        "dx": 1,
        "y0": 1,
        "dy": 1,
        "name": plane.stage,
        "showscale": bar is not None,
        "xgap": gap(cell[0]),
        "ygap": gap(cell[1]),
    }
    masked = ~np.isfinite(values) if struck is None else ~np.isfinite(values) | struck
    if values.size > (EXACT_RESULT if exact else EXACT_OPERAND):
        return [drawn | _as_bytes(values, masked, scale, theme, bar)]
    drawn |= {
        "z": np.where(masked, np.nan, values).astype(np.float32),
        "zmin": scale.low,
        "zmax": scale.high,
        "colorscale": _colourscale(scale, theme),
        "colorbar": bar and bar | {"tickvals": scale.ticks},
        "hoverongaps": False,
        "hovertemplate": f"{plane.stage}[%{{y}}, %{{x}}] = %{{z:.6g}}<extra></extra>",
    }
    drawn_traces = [drawn]
    size = _digit_size(plane, cell)
    if size >= SMALLEST_DIGITS:
        drawn_traces = _with_numbers(drawn, plane, masked, scale, theme, quiet, size)
    if not masked.any():
        return drawn_traces
    return [*drawn_traces, _masked(values, masked, drawn, theme, quiet, size)]


def gap(cell: float) -> float:
    """The space between two cells of this size."""
    return 3 if cell >= 24 else 1 if cell >= 8 else 0


def _colourscale(scale: Scale, theme: Theme) -> list[list[Any]]:
    stops = scale.stops(theme)
    if not scale.root:
        last = len(stops) - 1
        return [[i / last, colour] for i, colour in enumerate(stops)]
    colours = ramp(stops)[:: 255 // ROOT_STOPS]
    return [[(i / ROOT_STOPS) ** 2, f"rgb({r},{g},{b})"] for i, (r, g, b) in enumerate(colours)]


def _digit_size(plane: Plane, cell: tuple[float, float]) -> int:
    """The size of digits that fit a cell, in pixels; 0 where it is too small for any."""
    if cell[1] < LINE_HEIGHT + 2 or cell[0] < NUMBER_WIDTH:
        return 0
    longest = max(len(text) for row in _texts(plane) for text in row)
    return min(LARGEST_DIGITS, int((cell[0] * NARROWER - 4) / (0.55 * longest)))


def _with_numbers(
    drawn: dict[str, Any], plane: Plane, masked: np.ndarray, scale: Scale, theme: Theme,
    quiet: np.ndarray | None, size: int,
) -> list[dict[str, Any]]:  # fmt: skip
    """The heatmap in two, black digits and white ones, because a trace has one colour of text."""
    texts = np.array(_texts(plane), dtype=object)
    if quiet is not None:
        texts[quiet] = ""
    in_black = black_reads_better(ramp(scale.stops(theme))[scale.place(plane.values)])
    halves: list[dict[str, Any]] = []
    for part, colour in ((in_black, BLACK), (~in_black, WHITE)):
        if part.any():
            halves.append(
                drawn
                | {
                    "z": np.where(part, drawn["z"], np.nan).astype(np.float32),
                    "text": np.where(part & ~masked, texts, "").tolist(),
                    "texttemplate": "%{text}",
                    "textfont": {"color": colour, "size": size},
                    "showscale": drawn["showscale"] and not halves,
                }
            )
    return halves


def _texts(plane: Plane) -> list[list[str]]:
    if plane.values.dtype == bool:
        return [["✓" if value else "×" for value in row] for row in plane.values]
    if plane.values.dtype.kind in "iu":
        return [[str(value) for value in row] for row in plane.values]
    return [[numbers.plain(float(value), 2) for value in row] for row in plane.values]


def _as_bytes(
    values: np.ndarray, masked: np.ndarray, scale: Scale, theme: Theme, bar: dict[str, Any] | None
) -> dict[str, Any]:
    """Places along the scale, 1 … 255; 0 is masked."""
    places = np.maximum(scale.place(values), 1)
    places[masked] = 0
    grey = PALETTES[theme].masked
    stops = scale.stops(theme)
    first, last = 1 / 255, len(stops) - 1
    colours = [[first + i / last * (1 - first), colour] for i, colour in enumerate(stops)]
    ticks = np.maximum(scale.place(np.array(scale.ticks)), 1).tolist()
    return {
        "z": places,
        "zmin": 0,
        "zmax": 255,
        "colorscale": [[0, grey], [first / 2, grey], [first / 2, stops[0]], *colours],
        "colorbar": bar and bar | {"tickvals": ticks},
        "hoverinfo": "skip",
    }


def _masked(
    values: np.ndarray, masked: np.ndarray, drawn: dict[str, Any], theme: Theme,
    quiet: np.ndarray | None, size: int,
) -> dict[str, Any]:  # fmt: skip
    palette = PALETTES[theme]
    infinite = not np.isfinite(values).all()
    printed = "−∞" if infinite else "0"
    trace = {key: drawn[key] for key in ("type", "xaxis", "yaxis", "x0", "dx", "y0", "dy")}
    trace |= {
        "name": printed,
        "z": np.where(masked, 0, np.nan).astype(np.float32),
        "colorscale": [[0, palette.masked], [1, palette.masked]],
        "showscale": False,
        "xgap": drawn["xgap"],
        "ygap": drawn["ygap"],
        "hoverongaps": False,
        "hovertemplate": f"{drawn['name']}[%{{y}}, %{{x}}] = {printed}<extra></extra>",
    }
    if size >= SMALLEST_DIGITS:
        shown = masked if quiet is None else masked & ~quiet[:, None]
        trace |= {
            "text": np.where(shown, printed, "").tolist(),
            "texttemplate": "%{text}",
            "textfont": {"color": palette.ink, "size": size},
        }
    return trace
