from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.experiments import latent
from core.experiments.cache_size import CONTEXT
from core.experiments.latent import DEEPSEEK_V2, absorbed_scores
from pages.today.latent.controls import SIZES, Compressed, latent_input
from views.figures.axis import escaped
from views.figures.chart import Figure, chart, dotted, heat, lines, marks
from views.figures.head_maps import panel
from views.figures.palette import PALETTES, Theme, role_colour
from views.figures.scale import Scale
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.text import DECODER, Words, numbers, words_beside
from views.text.spans import mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.decoder_input import first_reading, trained_perplexity
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer

TITLE, LINE = 34, 11  # pixels above a table, and of a token's row


@dataclass(frozen=True, eq=False)
class Strip:
    """A table of (token, number). role: of its columns, which colours its title."""

    title: str
    values: np.ndarray
    scale: Scale
    role: str


def strips(tables: Sequence[Strip], names: Sequence[str], theme: Theme, *, cell: str) -> Figure:
    """Tables one below the other, every number equally wide. cell: with token, column and value."""
    tokens = [escaped(name) for name in names]
    n, widest = len(names), max(table.values.shape[1] for table in tables)
    high = max(60, LINE * n)
    height = len(tables) * (TITLE + high)
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {}
    notes = []
    for i, one in enumerate(tables):
        columns = one.values.shape[1]
        top = 1 - (i * (TITLE + high) + TITLE) / height
        # Formatted in the browser: there are thousands of them.
        hover = cell.format(
            token="%{customdata}", column="%{x}", value=f"%{{z:.{numbers.DECIMALS}f}}"
        )
        down = (max(0, top - high / height), top)
        axes, trace_axes = panel(i, (0, columns / widest), down, visible=False)
        layout |= axes
        traces.append(
            heat(
                one.values.tolist(), (one.scale.low, one.scale.high),
                one.scale.stops(theme), hover, x=list(range(1, columns + 1)),
                customdata=[[token] * columns for token in tokens], **trace_axes,
            )
        )  # fmt: skip
        notes.append(
            {
                "text": one.title, "x": 0, "y": top + 4 / height, "xref": "paper",
                "yref": "paper", "showarrow": False, "xanchor": "left", "yanchor": "bottom",
                "font": {"color": role_colour(one.role, theme), "size": 14},
            }
        )  # fmt: skip
    return chart(
        traces, theme, x="", y="", height=height, margin={"l": 0, "r": 0, "t": 0, "b": 0},
        annotations=notes, **layout,
    )  # fmt: skip


def perplexities(
    sizes: Sequence[int], values: Sequence[float], whole: float, here: tuple[int, float],
    theme: Theme, *, names: Mapping[str, str], x: str, y: str,
) -> Figure:  # fmt: skip
    """Perplexity by d_c, and as trained as a dotted line. here: the chosen d_c."""
    palette = PALETTES[theme]
    traces = [
        lines(
            sizes, values, palette.share[2], size=6, name=names["latent"],
            hover=map(numbers.short, values), before="%{x}: ",
        ),
        dotted([sizes[0], sizes[-1]], [whole, whole], theme, name=names["whole"]),
        marks([here[0]], [here[1]], palette.accent, 13, name=names["here"]),
    ]  # fmt: skip
    return chart(
        traces, theme, x=x, y=y, height=280,
        xaxis={"tickvals": list(sizes), "zeroline": False}, yaxis={"rangemode": "tozero"},
    )  # fmt: skip


WORDS = words_beside(__file__)

GROUPS = 8  # K/V heads of grouped-query attention in the comparison of the paper's section 2.1.4


def to_scale(compressed: Compressed, before: Trace, after: Trace, texts: Words) -> None:
    """Draw keys and values as trained, the latents, and keys and values made from them."""
    heading(texts.claim)
    trained, made = (_keys_and_values(trace) for trace in (before, after))
    latents = after["latent"].tensor[0]
    ends = float(max(np.abs(trained).max(), np.abs(made).max()))
    signed = Scale("signed", -ends, ends)
    of_latents = float(np.abs(latents).max())
    numbers_of = {"count": trained.shape[1], "d_c": compressed.d_c}
    tables = [
        Strip(texts.strips[name].format(**numbers_of), values, scale, role)
        for name, values, scale, role in (
            ("trained", trained, signed, "key"),
            ("latent", latents, Scale("signed", -of_latents, of_latents), "d_c"),
            ("made", made, signed, "key"),
            ("difference", made - trained, signed, "d_model"),
        )
    ]
    names = compressed.reading.encoding.tokens
    figure = strips(tables, names, theme(), cell=texts.cell)
    show_chart(figure, key="strips", alt=texts.claim)
    st.caption(mathematics(texts.strips_note))
    _says(compressed, trained, made, texts)
    _curve(compressed, texts)


def _keys_and_values(trace: Trace) -> np.ndarray:
    """K and V of all heads side by side, as a cache would hold them: (token, number)."""
    sides = (np.swapaxes(trace[key].tensor[0], 0, 1) for key in ("K", "V"))
    return np.concatenate([side.reshape(len(side), -1) for side in sides], axis=1)


def _says(compressed: Compressed, trained: np.ndarray, made: np.ndarray, texts: Words) -> None:
    count, d_c = trained.shape[1], compressed.d_c
    kind = "saves" if d_c < count else "whole"
    size_line = spans(
        texts.says[kind],
        d_c=str(d_c),
        count=str(count),
        part=numbers.per_cent(d_c / count),
        explained=numbers.per_cent(compressed.latent().explained),
        difference=numbers.short(float(np.abs(made - trained).max())),
        largest=numbers.short(float(np.abs(trained).max())),
    )
    before, after = trained_perplexity(compressed.reading), compressed.perplexity(d_c)
    same = numbers.short(before) == numbers.short(after)
    kind = "same" if same else "worse" if after > before else "no_worse"
    measured = spans(
        texts.says[kind],
        before=numbers.short(before),
        after=numbers.short(after),
        predictions=str(len(trained) - 1),
    )
    prose([size_line, measured], key="says")


def _curve(compressed: Compressed, texts: Words) -> None:
    st.caption(mathematics(texts.curve))
    values = [compressed.perplexity(size) for size in SIZES]
    here = compressed.d_c, compressed.perplexity(compressed.d_c)
    figure = perplexities(
        SIZES, values, trained_perplexity(compressed.reading), here, theme(), names=texts.lines,
        x=texts.d_c_axis, y=texts.perplexity_axis,
    )  # fmt: skip
    show_chart(figure, key="curve", alt=texts.curve)


def absorbing(compressed: Compressed, after: Trace, texts: Words) -> None:
    """Draw how W^UK is absorbed into queries, and why rotary positions do not allow it."""
    heading(texts.absorbed)
    latents, W_UK = after["latent"].tensor[0], compressed.latent().W_UK
    Q, K = (after[key].tensor[0] for key in ("Q", "K"))
    with_K = Q @ np.repeat(K, len(Q) // len(K), axis=0).swapaxes(1, 2)
    without = absorbed_scores(Q, latents, W_UK)
    rotated = absorbed_scores(after["Q_rotated"].tensor[0], latents, W_UK)
    scores = after["scores"].tensor[0]
    prose(
        [
            spans(
                texts.absorb["works"],
                d_k=str(Q.shape[2]),
                d_c=str(compressed.d_c),
                difference=numbers.short(float(np.abs(without - with_K).max())),
                largest=numbers.short(float(np.abs(with_K).max())),
            ),
            spans(
                texts.absorb["rotated"],
                difference=numbers.short(float(np.abs(rotated - scores).max())),
                d_rotated=str(DEEPSEEK_V2.d_rotated),
                name=DEEPSEEK_V2.sizes.name,
            ),
        ],
        key="absorb",
    )


def costs(compressed: Compressed, texts: Words) -> None:
    """Draw tables of what is cached and computed, here and in a large model."""
    heading(in_language(DECODER).costs)
    weights = compressed.reading.attention.weights
    st.caption(mathematics(texts.own.format(d_c=compressed.d_c)))
    width = weights.d_k + weights.d_v
    full, shared = weights.heads * width, weights.kv_heads * width
    table(
        texts.own_columns,
        [
            [texts.kinds["mha"], str(full), numbers.count(weights.d_model * full)],
            [
                texts.kinds["gqa"].format(groups=weights.kv_heads),
                str(shared),
                numbers.count(weights.d_model * shared),
            ],
            [
                texts.kinds["mla"],
                str(compressed.d_c),
                numbers.count(compressed.d_c * (weights.d_model + shared)),
            ],
        ],
    )
    sizes = DEEPSEEK_V2.sizes
    st.caption(
        mathematics(
            texts.named.format(
                name=sizes.name, layers=sizes.layers, heads=sizes.heads, d_k=sizes.d_k,
                d_c=DEEPSEEK_V2.d_c, tokens=numbers.count(CONTEXT),
            )
        )
    )  # fmt: skip
    pair = str(2 * sizes.d_k)
    rows = [
        [
            texts.kinds[name].format(groups=heads),
            numbers.count(2 * heads * sizes.d_k),
            plain(numbers.size(sizes.cache_bytes(CONTEXT, heads))),
            pair,
        ]
        for name, heads in (("mha", sizes.heads), ("gqa", GROUPS), ("mqa", 1))
    ]
    rows.append(
        [
            f"**{texts.kinds['mla']}**",
            f"{DEEPSEEK_V2.d_c} + {DEEPSEEK_V2.d_rotated}",
            plain(numbers.size(DEEPSEEK_V2.cache_bytes(CONTEXT))),
            str(DEEPSEEK_V2.multiply_adds_absorbed),
        ]
    )
    table(texts.columns, rows)
    line = spans(
        texts.trade,
        times=numbers.short(DEEPSEEK_V2.multiply_adds_absorbed / (2 * sizes.d_k)),
        less=str(numbers.whole(sizes.cache_bytes(CONTEXT) / DEEPSEEK_V2.cache_bytes(CONTEXT))),
    )
    prose([line], key="trade", style="quiet")


def origin(compressed: Compressed, words: Words) -> str:
    """Where the weights come from, and that their rank was reduced."""
    trained = compressed.reading.origin(words)
    return WORDS[words.code].origin.format(trained=trained, d_c=compressed.d_c)


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
compressed, (before, after) = computed(
    partial(latent_input, words(), texts),
    Compressed.traces,
    Compressed(first_reading(own=True)),
    words(),
)
with st.container(border=True, key="strips_card"):
    to_scale(compressed, before, after, texts)
step_viewer(
    after, words(), follow=False,
    origin=lambda words: origin(compressed, words), steps=steps_of(after), first="K",
)  # fmt: skip
with st.container(border=True, key="absorbing_card"):
    absorbing(compressed, after, texts)
with st.container(border=True, key="costs_card"):
    costs(compressed, texts)
sources(texts.papers, latent.Factors, latent.latent_attention, latent.absorbed_scores)
lesson.footer(texts.lesson, words())
