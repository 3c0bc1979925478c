"""Which heads share keys and values, what that does to the decoder, and what it saves."""

import streamlit as st

from core.cost import trace_cost
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.cross import largest_difference
from pages.today.grouped_query.charts import Names, cache_by_length, changes
from pages.today.grouped_query.charts import shared_heads as shared_heads_figure
from pages.today.grouped_query.controls import Variants
from views.figures.scale import Scale, largest, round_up
from views.preferences import in_language, theme
from views.text import DECODER, Words, numbers
from views.text.spans import mathematics, plain, spans
from views.widgets.chart import show_chart
from views.widgets.prose import heading, prose
from views.widgets.table import table

HALF = 2  # bytes of a number in a cache


def shared_heads(variants: Variants, kv_heads: int, texts: Words) -> None:
    """Draw every query head above the keys that it reads, as trained and as chosen, and changes."""
    heading(texts.claim)
    _says(variants, kv_heads, texts)
    counts = list(dict.fromkeys((variants.trained, kv_heads)))
    weights = {count: variants.traces[count]["weights"] for count in counts}
    high = round_up(max(largest(variants.traces[count], ("weights",)) for count in counts))
    names = Names(texts.head, texts.shared, texts.weights)
    for count in counts:
        title = (texts.as_trained if count == variants.trained else texts.chosen).format(
            name=variants.name(count, texts.names), heads=variants.heads, kv_heads=count
        )
        st.caption(mathematics(title))
        figure = shared_heads_figure(weights[count], count, Scale("share", 0, high), theme(), names)
        show_chart(figure, key=f"heads_{count}", alt=title)
    if len(counts) > 1:
        st.caption(mathematics(texts.difference))
        figure = changes(
            weights[variants.trained], weights[kv_heads], Scale("signed", -high, high), theme(),
            names,
        )  # fmt: skip
        show_chart(figure, key="difference", alt=texts.difference)


def _says(variants: Variants, kv_heads: int, texts: Words) -> None:
    trained, layer = variants.trained, variants.traces
    apart = largest_difference(layer[trained], layer[kv_heads], "weights")
    before, after = variants.perplexities[trained], variants.perplexities[kv_heads]
    if kv_heads >= trained:
        said = "trained" if kv_heads == trained else "more"
    else:
        said = "worse" if after > before else "no_worse"
    prose(
        [
            spans(
                texts.says[said],
                heads=str(variants.heads),
                kv_heads=str(kv_heads),
                trained=str(trained),
                group=str(variants.heads // kv_heads),
                weights=numbers.short(apart) if apart else "0",
                before=numbers.short(before),
                after=numbers.short(after),
            )
        ],
        key="says",
    )


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
                numbers.count(trace_cost(variants.traces[count]).multiply_adds),
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
        prose([spans(texts.multiply_adds)], key="multiply_adds", style="quiet")
    with right:
        figure = cache_by_length(LLAMA_8B, named, theme(), x=texts.tokens, y=texts.cache_axis)
        show_chart(figure, key="cache", alt=texts.cache)
