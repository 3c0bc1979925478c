"""One row of scores with and without brakes: bars, the cap's curve, measures, perplexity."""

from dataclasses import replace

import numpy as np
import streamlit as st

from core import Trace
from core.experiments.soft_cap import Brakes, Row, braked_row, normed_bound
from pages.today.soft_cap import charts
from pages.today.soft_cap.controls import FACTORS, Braked
from views.preferences import theme
from views.selection import Selection
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets.chart import show_chart
from views.widgets.prose import heading, prose
from views.widgets.row_input import row_input
from views.widgets.table import table

WORDS = words_beside(__file__)


def row(
    braked: Braked, traces: tuple[Trace, Trace, Trace], selection: Selection, texts: Words
) -> None:
    """Draw what the brakes do to the chosen row. traces: as ``Braked.traces``."""
    heading(texts.claim)
    trained, normed, chosen = traces
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        head, query = row_input(chosen, selection, texts.query, texts.head)
    # Causal: only what is not in the future.
    scaled, with_norm = (
        trace["scaled"].tensor[0, head, query, : query + 1] for trace in (trained, normed)
    )
    brakes = braked.brakes
    free, held = (braked_row(scaled, with_norm, b) for b in (brakes.released, brakes))
    keys = braked.reading.encoding.tokens[: query + 1]
    _bars(free, held, keys, brakes, texts)
    token = braked.reading.encoding.tokens[query]
    prose(_says(free, held, brakes, len(braked.reading.encoding.ids), texts, chosen), "says")
    _measures(braked_row(scaled, with_norm, Brakes()), free, held, token, brakes, texts)
    if brakes.soft_cap is not None:
        st.caption(mathematics(texts.curve.format(cap=f"{brakes.soft_cap:g}")))
        figure = charts.cap_curve(
            held.scaled, held.logits, brakes.soft_cap, keys, theme(), x=texts.curve_axis,
            y=texts.capped_axis, identity=texts.identity, name=texts.names["soft_cap"],
        )  # fmt: skip
        show_chart(figure, key="cap_curve", alt=texts.names["soft_cap"])
    _over_factor(scaled, with_norm, brakes, texts)
    _perplexity(braked, texts)


def _bars(free: Row, held: Row, keys: tuple[str, ...], brakes: Brakes, texts: Words) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.caption(mathematics(texts.scores))
        figure = charts.row_bars(
            {"free": free.logits, "braked": held.logits}, keys, theme(), names=texts.lines,
            bar=texts.bar,
        )  # fmt: skip
        show_chart(figure, key="scores", alt=texts.scores)
    with right:
        st.caption(mathematics(texts.weights))
        weights, shown = {"free": free.weights, "braked": held.weights}, keys
        if brakes.sink is not None:
            weights = {
                "free": np.append(free.weights, 0),
                "braked": np.append(held.weights, held.sink_weight),
            }
            shown = (*keys, texts.sink_bar)
        figure = charts.row_bars(
            weights, shown, theme(), names=texts.lines, bar=texts.bar, largest=1.05
        )
        show_chart(figure, key="weights", alt=texts.weights)


def _says(
    free: Row, held: Row, brakes: Brakes, n: int, texts: Words, chosen: Trace
) -> list[list[Span]]:
    fields = {
        "cap": f"{brakes.soft_cap:g}" if brakes.soft_cap is not None else "",
        "before": numbers.short(float(np.abs(held.scaled).max())),
        "after": numbers.short(float(np.abs(held.logits).max())),
        "bound": numbers.short(normed_bound(chosen["Q"].size("d_k"))),
        "d_k": str(chosen["Q"].size("d_k")),
        "factor": f"{brakes.factor:g}",
        "free": numbers.short(float(np.abs(free.scaled).max())),
        "logit": numbers.bare(brakes.sink or 0.0),
        "taken": numbers.per_cent(held.sink_weight),
        "left": numbers.per_cent(float(held.weights.sum())),
        "temperature": f"{brakes.temperature:g}",
    }
    on = {
        "soft_cap": brakes.soft_cap is not None,
        "qk_norm": brakes.qk_norm,
        "sink": brakes.sink is not None,
        "temperature": brakes.temperature != 1,
    }
    told = [spans(texts.says[name], **fields) for name, is_on in on.items() if is_on]
    return told or [spans(texts.says["none"], **fields)]


def _measures(trained: Row, free: Row, held: Row, token: str, brakes: Brakes, texts: Words) -> None:
    prose([spans(texts.row_title, token=(token, "query"))], key="row_title", style="quiet")
    rows = [
        [
            texts.rows[name].format(factor=f"{brakes.factor:g}"),
            *(
                plain(numbers.short(value))
                for value in (row.largest, row.entropy, row.softmax_gradient, row.gradient)
            ),
        ]
        for name, row in (("trained", trained), ("free", free), ("braked", held))
    ]
    table(texts.measured, rows)
    prose([spans(texts.gradient_is)], key="gradient_is", style="quiet")


def _over_factor(scaled: np.ndarray, normed: np.ndarray, brakes: Brakes, texts: Words) -> None:
    factors = np.geomspace(FACTORS[0], FACTORS[-1], 61)
    rows = {
        name: [braked_row(scaled, normed, replace(kind, factor=float(f))) for f in factors]
        for name, kind in (("free", brakes.released), ("braked", brakes))
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
            figure = charts.over_factor(
                factors, values, brakes.factor, theme(), names=texts.lines,
                x=texts.factor_axis, y=title,
            )  # fmt: skip
            show_chart(figure, key=f"{measure}_over_factor", alt=title)


def _perplexity(braked: Braked, texts: Words) -> None:
    brakes = braked.brakes
    told = spans(texts.perplexity["trained"], trained=numbers.short(braked.perplexity(Brakes())))
    if brakes.factor != 1:
        told += spans(
            texts.perplexity["free"],
            factor=f"{brakes.factor:g}",
            free=numbers.short(braked.perplexity(brakes.released)),
        )
    if brakes != brakes.released:
        told += spans(texts.perplexity["braked"], braked=numbers.short(braked.perplexity(brakes)))
    prose([told], key="perplexity")


def origin(braked: Braked, words: Words) -> str:
    """Where the weights come from, and what was not trained."""
    trained = braked.reading.origin(words)
    if braked.brakes == Brakes():
        return trained
    factor = f"{braked.brakes.factor:g}"
    return WORDS[words.code].origin.format(trained=trained, factor=factor)
