from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from core import Stage, Trace, ops
from core.cost import product_multiply_adds
from core.experiments import grouped_query
from core.experiments.cache_size import CONTEXT, LLAMA_8B, DecoderSizes
from core.experiments.cross import largest_difference
from core.experiments.grouped_query import shared
from core.models.altered import Attention
from views.figures.chart import Figure, chart, lines
from views.figures.head_maps import TITLE, causal_tables, columns, head_maps, label
from views.figures.palette import Theme, role_colour
from views.figures.scale import Scale, largest, round_up
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.text import DECODER, Words, numbers, words_beside
from views.text.spans import mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.choice import option_input
from views.widgets.decoder_input import (
    Reading,
    decoder_input,
    first_reading,
    sentence_perplexity,
    trained_perplexity,
)
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer


@dataclass(frozen=True, eq=False)
class Variants:
    """One layer, and the whole model, with every number of key and value heads that divides h.

    traces: of the layer. perplexities: of the model on the sentence, changed in all layers.
    """

    reading: Reading
    traces: Mapping[int, Trace]
    perplexities: Mapping[int, float]

    @classmethod
    def of(cls, reading: Reading) -> "Variants":
        """Traces and perplexities of a sentence. Raises core.errors.InputError."""
        heads = reading.attention.weights.heads
        counts = [n for n in range(heads, 0, -1) if heads % n == 0]
        changes = {n: partial(_changed, n) for n in counts}
        return cls(
            reading,
            {n: change(reading.attention).trace() for n, change in changes.items()},
            {
                n: sentence_perplexity(reading, ("kv_heads", n), changes[n])
                if n != reading.attention.weights.kv_heads
                else trained_perplexity(reading)
                for n in counts
            },
        )

    @property
    def trained(self) -> int:
        """The number of key and value heads that the decoder was trained with."""
        return self.reading.attention.weights.kv_heads

    @property
    def heads(self) -> int:
        """The number of query heads."""
        return self.reading.attention.weights.heads

    def name(self, kv_heads: int, names: Mapping[str, str]) -> str:
        """The name of attention with this number of K and V heads. names: mha, gqa and mqa."""
        if kv_heads == self.heads:
            return names["mha"]
        return names["mqa" if kv_heads == 1 else "gqa"]


def _changed(kv_heads: int, attention: Attention) -> Attention:
    return replace(attention, weights=shared(attention.weights, kv_heads))


def choice_of_heads(variants: Variants, texts: Words) -> int:
    """Draw the choice of the number of key and value heads; return it."""
    counts = list(variants.traces)

    def label(count: int) -> str:
        named = texts.choice.format(
            name=variants.name(count, texts.names), heads=variants.heads, kv_heads=count
        )
        return f"{named}{texts.trained}" if count == variants.trained else str(named)

    return int(option_input(texts.kv_heads, "kv_heads", counts, label, first=counts[-1]))


HALF = 2  # bytes of a number in a cache
ROWS, BELOW = 170, 52  # pixels of the tables, and of the boxes below them
HEIGHT = TITLE + ROWS + BELOW
BOX, JOINT = 32, 46  # pixels from the bottom: the top of a box, and where its lines begin


def shared_heads(variants: Variants, kv_heads: int, texts: Words) -> None:
    """Draw the weights of all heads as trained and as chosen, and their difference."""
    heading(texts.claim)
    _says(variants, kv_heads, texts)
    counts = list(dict.fromkeys((variants.trained, kv_heads)))
    weights = {count: variants.traces[count]["weights"] for count in counts}
    high = round_up(max(largest(variants.traces[count], ("weights",)) for count in counts))
    for count in counts:
        title = (texts.as_trained if count == variants.trained else texts.chosen).format(
            name=variants.name(count, texts.names), heads=variants.heads, kv_heads=count
        )
        st.caption(mathematics(title))
        figure = grouped_heads(weights[count], count, Scale("share", 0, high), theme(), texts)
        show_chart(figure, key=f"heads_{count}", alt=title, maps=variants.heads)
    if len(counts) > 1:
        st.caption(mathematics(texts.difference))
        figure = head_maps(
            causal_tables(weights[kv_heads].tensor - weights[variants.trained].tensor),
            variants.reading.encoding.tokens, Scale("signed", -high, high), theme(),
            titles=_titles(variants.heads, texts), hover=texts.weights, rows=ROWS,
        )  # fmt: skip
        show_chart(figure, key="difference", alt=texts.difference, maps=variants.heads)


def _says(variants: Variants, kv_heads: int, texts: Words) -> None:
    trained, layer = variants.trained, variants.traces
    apart = largest_difference(layer[trained], layer[kv_heads], "weights")
    before, after = variants.perplexities[trained], variants.perplexities[kv_heads]
    if kv_heads >= trained:
        kind = "trained" if kv_heads == trained else "more"
    else:
        kind = "worse" if after > before else "no_worse"
    line = spans(
        texts.says[kind],
        heads=str(variants.heads),
        kv_heads=str(kv_heads),
        trained=str(trained),
        group=str(variants.heads // kv_heads),
        weights=numbers.difference(apart),
        before=numbers.short(before),
        after=numbers.short(after),
    )
    prose([line], key="says")


def costs(variants: Variants, texts: Words) -> None:
    """Draw tables of what each number of heads costs here and in a large model, and its cache."""
    heading(in_language(DECODER).costs)
    attention, layers = variants.reading.attention.weights, variants.reading.model.layers
    st.caption(mathematics(texts.of_decoder.format(layers=layers, d_k=attention.d_k)))
    rows = []
    for count, perplexity in variants.perplexities.items():
        width = count * (attention.d_k + attention.d_v)
        name = variants.name(count, texts.names)
        rows.append(
            [
                f"**{name}**" if count == variants.trained else name,
                str(count),
                numbers.count(layers * attention.d_model * width),
                numbers.count(product_multiply_adds(variants.traces[count])),
                numbers.size(layers * width * HALF),
                numbers.short(perplexity),
            ]
        )
    table(texts.columns, rows)
    st.caption(
        mathematics(
            texts.of_named.format(
                name=LLAMA_8B.name, layers=LLAMA_8B.layers, d_k=LLAMA_8B.d_k,
                heads=LLAMA_8B.heads, tokens=numbers.count(CONTEXT),
            )
        )
    )  # fmt: skip
    named = {
        LLAMA_8B.heads: texts.names["mha"],
        LLAMA_8B.kv_heads: texts.names["gqa"],
        1: texts.names["mqa"],
    }
    left, right = st.columns(2, gap="medium")
    with left:
        table(
            texts.named_columns,
            [
                [
                    f"**{name}**" if count == LLAMA_8B.kv_heads else name,
                    str(count),
                    numbers.count(LLAMA_8B.attention_parameters(count)),
                    numbers.count(LLAMA_8B.attention_multiply_adds(CONTEXT, count)),
                    plain(numbers.size(LLAMA_8B.cache_bytes(CONTEXT, count))),
                ]
                for count, name in named.items()
            ],
        )
        lines = [[(line, "")] for line in (texts.multiply_adds, in_language(DECODER).counted)]
        prose(lines, key="multiply_adds", style="quiet")
    with right:
        figure = cache_by_length(LLAMA_8B, named, theme(), x=texts.tokens, y=texts.cache_axis)
        show_chart(figure, key="cache", alt=texts.cache)


def _titles(heads: int, texts: Words) -> list[str]:
    return [texts.head.format(number=i + 1) for i in range(heads)]


def grouped_heads(
    weights: Stage, kv_heads: int, scale: Scale, theme: Theme, texts: Words
) -> Figure:
    """The weights (batch 1, head, query, key) of each query head, above boxes of shared K and V."""
    heads, colour = weights.size("head"), role_colour("key", theme)
    group, ends = heads // kv_heads, columns(heads)
    boxes, labels, joints = [], [], []
    for number in range(kv_heads):
        own = range(number * group, (number + 1) * group)
        left, right = ends[own[0]][0], ends[own[-1]][1]
        boxes.append(_shape("rect", (left, right), (0, BOX), colour))
        text = texts.shared.format(number=number + 1)
        labels.append(label(text, (left + right) / 2, BOX / 2 / HEIGHT, colour))
        joints += [_shape("line", (sum(ends[i]) / 2,) * 2, (BOX, JOINT), colour) for i in own]
    return head_maps(
        causal_tables(weights.tensor), weights.axis("key").names() or (), scale, theme,
        titles=_titles(heads, texts), hover=texts.weights,
        rows=ROWS, below=BELOW, shapes=[*boxes, *joints], annotations=labels,
    )  # fmt: skip


def _shape(kind: str, x: tuple[float, float], y: tuple[int, int], colour: str) -> dict[str, Any]:
    return {
        "type": kind, "xref": "paper", "yref": "paper", "x0": x[0], "x1": x[1],
        "y0": y[0] / HEIGHT, "y1": y[1] / HEIGHT, "line": {"color": colour, "width": 2},
    }  # fmt: skip


def cache_by_length(
    sizes: DecoderSizes, named: Mapping[int, str], theme: Theme, *, x: str, y: str
) -> Figure:
    """The bytes of a cache over its tokens. named: the lines, by their number of K and V heads."""
    lengths = [2**i for i in range(10, CONTEXT.bit_length())]
    colours = [role_colour(role, theme) for role in ("head", "key", "query")]
    traces = []
    for (kv_heads, name), colour in zip(named.items(), colours, strict=True):
        cached = [sizes.cache_bytes(tokens, kv_heads) for tokens in lengths]
        texts = (
            f"{numbers.count(n)}: {numbers.size(one)}"
            for n, one in zip(lengths, cached, strict=True)
        )
        traces.append(
            lines(lengths, [one / 1e9 for one in cached], colour, size=6, name=name, hover=texts)
        )
    ticks = [n for i, n in enumerate(reversed(lengths)) if i % 2 == 0]
    return chart(
        traces, theme, x=x, y=y, height=280,
        xaxis={"type": "log", "tickvals": ticks, "ticktext": [numbers.count(n) for n in ticks]},
        yaxis={"type": "log", "tickvals": [0.01, 0.1, 1, 10, 100],
               "ticktext": ["0.01", "0.1", "1", "10", "100"]},
    )  # fmt: skip


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
reading, variants = computed(decoder_input, Variants.of, first_reading(), words())
kv_heads = choice_of_heads(variants, texts)
with st.container(border=True, key="shared_card"):
    shared_heads(variants, kv_heads, texts)
trace = variants.traces[kv_heads]
step_viewer(
    trace, words(), follow=False, origin=reading.origin,
    steps=steps_of(trace), first="K",
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    costs(variants, texts)
sources(texts.papers, ops.repeat_heads, grouped_query.shared)
lesson.footer(texts.lesson, words())
