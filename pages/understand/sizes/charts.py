"""How the cost of attention grows with the number of tokens, as Plotly traces."""

from typing import Any

from core.shapes import attention_cost
from views import numbers
from views.figures.palette import PALETTES, Theme, role_colour

STEPS = tuple(2**power for power in range(1, 18))  # 2 … 131 072 tokens


def growth_lines(
    d_model: int, heads: int, n: int, names: tuple[str, str], theme: Theme
) -> list[dict[str, Any]]:
    """Two lines, of the cost that grows with n and with n², each with a marker at this n.

    names: of the two lines.
    """
    places = sorted({*STEPS, n})
    spent = {place: attention_cost(place, d_model, heads) for place in places}
    linear = {place: one.projections + one.output for place, one in spent.items()}
    squared = {place: one.attention for place, one in spent.items()}
    colours = (role_colour("d_model", theme), PALETTES[theme].share[2])
    return [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "x": places,
            "y": [line[place] for place in places],
            "name": name,
            "line": {"color": colour, "width": 3},
            "marker": {"size": [14 if place == n else 0 for place in places], "opacity": 1},
            "hovertext": [numbers.count(line[place]) for place in places],
            "hovertemplate": "n = %{x}: %{hovertext}<extra></extra>",
        }
        for line, name, colour in zip((linear, squared), names, colours, strict=True)
    ]
