"""One plane as a Plotly heatmap: colours on the stage's scale, numbers where there is room."""

import html
from typing import Any

import numpy as np

from views import numbers
from views.figures.palette import (
    BLACK,
    PALETTES,
    WHITE,
    Theme,
    black_reads_better,
    ramp,
    role_colour,
)
from views.figures.plane import Plane, Side
from views.figures.scale import Scale

MOST_TICKS = 24
EXACT_OPERAND, EXACT_RESULT = 64 * 64, 128 * 128
NUMBER_WIDTH, NUMBER_HEIGHT = 34, 17


def traces(
    plane: Plane, scale: Scale, theme: Theme, axes: tuple[str, str], cell: tuple[float, float],
    *, exact: bool, bar: dict[str, Any] | None = None, quiet: np.ndarray | None = None,
) -> list[dict[str, Any]]:  # fmt: skip
    """The heatmap of a plane, and a second one for what is masked where anything is.

    axes: the names of the x and y axis. cell: a cell's width and height in pixels.
    exact: send the values themselves up to 128 × 128 cells, to be read off by pointing, instead of
    up to 64 × 64. A larger plane is sent as a byte a cell: the same colours at a quarter of the
    weight.
    bar: the colour bar's options, or None for no bar. quiet: (rows,) True for rows whose numbers
    are not printed because they do not count.
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
        "colorbar": bar,
        "xgap": gap(cell[0]),
        "ygap": gap(cell[1]),
    }
    if values.size > (EXACT_RESULT if exact else EXACT_OPERAND):
        return [drawn | _as_bytes(values, scale, theme)]
    finite = np.isfinite(values)
    drawn |= {
        "z": np.where(finite, values, np.nan).astype(np.float32),
        "zmin": scale.low,
        "zmax": scale.high,
        "colorscale": _colourscale(scale.stops(theme)),
        "hoverongaps": False,
        "hovertemplate": f"{plane.stage}[%{{y}}, %{{x}}] = %{{z:.6g}}<extra></extra>",
    }
    drawn_traces = [drawn]
    if cell[0] >= NUMBER_WIDTH and cell[1] >= NUMBER_HEIGHT:
        drawn_traces = _with_numbers(drawn, plane, scale, theme, quiet)
    if finite.all():
        return drawn_traces
    struck = _masked(values, finite, drawn_traces[0], theme, quiet)
    return [*drawn_traces, struck]


def axis(
    side: Side, domain: tuple[float, float], anchor: str, theme: Theme, *, vertical: bool
) -> dict[str, Any]:
    """A Plotly axis for one side of a plane: whole-number places from 1, escaped names as ticks."""
    size = len(side.names)
    step = max(1, -(-size // MOST_TICKS))
    places = [*range(1, size + 1, step)]
    options: dict[str, Any] = {
        "domain": [round(end, 5) for end in domain],
        "anchor": anchor,
        "tickmode": "array",
        "tickvals": places,
        "ticktext": [html.escape(shortened(side.names[place - 1])) for place in places],
        "tickfont": {"color": role_colour(side.role, theme), "size": 13},
        "range": [size + 0.5, 0.5] if vertical else [0.5, size + 0.5],
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "fixedrange": size <= MOST_TICKS,
    }
    return options | ({} if vertical else {"side": "top", "tickangle": _angle(side, step)})


def gap(cell: float) -> float:
    """The space between two cells of this size."""
    return 3 if cell >= 24 else 1 if cell >= 8 else 0


def shortened(name: str, most: int = 12) -> str:
    """A name that fits beside an axis; where it is cut, an ellipsis says so."""
    return name if len(name) <= most else name[: most - 1] + "…"


def _angle(side: Side, step: int) -> int:
    shown = [shortened(name) for name in side.names[::step]]
    wide = sum(len(name) > 3 for name in shown)
    return -60 if len(shown) > 12 and wide > len(shown) / 8 else 0


def _colourscale(stops: tuple[str, ...]) -> list[list[Any]]:
    last = len(stops) - 1
    return [[i / last, colour] for i, colour in enumerate(stops)]


def _with_numbers(
    drawn: dict[str, Any], plane: Plane, scale: Scale, theme: Theme, quiet: np.ndarray | None
) -> list[dict[str, Any]]:
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
                    "text": np.where(part & np.isfinite(drawn["z"]), texts, "").tolist(),
                    "texttemplate": "%{text}",
                    "textfont": {"color": colour},
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


def _as_bytes(values: np.ndarray, scale: Scale, theme: Theme) -> dict[str, Any]:
    stops = scale.stops(theme)
    places = np.maximum(scale.place(values), 1)
    places[~np.isfinite(values)] = 0
    masked = PALETTES[theme].masked
    first = 1 / 255
    colours = [[first + at * (1 - first), colour] for at, colour in _colourscale(stops)]
    return {
        "z": places,
        "zmin": 0,
        "zmax": 255,
        "colorscale": [[0, masked], [first / 2, masked], [first / 2, stops[0]], *colours],
        "hovertemplate": "%{y}, %{x}<extra></extra>",
    }


def _masked(
    values: np.ndarray,
    finite: np.ndarray,
    drawn: dict[str, Any],
    theme: Theme,
    quiet: np.ndarray | None,
) -> dict[str, Any]:
    palette = PALETTES[theme]
    trace = {key: drawn[key] for key in ("type", "xaxis", "yaxis", "x0", "dx", "y0", "dy")}
    trace |= {
        "name": "−∞",
        "z": np.where(finite, np.nan, 0).astype(np.float32),
        "colorscale": [[0, palette.masked], [1, palette.masked]],
        "showscale": False,
        "xgap": drawn["xgap"],
        "ygap": drawn["ygap"],
        "hoverongaps": False,
        "hovertemplate": f"{drawn['name']}[%{{y}}, %{{x}}] = −∞<extra></extra>",
    }
    if "text" in drawn:
        shown = ~finite if quiet is None else ~finite & ~quiet[:, None]
        trace |= {
            "text": np.where(shown, "−∞", "").tolist(),
            "texttemplate": "%{text}",
            "textfont": {"color": palette.ink},
        }
    return trace
