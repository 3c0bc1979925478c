"""A token's receptive field through layers, weights of all heads, perplexity over the window."""

from collections.abc import Mapping, Sequence

import numpy as np

from core.experiments.sliding_window import reach
from views.figures.axis import escaped
from views.figures.chart import QUIET, Figure, chart, dotted, lines, marks, token_axis
from views.figures.head_maps import head_maps
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale
from views.text import numbers

ROWS = 165  # pixels of the tables of weights


def field(
    mask: np.ndarray, query: int, layers: int, names: Sequence[str], theme: Theme, *,
    node: str, levels: Sequence[str],
) -> Figure:  # fmt: skip
    """The receptive field of one token of the top layer: nodes by layer, and the paths to it.

    mask: (query, key) bool. node: with ``{token}`` and ``{level}``. levels: their
    names, from the input up.
    """
    palette, n = PALETTES[theme], len(mask)
    one = reach(mask, 1)[0]
    lit = np.zeros((layers + 1, n), bool)  # by level, from the input up
    lit[layers, query] = True
    lit[:layers] = reach(mask, layers)[::-1, query]
    paths_x: list[int | None] = []
    paths_y: list[int | None] = []
    for level in range(layers, 0, -1):
        for i in np.flatnonzero(lit[level]):
            for j in np.flatnonzero(one[i]):
                paths_x += [int(j), int(i), None]
                paths_y += [level - 1, level, None]
    paths = lines(paths_x, paths_y, role_colour("key", theme), width=1, opacity=0.55)
    level_of, token_of = np.divmod(np.arange(lit.size), n)
    query_colour = role_colour("query", theme)
    rings = [query_colour if on else palette.masked for on in lit.ravel()]
    nodes = marks(
        token_of, level_of, [query_colour if on else palette.card for on in lit.ravel()], 11,
        marker={"line": {"width": 1.5, "color": rings}},
        hover=(
            node.format(token=escaped(names[j]), level=levels[level])
            for level, j in zip(level_of, token_of, strict=True)
        ),
    )  # fmt: skip
    return chart(
        [paths, nodes], theme, x="", y="", height=max(330, 52 * (layers + 1)), showlegend=False,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        xaxis={**token_axis(names, theme), "range": [-0.6, n - 0.4]},
        yaxis={
            **QUIET, "range": [-0.4, layers + 0.4], "tickvals": list(range(layers + 1)),
            "ticktext": list(levels),
        },
    )  # fmt: skip


def heads(
    values: np.ndarray, mask: np.ndarray, scale: Scale, names: Sequence[str], theme: Theme, *,
    head: str, cell: str,
) -> Figure:  # fmt: skip
    """Heatmaps of all heads of a layer, with the boundary of the window.

    values: (head, query, key), nan where nothing is drawn. mask: (query, key) bool. head: with
    ``{number}``. cell: with query, key and value.
    """
    count, edge = len(values), edge_of(mask)
    shapes = [
        {
            "type": "path", "path": edge, "xref": f"x{axis}", "yref": f"y{axis}",
            "line": {"color": PALETTES[theme].signed[-1], "width": 1.5},
        }
        for axis in ("", *range(2, count + 1))
        if edge
    ]  # fmt: skip
    return head_maps(
        list(values), names, scale, theme, titles=[head.format(number=i + 1) for i in range(count)],
        hover=cell, rows=ROWS, shapes=shapes,
    )  # fmt: skip


def edge_of(mask: np.ndarray) -> str:
    """The boundary of the cells that a causal mask allows, as an SVG path in units of cells.

    mask: (query, key) bool. Without the boundary to the future.
    """
    n = len(mask)
    beside = ((i, j) for i in range(n) for j in range(i) if mask[i, j] != mask[i, j + 1])
    above = ((i, j) for i in range(1, n) for j in range(i) if mask[i, j] != mask[i - 1, j])
    lines = [
        *(f"M {j + 0.5} {i - 0.5} V {i + 0.5}" for i, j in beside),
        *(f"M {j - 0.5} {i - 0.5} H {j + 0.5}" for i, j in above),
    ]
    return " ".join(lines)


def perplexities(
    windows: Sequence[int], lines_of: Mapping[str, Sequence[float]], whole: float,
    here: tuple[int, float], theme: Theme, *, names: Mapping[str, str], x: str, y: str,
) -> Figure:  # fmt: skip
    """Perplexity over the width of the window, and as trained as a dotted line.

    lines_of: ``plain`` and ``with_first``, with the first token visible to all. here: the
    chosen window. names: of the lines, and of ``whole`` and ``here``.
    """
    palette = PALETTES[theme]
    highest = max(max(values) for values in lines_of.values())
    ticks = [digit * 10**power for power in range(6) for digit in (1, 2, 5)]
    ticks = [tick for tick in ticks if tick <= highest * 1.2]
    colours = {"plain": palette.signed[-1], "with_first": palette.share[2]}
    traces = [
        lines(
            windows, values, colours[name], size=6, name=names[name],
            hover=map(numbers.short, values), before="%{x}: ",
        )
        for name, values in lines_of.items()
    ]  # fmt: skip
    traces += [
        dotted([windows[0], windows[-1]], [whole, whole], theme, name=names["whole"]),
        marks(
            [here[0]], [here[1]], palette.accent, 13, name=names["here"],
            hover=[numbers.short(here[1])], before="%{x}: ",
        ),
    ]  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=300,
        xaxis={"tickvals": list(windows), "zeroline": False},
        yaxis={
            "type": "log", "zeroline": False, "tickvals": ticks,
            "ticktext": [numbers.bare(tick) for tick in ticks],
        },
    )  # fmt: skip
