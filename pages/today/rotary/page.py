from typing import Any

import numpy as np
import streamlit as st

from core import ops, rotary
from core.experiments import rotary_positions
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.cross import largest_difference
from core.masks import alibi_slopes
from core.models.altered import MOVED, PositionKind
from core.sources.position import sinusoids
from pages.today.rotary.controls import LAST, Moves, Pair, Positions, kind_input, pair_input
from views import link, parse
from views.figures.chart import QUIET, Figure, chart, heat, lines
from views.figures.head_maps import causal_tables, head_maps
from views.figures.palette import PALETTES, Theme
from views.figures.scale import Scale, largest, round_up
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.text import DECODER, Words, numbers, words_beside
from views.text.spans import mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.component import component
from views.widgets.decoder_input import decoder_input, first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer

POSITIONS = 24  # of a query and a key, from 0


def turning(pair: Pair, texts: Words) -> None:
    """Draw the positions, the arrows of every pair of numbers, and the score by distance.

    texts: see ``assets/rotary/rotary.js``.
    """
    moves, freq = link.remembered(Moves), pair.positions.rotary.inv_freq
    chosen: int = link.bind_param("pair", 1, parse.number(1, len(freq)))

    def on_moved() -> None:
        message = st.session_state["turning"].moved
        if not message:
            return
        moves.count = int(message["sent"])
        m, n = (int(position) for position in message["at"])
        if 0 <= n <= m <= LAST and 0 <= int(message["pair"]) < len(freq):
            link.set_value("at", (m, n))
            link.set_value("pair", int(message["pair"]) + 1)

    data: dict[str, Any] = {
        "q": pair.q.tolist(),
        "k": pair.k.tolist(),
        "freq": freq.tolist(),
        "names": pair.names,
        "at": pair.at,
        "pair": chosen - 1,
        "last": LAST,
        "words": texts.as_dict(),
        "received": moves.count,
    }
    component("rotary")(key="turning", data=data, on_moved_change=on_moved)


def arrows(pair: Pair, texts: Words) -> None:
    """Draw a query and a key that can be moved."""
    heading(texts.claim)
    rotary = pair.positions.rotary
    line = spans(
        texts.turning_is,
        pairs=str(len(rotary.inv_freq)),
        base=numbers.count(int(rotary.theta)),
        d_k=str(rotary.d_k),
    )
    prose([line], key="turning_is")
    turning(pair, texts.turning)
    half = rotary.d_k // 2
    prose([spans(texts.pairing, half=str(half), other=str(half + 1))], key="pairing")
    show_chart(pairs_of(rotary.d_k, theme(), texts), key="pairs", alt=texts.pairs_of)


def pairs_of(d_k: int, theme: Theme, texts: Words) -> Figure:
    """To which pair each number of a query belongs, for both ways to pair them."""
    number = np.arange(d_k)
    pairs = {"halves": number % (d_k // 2) + 1, "neighbours": number // 2 + 1}
    cells = heat(
        list(pairs.values()), (1, d_k // 2), PALETTES[theme].share, x=list(range(1, d_k + 1)),
        y=[texts.pairings[name] for name in pairs], gap=1,
        text=[[texts.pair_cell.format(number=i + 1, pair=p) for i, p in enumerate(row.tolist())]
              for row in pairs.values()],
    )  # fmt: skip
    return chart(
        [cells], theme, x=texts.pair_axis, y="", height=160,
        xaxis=QUIET, yaxis={**QUIET, "autorange": "reversed"},
    )  # fmt: skip


def stretched(texts: Words) -> None:
    """Draw how much slower each pair turns when a model is to read longer texts."""
    heading(texts.stretched)
    sizes = {
        "name": LLAMA_8B.name,
        "original": numbers.count(rotary_positions.ORIGINAL),
        "factor": str(rotary_positions.FACTOR),
        "temperature": numbers.short(rotary_positions.sharpened(rotary_positions.FACTOR)),
    }
    prose([spans(texts.stretched_is, **sizes)], key="stretched_is")
    show_chart(slowed(theme(), texts), key="slowed", alt=texts.stretched)
    prose([spans(texts.stretched_says, **sizes)], key="stretched_says", style="quiet")


def slowed(theme: Theme, texts: Words) -> Figure:
    """How many times slower each pair turns, over its turns in the trained length."""
    palette, turns = PALETTES[theme], rotary_positions.turns()
    looks = {"linear": palette.soft, "llama_3": palette.signed[-1], "yarn": palette.share[2]}
    traces = []
    for name, scaling in rotary_positions.SCALINGS.items():
        slower = rotary_positions.slower(scaling)
        hover = [
            texts.slowed.format(pair=i, turns=numbers.short(turn), times=numbers.short(times))
            for i, (turn, times) in enumerate(zip(turns, slower, strict=True), start=1)
        ]
        traces.append(lines(turns, slower, looks[name], name=texts.scalings[name], hover=hover))
    ticks = [0.01, 0.1, 1, 4, 32, 1000]
    return chart(
        traces, theme, x=texts.turns_axis, y=texts.slower_axis, height=280,
        xaxis={"type": "log", "autorange": "reversed", "tickvals": ticks,
               "ticktext": list(map(numbers.bare, ticks))},
        yaxis={"rangemode": "tozero", "tickvals": [1, 2, 4, 6, 8]},
    )  # fmt: skip


def by_distance(pair: Pair, texts: Words) -> None:
    """Draw the scores of one query and one key at all positions, for each kind of positions."""
    heading(texts.distance)
    query, key = pair.names
    line = spans(
        texts.distance_is,
        query=(query, "query"),
        key=(key, "key"),
        head=str(pair.head + 1),
        n=str(POSITIONS),
    )
    prose([line], key="distance_is")
    by_kind = scores_by_kind(pair)
    high = max(float(np.abs(scores).max()) for scores in by_kind.values())
    figure = head_maps(
        [np.where(np.tri(POSITIONS) > 0, scores, np.nan) for scores in by_kind.values()],
        [str(position) for position in range(POSITIONS)], Scale("signed", -high, high), theme(),
        titles=[texts.tables[name] for name in by_kind], hover=texts.cell,
    )  # fmt: skip
    show_chart(figure, key="placed", alt=texts.distance)
    spread = {
        name: numbers.difference(rotary_positions.spread_by_distance(scores))
        for name, scores in by_kind.items()
        if name != "none"
    }
    prose([spans(texts.distance_says, **spread)], key="distance_says")


def scores_by_kind(pair: Pair) -> dict[str, np.ndarray]:
    """The scaled scores of the query and the key at any two positions, by kind: (n, n) each."""
    attention, head, q, k = pair.positions.reading.attention, pair.head, pair.q, pair.k
    X, weights = attention.source["X"].tensor[0], attention.weights.head(head)
    position = sinusoids(POSITIONS, X.shape[1]).astype(X.dtype)
    slope = float(alibi_slopes(pair.heads)[head])
    return {
        "rotary": rotary_positions.rotary_scores(q, k, pair.positions.rotary, POSITIONS),
        "sinusoids": rotary_positions.added_scores(
            X[pair.query], X[pair.key], position, weights.W_Q, weights.W_K
        ),
        "alibi": rotary_positions.alibi_scores(q, k, slope, POSITIONS),
        "none": rotary_positions.alibi_scores(q, k, 0, POSITIONS),
    }


def other_positions(positions: Positions, kind: PositionKind, texts: Words) -> None:
    """Draw the weights as trained, with other positions, and their difference."""
    before, (after, perplexity) = positions.trained, positions.otherwise(kind)
    trained, changed = numbers.short(positions.perplexity), numbers.short(perplexity)
    line = spans(
        texts.says[kind],
        weights=numbers.difference(largest_difference(before, after, "weights")),
        before=trained,
        after=changed,
        moved=str(MOVED),
    )
    prose([line], key="says")
    high = round_up(max(largest(trace, ("weights",)) for trace in (before, after)))
    one, other = (trace["weights"].tensor for trace in (before, after))
    titles = [
        texts.head_name.format(number=i + 1)
        for i in range(positions.reading.attention.weights.heads)
    ]
    chosen = texts.chosen.format(kind=texts.kinds[kind], perplexity=changed)
    for key, title, tensor, scale in (
        ("trained", texts.as_trained.format(perplexity=trained), one, Scale("share", 0, high)),
        ("chosen", chosen, other, Scale("share", 0, high)),
        ("difference", texts.difference, other - one, Scale("signed", -high, high)),
    ):
        st.caption(mathematics(title))
        figure = head_maps(
            causal_tables(tensor), positions.tokens, scale, theme(),
            titles=titles, hover=texts.weights, rows=160,
        )  # fmt: skip
        show_chart(figure, key=key, alt=title, maps=len(titles))
    st.caption(mathematics(texts.of_decoder))


def costs(texts: Words) -> None:
    """Draw a table of what each kind of positions would cost in a large model."""
    heading(in_language(DECODER).costs)
    tokens = numbers.count(CONTEXT)
    st.caption(mathematics(texts.of_named.format(name=LLAMA_8B.name, tokens=tokens)))
    turns = rotary_positions.rotation_multiply_adds(LLAMA_8B)
    cache = plain(numbers.size(LLAMA_8B.cache_bytes(CONTEXT)))
    rows = {
        "learnt": (rotary_positions.table_parameters(LLAMA_8B, CONTEXT), 0),
        "sinusoids": (0, 0),
        "rotary": (0, turns),
        "alibi": (0, rotary_positions.alibi_multiply_adds(LLAMA_8B, CONTEXT)),
    }
    table(
        texts.columns,
        [
            [
                f"**{texts.cost_rows[name]}**" if name == "rotary" else texts.cost_rows[name],
                *map(numbers.count, spent),
                cache,
            ]
            for name, spent in rows.items()
        ],
    )
    share = numbers.per_cent(turns / LLAMA_8B.attention_parameters(), 3)
    prose([spans(texts.same_cache, share=share)], key="same_cache", style="quiet")


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
reading, positions = computed(decoder_input, Positions.of, first_reading(), words())
pair = pair_input(positions, texts)
with st.container(border=True, key="turning_card"):
    arrows(pair, texts)
with st.container(border=True, key="distance_card"):
    by_distance(pair, texts)
with st.container(border=True, key="others_card"):
    heading(texts.others)
    other_positions(positions, kind_input(texts), texts)
with st.container(border=True, key="stretched_card"):
    stretched(texts)
trace = positions.trained
step_viewer(
    trace, words(), follow=False, origin=reading.origin,
    steps=steps_of(trace), first="Q_rotated",
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    costs(texts)
sources(texts.papers, rotary.inverse_frequencies, ops.rotate, rotary_positions.rotary_scores)
lesson.footer(texts.lesson, words())
