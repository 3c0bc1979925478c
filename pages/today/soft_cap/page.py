from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from core import Trace, ops
from core.experiments import soft_cap
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.soft_cap import Row, ScoreLimits, extras, limited_row, normed_bound
from pages.today.soft_cap.controls import FACTORS, FIRST_HEAD, Limited, limits_input
from views.figures.axis import escaped
from views.figures.chart import Figure, bars, chart, dotted, lines, marks, token_axis, upright
from views.figures.palette import PALETTES, Theme
from views.preferences import in_language, theme, words
from views.scene.steps import steps_of
from views.selection import Selection
from views.text import DECODER, Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.choice import row_input
from views.widgets.decoder_input import first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.prose import heading, prose, table
from views.widgets.viewer import step_viewer


def colours(theme: Theme) -> dict[str, str]:
    """The colours of a row without limits and with them."""
    palette = PALETTES[theme]
    return {"free": palette.signed[-1], "limited": palette.share[2]}


def row_bars(
    values: Mapping[str, np.ndarray], keys: Sequence[str], theme: Theme, *,
    names: Mapping[str, str], bar: str, largest: float | None = None,
) -> Figure:  # fmt: skip
    """A pair of bars for each key.

    values: (key,) by ``free`` and ``limited``. bar: with key and value. largest: the end of the
    axis; None if it follows from the values.
    """
    axis = token_axis(keys, theme)
    traces = [
        bars(
            range(len(keys)), row, colours(theme)[name], name=names[name],
            hover=(
                bar.format(key=token, value=numbers.short(float(value)))
                for token, value in zip(axis["ticktext"], row, strict=True)
            ),
        )
        for name, row in values.items()
    ]  # fmt: skip
    return chart(
        traces, theme, x="", y="", height=290, barmode="group", bargap=0.25, xaxis=axis,
        yaxis={} if largest is None else {"range": [0, largest]},
    )  # fmt: skip


def cap_curve(
    scaled: np.ndarray, capped: np.ndarray, cap: float, keys: Sequence[str], theme: Theme, *,
    x: str, y: str, identity: str, name: str,
) -> Figure:  # fmt: skip
    """c · tanh(x / c) with a row's scores on it, and the line without a cap."""
    end = max(float(np.abs(scaled).max()), 2.0 * cap) * 1.05
    scores = np.linspace(-end, end, 161)
    traces = [
        dotted([-1.3 * cap, 1.3 * cap], [-1.3 * cap, 1.3 * cap], theme, name=identity),
        lines(scores, cap * np.tanh(scores / cap), colours(theme)["limited"], name=name),
        marks(
            scaled, capped, PALETTES[theme].accent, 9, showlegend=False,
            hover=(
                f"{escaped(key)}: {numbers.short(float(a))} → {numbers.short(float(b))}"
                for key, a, b in zip(keys, scaled, capped, strict=True)
            ),
        ),
    ]  # fmt: skip
    return chart(traces, theme, x=x, y=y, height=280)


def over_factor(
    factors: np.ndarray, values: Mapping[str, Sequence[float]], here: float, theme: Theme, *,
    names: Mapping[str, str], x: str, y: str,
) -> Figure:  # fmt: skip
    """A measure of the row by the factor of the queries, without and with limits.

    here: the chosen factor, marked.
    """
    traces = [
        lines(
            factors, row, colours(theme)[name], name=names[name], hover=map(numbers.short, row)
        )
        for name, row in values.items()
    ]  # fmt: skip
    ticks = [0.25, 0.5, 1, 2, 4, 8, 16, 32]
    return chart(
        traces, theme, x=x, y=y, height=260,
        xaxis={
            "type": "log", "tickvals": ticks, "ticktext": [f"× {tick:g}" for tick in ticks],
            "zeroline": False,
        },
        yaxis={"rangemode": "tozero"},
        shapes=[upright(here, theme)],
    )  # fmt: skip


WORDS = words_beside(__file__)


def row(
    sentence: Limited, traces: tuple[Trace, Trace, Trace], selection: Selection, texts: Words
) -> None:
    """Draw the chosen row without and with limits. traces: those of ``Limited.traces``."""
    heading(texts.claim)
    trained, normed, chosen = traces
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        head, query = row_input(chosen, selection, texts.query, texts.head)
    # Causal: only what is not in the future.
    scaled, with_norm = (
        trace["scaled"].tensor[0, head, query, : query + 1] for trace in (trained, normed)
    )
    limits = sentence.limits
    trained_row, free, limited = (
        limited_row(scaled, with_norm, one)
        for one in (ScoreLimits(), limits.without_limits, limits)
    )
    keys = sentence.reading.encoding.tokens[: query + 1]
    _bars(free, limited, keys, limits, texts)
    token = sentence.reading.encoding.tokens[query]
    prose(_says(free, limited, limits, len(sentence.reading.encoding.ids), texts, chosen), "says")
    _measures(trained_row, free, limited, token, limits, texts)
    if limits.soft_cap is not None:
        st.caption(mathematics(texts.curve.format(cap=f"{limits.soft_cap:g}")))
        figure = cap_curve(
            limited.scaled, limited.logits, limits.soft_cap, keys, theme(), x=texts.curve_axis,
            y=texts.capped_axis, identity=texts.identity, name=texts.names["soft_cap"],
        )  # fmt: skip
        show_chart(figure, key="cap_curve", alt=texts.names["soft_cap"])
    _over_factor(scaled, with_norm, limits, texts)
    _perplexity(sentence, texts)


def _bars(
    free: Row, limited: Row, keys: tuple[str, ...], limits: ScoreLimits, texts: Words
) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(mathematics(texts.scores))
        figure = row_bars(
            {"free": free.logits, "limited": limited.logits}, keys, theme(), names=texts.lines,
            bar=texts.bar,
        )  # fmt: skip
        show_chart(figure, key="scores", alt=texts.scores)
    with right:
        st.caption(mathematics(texts.weights))
        weights, shown = {"free": free.weights, "limited": limited.weights}, keys
        if limits.sink is not None:
            weights = {
                "free": np.append(free.weights, 0),
                "limited": np.append(limited.weights, limited.sink_weight),
            }
            shown = (*keys, texts.sink_bar)
        figure = row_bars(weights, shown, theme(), names=texts.lines, bar=texts.bar, largest=1.05)
        show_chart(figure, key="weights", alt=texts.weights)


def _says(
    free: Row, limited: Row, limits: ScoreLimits, n: int, texts: Words, chosen: Trace
) -> list[list[Span]]:
    fields = {
        "cap": f"{limits.soft_cap:g}" if limits.soft_cap is not None else "",
        "before": numbers.short(float(np.abs(limited.scaled).max())),
        "after": numbers.short(float(np.abs(limited.logits).max())),
        "bound": numbers.short(normed_bound(chosen["Q"].size("d_k"))),
        "d_k": str(chosen["Q"].size("d_k")),
        "factor": f"{limits.factor:g}",
        "free": numbers.short(float(np.abs(free.scaled).max())),
        "logit": numbers.bare(limits.sink or 0.0),
        "taken": numbers.per_cent(limited.sink_weight),
        "left": numbers.per_cent(float(limited.weights.sum())),
        "temperature": f"{limits.temperature:g}",
    }
    on = {
        "soft_cap": limits.soft_cap is not None,
        "qk_norm": limits.qk_norm,
        "sink": limits.sink is not None,
        "temperature": limits.temperature != 1,
    }
    lines = [spans(texts.says[name], **fields) for name, is_on in on.items() if is_on]
    return lines or [spans(texts.says["none"], **fields)]


def _measures(
    trained: Row, free: Row, limited: Row, token: str, limits: ScoreLimits, texts: Words
) -> None:
    prose([spans(texts.row_title, token=(token, "query"))], key="row_title", style="quiet")
    rows = [
        [
            texts.rows[name].format(factor=f"{limits.factor:g}"),
            *(
                plain(numbers.short(value))
                for value in (row.largest, row.entropy, row.softmax_gradient, row.gradient)
            ),
        ]
        for name, row in (("trained", trained), ("free", free), ("limited", limited))
    ]
    table(texts.measured, rows)
    prose([spans(texts.gradient_is)], key="gradient_is", style="quiet")


def _over_factor(scaled: np.ndarray, normed: np.ndarray, limits: ScoreLimits, texts: Words) -> None:
    factors = np.geomspace(FACTORS[0], FACTORS[-1], 61)
    rows = {
        name: [limited_row(scaled, normed, replace(kind, factor=float(f))) for f in factors]
        for name, kind in (("free", limits.without_limits), ("limited", limits))
    }
    st.caption(mathematics(texts.over_factor))
    for column, measure, title in zip(
        st.columns(2, gap="medium"),
        ("entropy", "gradient"),
        (texts.entropy_axis, texts.gradient_axis),
        strict=True,
    ):
        with column:
            values = {
                name: [getattr(row, measure) for row in found] for name, found in rows.items()
            }
            figure = over_factor(
                factors, values, limits.factor, theme(), names=texts.lines,
                x=texts.factor_axis, y=title,
            )  # fmt: skip
            show_chart(figure, key=f"{measure}_over_factor", alt=title)


def _perplexity(sentence: Limited, texts: Words) -> None:
    limits = sentence.limits
    line = spans(
        texts.perplexity["trained"], trained=numbers.short(sentence.perplexity(ScoreLimits()))
    )
    if limits.factor != 1:
        line += spans(
            texts.perplexity["free"],
            factor=f"{limits.factor:g}",
            free=numbers.short(sentence.perplexity(limits.without_limits)),
        )
    if limits != limits.without_limits:
        line += spans(
            texts.perplexity["limited"], limited=numbers.short(sentence.perplexity(limits))
        )
    prose([line], key="perplexity")


def costs(texts: Words) -> None:
    """Draw a table of parameters, additional work and cache of each limit."""
    heading(in_language(DECODER).costs)
    st.caption(
        mathematics(texts.of_named.format(name=LLAMA_8B.name, tokens=numbers.count(CONTEXT)))
    )
    rows = [
        [
            texts.names[name],
            plain(f"+ {numbers.count(extra.parameters)}"),
            plain(
                texts.calls[name].format(
                    calls=numbers.power_of_ten(extra.calls) if extra.calls else "0",
                    d_k=LLAMA_8B.d_k,
                )
            ),
            texts.cache,
        ]
        for name, extra in extras(LLAMA_8B, CONTEXT).items()
    ]
    table(texts.columns, rows)


def origin(sentence: Limited, words: Words) -> str:
    """Where the weights come from, and what was not trained."""
    trained = sentence.reading.origin(words)
    if sentence.limits == ScoreLimits():
        return trained
    factor = f"{sentence.limits.factor:g}"
    return WORDS[words.code].origin.format(trained=trained, factor=factor)


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
sentence, traces = computed(
    partial(limits_input, words(), texts), Limited.traces, Limited(first_reading()), words()
)
trace = traces[-1]


def lead(selection: Selection) -> None:
    with st.container(border=True, key="limited_row_card"):
        row(sentence, traces, selection, texts)


step_viewer(
    trace, words(),
    origin=lambda words: origin(sentence, words), steps=steps_of(trace), first="weights",
    start={"head": FIRST_HEAD, "query": trace["weights"].size("query") - 1}, lead=lead,
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    costs(texts)
sources(texts.papers, ops.soft_cap, ops.rms_norm, ops.softmax, soft_cap.limited_row)
lesson.footer(texts.lesson, words())
