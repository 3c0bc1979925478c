"""What a step computes and what it reads, the work of every step, and weights with empty rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from views.figures.axis import escaped
from views.figures.chart import Figure, chart, heat, lines
from views.figures.head_maps import side_by_side
from views.figures.palette import PALETTES, Theme, role_colour
from views.text import numbers

GONE, KEPT, NEW = 0, 1, 2
PARTS = ("Q", "K", "V")
ROWS = 84  # pixels


@dataclass(frozen=True)
class Names:
    """states: of a part of a token: gone, kept and new. cell: with part, token and state."""

    titles: tuple[str, str]
    states: tuple[str, str, str]
    cell: str


def parts_of_step(n: int, new: int) -> np.ndarray:
    """Whether Q, K and V of each of n tokens are computed now, read, or gone: (3, n).

    new: how many of the tokens are passed in this step, the last ones.
    """
    states = np.full((len(PARTS), n), NEW)
    states[0, : n - new] = GONE
    states[1:, : n - new] = KEPT
    return states


def board(tokens: Sequence[str], new: int, theme: Theme, names: Names) -> Figure:
    """Q, K and V of every token, without a cache and with one. tokens: text from the user."""
    shown, green = [escaped(token) for token in tokens], role_colour("key", theme)
    stops = (PALETTES[theme].masked, _mixed(green, PALETTES[theme].card), green)
    scale = [
        [edge, colour]
        for place, colour in enumerate(stops)
        for edge in (place / len(stops), (place + 1) / len(stops))
    ]
    maps = []
    for passed in (len(tokens), new):
        states = parts_of_step(len(tokens), passed).tolist()
        texts = [
            [
                names.cell.format(part=part, token=token, state=names.states[state])
                for token, state in zip(shown, row, strict=True)
            ]
            for part, row in zip(PARTS, states, strict=True)
        ]
        maps.append(heat(states, (-0.5, 2.5), scale, gap=2, text=texts))
    return side_by_side(
        maps, [f"<i>{part}</i>" for part in PARTS], theme, titles=names.titles, rows=ROWS
    )


def _mixed(colour: str, ground: str) -> str:
    """A colour that is paler by two thirds on this ground."""
    parts = ([int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in (colour, ground))
    return "#" + "".join(
        f"{(own + 2 * behind) // 3:02x}" for own, behind in zip(*parts, strict=True)
    )


def rows_of_step(weights: np.ndarray, n: int) -> np.ndarray:
    """The weights of one head (query, key) as (n, n): nan for queries that are not asked, and for
    keys behind a query."""
    table = np.full((n, n), np.nan)
    table[n - len(weights) :] = weights
    return np.where(np.tri(n) > 0, table, np.nan)


def work(
    without: Sequence[int], cached: Sequence[int], step: int, theme: Theme,
    *, names: tuple[str, str], x: str, y: str, ticks: Sequence[str],
) -> Figure:  # fmt: skip
    """The multiply-adds of every step, without a cache and with one; the present step is larger."""
    colours = (PALETTES[theme].signed[-1], role_colour("key", theme))
    traces = [
        lines(
            range(len(spent)), spent, colour, name=name, hover=map(numbers.count, spent),
            size=[12 if i == step else 6 for i in range(len(spent))],
        )
        for name, spent, colour in zip(names, (without, cached), colours, strict=True)
    ]  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=260,
        xaxis={"tickvals": list(range(len(ticks))), "ticktext": list(ticks)},
        yaxis={"rangemode": "tozero"},
    )  # fmt: skip
