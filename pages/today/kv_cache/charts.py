"""Charts of what a step computes and reads, of the work of all steps, and of its weights."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.experiments.pages import Page
from views.figures.axis import escaped, shortened
from views.figures.chart import QUIET, Figure, chart, heat, lines
from views.figures.head_maps import side_by_side
from views.figures.palette import PALETTES, Theme, role_colour
from views.text import Words, numbers

DISCARDED, CACHED, COMPUTED = 0, 1, 2  # states of Q, K or V of a token
PARTS = ("Q", "K", "V")
ROWS = 84  # pixels
NARROW = 7  # characters of a token in a page


def parts_of_step(n: int, new: int) -> np.ndarray:
    """The state of Q, K and V of each of n tokens: (3, n).

    new: how many of the tokens the step computes, the last ones.
    """
    states = np.full((len(PARTS), n), COMPUTED)
    states[0, : n - new] = DISCARDED
    states[1:, : n - new] = CACHED
    return states


def states_of_step(tokens: Sequence[str], new: int, theme: Theme, texts: Words) -> Figure:
    """Whether Q, K and V of each token are computed, without a cache and with one.

    tokens: text from the user. new: see ``parts_of_step``.
    """
    shown, green = [escaped(token) for token in tokens], role_colour("key", theme)
    stops = (PALETTES[theme].masked, _mixed(green, PALETTES[theme].card), green)
    scale = [
        [edge, colour]
        for i, colour in enumerate(stops)
        for edge in (i / len(stops), (i + 1) / len(stops))
    ]
    maps = []
    for passed in (len(tokens), new):
        states = parts_of_step(len(tokens), passed).tolist()
        hover = [
            [
                texts.cell.format(part=part, token=token, state=texts.states[state])
                for token, state in zip(shown, row, strict=True)
            ]
            for part, row in zip(PARTS, states, strict=True)
        ]
        maps.append(heat(states, (-0.5, 2.5), scale, gap=2, text=hover))
    return side_by_side(
        maps, [f"<i>{part}</i>" for part in PARTS], theme,
        titles=(texts.without, texts.with_cache), rows=ROWS,
    )  # fmt: skip


def _mixed(colour: str, ground: str) -> str:
    """A colour that is paler by two thirds on this ground."""
    parts = ([int(one[i : i + 2], 16) for i in (1, 3, 5)] for one in (colour, ground))
    return "#" + "".join(
        f"{(own + 2 * behind) // 3:02x}" for own, behind in zip(*parts, strict=True)
    )


def rows_of_step(weights: np.ndarray, n: int) -> np.ndarray:
    """The weights of one head (query, key) as (n, n): nan for queries that the step does not
    compute, and for keys after a query."""
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


def memory(
    made: Sequence[Page], of: Sequence[Sequence[str]], size: int, theme: Theme, texts: Words
) -> Figure:
    """The pages of a memory, a row each, with the tokens in them.

    of: the tokens of each text, which come from the user.
    """
    palette = PALETTES[theme]
    colours = [role_colour(role, theme) for role in ("key", "query", "head")]
    stops = (palette.masked, *(_mixed(colour, palette.card) for colour in colours))
    table, names, labels = [], [], []
    for number, page in enumerate(made):
        empty = size - len(page.tokens)
        whose = 1 if page.text is None else 2 + page.text
        tokens = of[page.text or 0]
        table.append([whose] * len(page.tokens) + [0] * empty)
        names.append([escaped(shortened(tokens[i], NARROW)) for i in page.tokens] + [""] * empty)
        labels.append(texts.page_of.format(number=number, whose=texts.texts[whose - 1]))
    scale = [[edge, stop] for i, stop in enumerate(stops) for edge in (i / 4, (i + 1) / 4)]
    cells = heat(
        table, (-0.5, 3.5), scale, gap=2, x=list(range(size)), y=labels, text=names,
        texttemplate="%{text}", textfont={"color": palette.ink, "size": 13},
    )  # fmt: skip
    return chart(
        [cells], theme, x=texts.page_axis, y="", height=84 + 34 * len(made),
        xaxis={**QUIET, "tickvals": list(range(size)),
               "ticktext": [str(slot + 1) for slot in range(size)]},
        yaxis={**QUIET, "autorange": "reversed"},
    )  # fmt: skip


def bits(
    of: Sequence[int], apart: Mapping[str, Sequence[float]], theme: Theme, texts: Words
) -> Figure:
    """The largest difference of log p by the bits of a number, for each way to round."""
    colours = (PALETTES[theme].signed[-1], role_colour("key", theme))
    at = list(range(len(of)))
    traces = [
        lines(
            at, values, colour, size=7, name=texts.rounded_by[name],
            hover=map(numbers.short, values),
        )
        for (name, values), colour in zip(apart.items(), colours, strict=True)
    ]  # fmt: skip
    return chart(
        traces, theme, x=texts.bits_axis, y=texts.apart_axis, height=260,
        xaxis={"tickvals": at, "ticktext": list(map(str, of)), "zeroline": False},
        yaxis={"rangemode": "tozero"},
    )  # fmt: skip
