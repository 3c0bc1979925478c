"""The multiply-adds of one head and of many as bars, as Plotly traces."""

from collections.abc import Sequence
from typing import Any

from core.shapes import HeadsCost
from views import numbers
from views.figures.palette import PALETTES, Theme, role_colour


def equal_bars(
    costs: Sequence[HeadsCost], chosen: int, names: Sequence[str], theme: Theme
) -> list[dict[str, Any]]:
    """Stacked bars of the multiply-adds for Q, K and V, attention, and output, by number of heads.

    chosen: the number of heads whose bar is not faded. names: of the three parts.
    """
    share = PALETTES[theme].share[2]
    colours = (role_colour("d_model", theme), share, role_colour("d_k", theme))
    spent = (
        [one.projections for one in costs],
        [one.attention for one in costs],
        [one.output for one in costs],
    )
    return [
        {
            "type": "bar",
            "x": [f"h = {one.heads}" for one in costs],
            "y": part,
            "name": name,
            "marker": {
                "color": colour,
                "opacity": [1 if one.heads == chosen else 0.45 for one in costs],
            },
            "hovertext": [numbers.count(one) for one in part],
            "hovertemplate": "%{x}: %{hovertext}<extra></extra>",
        }
        for part, name, colour in zip(spent, names, colours, strict=True)
    ]
