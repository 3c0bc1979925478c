"""One side of a plane as a Plotly axis, with labels that do not overlap."""

import html
from functools import lru_cache
from typing import Any

from views.figures.palette import Theme, role_colour
from views.figures.plane import Side
from views.text.spans import ISOLATES, isolated

LABEL, LINE_HEIGHT = 13, 15
ZOOM = 24
NARROWER = 0.86  # the scale at which a figure is drawn in a narrow window


def axis(
    side: Side, domain: tuple[float, float], anchor: str, theme: Theme, cell: float,
    *, vertical: bool,
) -> dict[str, Any]:  # fmt: skip
    """A Plotly axis for one side of a plane: integer positions from 1, escaped labels as ticks.

    domain: its part of the figure, 0 … 1. anchor: the other axis, such as ``y``. cell: pixels per
    position; if they are few, labels are slanted or thinned out.
    """
    size = len(side.names)
    slanted, step = label_layout(side, cell) if not vertical else (False, _step(LINE_HEIGHT / cell))
    positions = [*range(1, size + 1, step)]
    options: dict[str, Any] = {
        "domain": [round(end, 5) for end in domain],
        "anchor": anchor,
        "tickmode": "array",
        "tickvals": positions,
        "ticktext": [escaped(side.names[position - 1]) for position in positions],
        "tickfont": {"color": role_colour(side.role, theme), "size": LABEL},
        "range": [size + 0.5, 0.5] if vertical else [0.5, size + 0.5],
        "showgrid": False,
        "zeroline": False,
        "ticks": "",
        "fixedrange": size <= ZOOM,
    }
    return options | ({} if vertical else {"side": "top", "tickangle": -60 if slanted else 0})


def label_layout(side: Side, cell: float) -> tuple[bool, int]:
    """Whether column labels are slanted, and the step between those shown, so that none overlap."""
    upright = _step((widest(side.names) + 6) / cell)
    if upright == 1 or side.counted:
        return False, upright
    return True, _step(LINE_HEIGHT / cell)


def text_width(text: str) -> float:
    """The approximate width of a label in pixels; a Chinese character is twice as wide as Latin."""
    visible = (c for c in text if c not in ISOLATES)
    return LABEL * sum(1.0 if ord(c) > 0x2E80 else 0.56 for c in visible)


@lru_cache(maxsize=64)
def widest(names: tuple[str, ...]) -> float:
    """The approximate width of the widest of these labels, in pixels."""
    return max(text_width(shortened(name)) for name in names)


def shortened(name: str, most: int = 12) -> str:
    """A name of at most this many characters, cut with an ellipsis, isolated for a sentence."""
    return isolated(name if len(name) <= most else name[: most - 1] + "…")


def escaped(name: str) -> str:
    """A shortened name of which Plotly renders nothing as markup."""
    return html.escape(shortened(name))


def _step(least: float) -> int:
    """The first of 1, 2, 5, 10, 20 … that is not smaller."""
    steps = (digit * 10**power for power in range(6) for digit in (1, 2, 5))
    return next(step for step in steps if step >= least)
