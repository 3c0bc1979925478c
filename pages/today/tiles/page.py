from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import tiles
from core.experiments.tiles import Tile, merged, split, tiled_gradients
from pages.today.tiles import costs
from pages.today.tiles.controls import (
    LARGER,
    Tiled,
    largest_difference,
    of_head,
    passes,
    tiles_input,
)
from views import link
from views.figures.axis import shortened
from views.figures.chart import QUIET, Figure, bars, chart, marks
from views.figures.palette import PALETTES, Theme
from views.figures.scale import Scale, scale_of
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.selection import Selection, choose_token
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.choice import row_input
from views.widgets.decoder_input import first_reading
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer

PARTS = 3  # of the keys, in split-K
NARROW = 7  # characters of a token above a column


def one_block(tiled: Tiled, trace: Trace, selection: Selection, texts: Words) -> None:
    """Draw the tiles of the chosen query's block, and what the chosen tile does to m, l and O."""
    heading(texts.claim)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        head, query = row_input(trace, selection, texts.query, texts.head)
        steps = passes(trace, tiled, head, tiled.block(query))
        at = min(st.session_state["tile"], len(steps)) - 1
        _buttons(at, len(steps), texts)
    names = [shortened(name, NARROW) for name in tiled.reading.encoding.tokens]
    row = query - steps[at].queries.start
    left, right = st.columns([3, 1], gap="medium")
    with left:
        _scores(trace, steps, at, names, texts)
        line = _step_says(steps, at, row, query, tiled, texts)
        prose([line, *_sums(steps[at], row, texts)], "step")
    with right:
        _order(tiled, steps[at], texts)
    final = trace["head_output"].tensor[0, head, query]
    figure = output_chart(
        steps[at].output[row], final, theme(), names=(texts.so_far, texts.plain),
        x=texts.output_axis,
    )  # fmt: skip
    title = texts.output.format(tile=at + 1, tiles=len(steps))
    st.caption(mathematics(title))
    show_chart(figure, key="output", alt=title)
    _history(steps[: at + 1], row, trace["masked"].tensor[0, head, query], final, texts)
    ends = texts.done if at + 1 == len(steps) else texts.ongoing
    apart = numbers.short(largest_difference(trace, tiled))
    prose([spans(ends, difference=apart, left=str(len(steps) - at - 1))], key="done")


def _buttons(at: int, count: int, texts: Words) -> None:
    """Draw the buttons for the tile before and the tile after, and the number of the tile."""
    st.button(
        "◀", key="tile_back", help=texts.previous, disabled=at == 0,
        on_click=link.set_value, args=("tile", at),
    )  # fmt: skip
    st.button(
        "▶", key="tile_on", help=texts.next, disabled=at + 1 == count, type="primary",
        on_click=link.set_value, args=("tile", at + 2),
    )  # fmt: skip
    st.caption(plain(texts.of_tiles.format(tile=at + 1, tiles=count)))


def _scores(
    trace: Trace, steps: Sequence[Tile], at: int, names: Sequence[str], texts: Words
) -> None:
    """Each tile's scores; what has not been read yet is covered."""
    scale = scale_of(trace, "scaled")
    drawn = [
        Grid(
            texts.tile.format(tile=number + 1), tile.scores, scale,
            names[tile.queries] if number == 0 else (), names[tile.keys],
            is_masked=np.isneginf(tile.scores) if number <= at else None,
            marked=np.full(tile.scores.shape, number == at),
            covered=np.full(tile.scores.shape, number > at), small=True,
        )
        for number, tile in enumerate(steps)
    ]  # fmt: skip
    grids(drawn, key="scores", on_click=lambda grid, _, __: link.set_value("tile", grid + 1))


def _order(tiled: Tiled, here: Tile, texts: Words) -> None:
    """The map of all tiles in the order in which they are computed; those of the future hatched."""
    own, across, needed = tiled.needed()
    marked = np.zeros(needed.shape, bool)
    marked[own.index(here.queries), across.index(here.keys)] = True
    note = texts.order_note.format(left=int((~needed).sum()), all=needed.size)
    grid = replace(_numbered(tiled, texts.order, by_keys=False), marked=marked, note=note)

    def chosen(_: int, row: int, column: int) -> None:
        if needed[row, column]:
            choose_token(own[row].stop - 1)
            link.set_value("tile", column + 1)

    grids([grid], key="order", on_click=chosen)


def _numbered(tiled: Tiled, title: str, *, by_keys: bool) -> Grid:
    """All tiles with their numbers, block of queries by block, or tile of keys by tile."""
    own, across, needed = tiled.needed()
    counted = needed.T.cumsum().reshape(needed.T.shape).T if by_keys else needed.cumsum()
    order = np.where(needed, counted.reshape(needed.shape), np.inf)
    return Grid(
        title, order, Scale("number", 0, 1), [_range(block) for block in own],
        [_range(block) for block in across], is_masked=~needed, digits=0, small=True,
    )  # fmt: skip


def again(tiled: Tiled, trace: Trace, head: int, texts: Words) -> None:
    """Draw the order of the tiles backwards, and what is kept for it."""
    heading(texts.again)
    n = len(tiled.reading.encoding.ids)
    given = of_head(trace, head)
    gradient = np.ones_like(given[2])  # of every number of the output
    in_tiles = tiled_gradients(*given, gradient, tiled.rows, tiled.columns, causal=True)
    at_once = tiled_gradients(*given, gradient, n, n, causal=True)
    apart = max(float(np.abs(a - b).max()) for a, b in zip(in_tiles, at_once, strict=True))
    line = spans(texts.again_is, n=str(n), weights=str(n * n), difference=numbers.short(apart))
    prose([line], key="again")
    drawn = [
        _numbered(tiled, title, by_keys=by_keys)
        for title, by_keys in ((texts.forwards, False), (texts.backwards, True))
    ]
    grids(drawn, key="again_order")


def in_parts(tiled: Tiled, trace: Trace, head: int, query: int, texts: Words) -> None:
    """Draw the keys of one query in parts, each with its m and l, and what each brings."""
    heading(texts.in_parts)
    Q, K, V = of_head(trace, head)
    found = split(Q[query], K[: query + 1], V[: query + 1], PARTS)
    shares, output = merged(found)
    names = [shortened(name, NARROW) for name in tiled.reading.encoding.tokens]
    final = trace["head_output"].tensor[0, head, query]
    apart = numbers.short(float(np.abs(output - final).max()))
    prose([spans(texts.in_parts_is, token=(names[query], "query"), difference=apart)], "in_parts")
    size, scale = len(found[0].scores[0]), scale_of(trace, "scaled")
    drawn = [
        Grid(
            texts.part.format(part=number + 1), part.scores, scale,
            names[query : query + 1] if number == 0 else (),
            names[number * size : number * size + part.scores.shape[1]], small=True,
        )
        for number, part in enumerate(found)
    ]  # fmt: skip
    grids(drawn, key="parts")
    largest = max(float(part.m[0]) for part in found)
    rows = [
        [
            texts.part.format(part=number + 1),
            *(plain(numbers.short(value)) for value in (
                float(part.m[0]), float(part.l[0]), float(np.exp(part.m[0] - largest)),
            )),
            numbers.per_cent(float(share)),
        ]
        for number, (part, share) in enumerate(zip(found, shares, strict=True))
    ]  # fmt: skip
    table(texts.part_columns, rows)


def _range(block: slice) -> str:
    """The tokens of a block, counted from 1."""
    first, last = block.start + 1, block.stop
    return str(first) if first == last else f"{first}–{last}"


def _step_says(
    steps: Sequence[Tile], at: int, row: int, query: int, tiled: Tiled, texts: Words
) -> list[Span]:
    tile, token = steps[at], tiled.reading.encoding.tokens[query]
    if np.isneginf(tile.m_before[row]):
        kind = "first"
    else:
        kind = "larger" if tile.m[row] > tile.m_before[row] else "smaller"
    return spans(
        texts.step_says[kind],
        tile=str(at + 1),
        token=(token, "query"),
        largest=numbers.short(float(tile.largest[row])),
        before=numbers.short(float(tile.m_before[row])),
        factor=numbers.short(float(tile.factor[row])),
    )


def _sums(tile: Tile, row: int, texts: Words) -> list[list[Span]]:
    """The equations of m, l and the first number of O of a query, with the numbers of the tile."""
    value = {
        name: float(getattr(tile, name)[row])
        for name in ("largest", "m_before", "m", "factor", "added", "l_before", "l")
    }
    before, now = float(tile.O_before[row, 0]), float(tile.O[row, 0])
    brought = now - value["factor"] * before
    printed = {name: numbers.short(number) for name, number in value.items()}
    power = f"{printed['m_before']} − {numbers.bracketed(printed['m'])}"
    return [
        spans(texts.total["m"], **printed),
        spans(
            texts.total["factor"], exponent=(texts.exponent, "sup"), power=(power, "sup"),
            factor=printed["factor"],
        ),
        spans(texts.total["l"], scores=("S − m", "sup"), **printed),
        spans(
            texts.total["O"], O=numbers.short(now), factor=printed["factor"],
            O_before=numbers.bracketed(numbers.short(before)),
            brought=numbers.bracketed(numbers.short(brought)),
            output=numbers.short(float(tile.output[row, 0])), l=printed["l"],
        ),
    ]  # fmt: skip


def _history(
    steps: Sequence[Tile], row: int, masked: np.ndarray, final: np.ndarray, texts: Words
) -> None:
    """A row for each tile so far, and one of plain softmax over the whole row.

    The factor is bold where a larger score came. masked: (key,). final: (d_v,), of plain attention.
    """
    rows = []
    for number, tile in enumerate(steps):
        is_first = tile.l_before[row] == 0
        factor = "–" if is_first else plain(numbers.short(float(tile.factor[row])))
        corrected = not is_first and tile.factor[row] < 1
        rows.append(
            [
                str(number + 1),
                plain(numbers.short(float(tile.largest[row]))),
                plain(numbers.short(float(tile.m[row]))),
                f"**{factor}**" if corrected else factor,
                plain(numbers.short(float(tile.l[row]))),
                plain(numbers.short(float(np.abs(tile.output[row] - final).max()))),
            ]
        )
    whole = ops.softmax_steps(masked)
    largest, total = (plain(numbers.short(float(whole[name]))) for name in ("max", "sum"))
    rows.append([texts.plain, largest, largest, "–", total, plain(numbers.short(0))])
    table(texts.steps, rows)


def output_chart(
    so_far: np.ndarray, plain: np.ndarray, theme: Theme, *, names: tuple[str, str], x: str
) -> Figure:
    """The numbers of O / l so far as bars, and those of plain attention as marks.

    so_far, plain: (d_v,). names: of the bars and of the marks.
    """
    palette = PALETTES[theme]
    dims = list(range(1, len(plain) + 1))
    output = bars(
        dims, so_far, palette.share[2], name=names[0], hover=map(numbers.short, so_far.tolist()),
        before="%{x}: ",
    )  # fmt: skip
    other = marks(
        dims, plain, palette.signed[-1], 11, name=names[1],
        marker={"symbol": "line-ew-open", "line": {"width": 2.5, "color": palette.signed[-1]}},
        hover=map(numbers.short, plain.tolist()), before="%{x}: ",
    )  # fmt: skip
    return chart(
        [output, other], theme, x=x, y="", height=230, bargap=0.25,
        xaxis={**QUIET, "range": [0.3, len(plain) + 0.7]},
    )  # fmt: skip


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
tiled, trace = computed(
    partial(tiles_input, words(), texts), Tiled.trace, Tiled(first_reading(layer=LARGER)), words()
)


def lead(selection: Selection) -> None:
    with st.container(border=True, key="tiles_card"):
        one_block(tiled, trace, selection, texts)


shown = step_viewer(
    trace, words(), origin=tiled.reading.origin,
    steps=steps_of(trace), first="weights", lead=lead,
    start={"query": trace["weights"].size("query") - 1},
)  # fmt: skip
at = shown.selection.at
with st.container(border=True, key="again_card"):
    again(tiled, trace, at["head"], texts)
with st.container(border=True, key="parts_card"):
    query = min(at["query"], trace["weights"].size("query") - 1)
    in_parts(tiled, trace, at["head"], query, texts)
with st.container(border=True, key="costs_card"):
    costs.memory(tiled, texts)
sources(texts.papers, tiles.passes, tiles.tiled_gradients, tiles.split, tiles.merged)
lesson.footer(texts.lesson, words())
