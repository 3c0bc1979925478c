import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.jacobian import attention_jacobian
from core.experiments.recurrent import attention_layer, gated_share, jacobians, recurrent_layer
from pages.understand.before.charts import exponents, influence_by_distance, triangle
from pages.understand.before.controls import (
    D_MODEL,
    HEADS,
    WIDTH,
    Influence,
    Inputs,
    before_input,
    compute_influence,
)
from views.figures.axis import shortened
from views.figures.scale import Scale, round_up
from views.preferences import in_language, theme, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose
from views.widgets.table import table

GATE, LONG, LARGE = 0.99, 1000, 1e5


def summary(influence: Influence, inputs: Inputs, texts: Words) -> None:
    """Draw sentences on this input, and on gates, radius and cost."""
    n = len(influence.words)
    with st.container(border=True, key="findings_card"):
        heading(texts.heading)
        prose(_read(influence, texts), key="reads")
        distance = max(n - 1, 1)
        more = [
            spans(texts.history),
            spans(texts.all_visible),
            spans(
                texts.gates, gate=str(GATE), distance=str(distance),
                share=numbers.short(gated_share(GATE, distance)),
                share_long=numbers.short(gated_share(GATE, LONG)),
            ),
            spans(
                texts.price, n=str(n), even=numbers.short(1 / n), pairs=numbers.count(n * n * HEADS)
            ),
        ]  # fmt: skip
        if inputs.radius > 1:
            more.insert(2, spans(texts.radius_above if inputs.squashes else texts.radius_linear))
        prose(more, key="more")
        origin = spans(
            texts.origin, d_model=str(D_MODEL), heads=str(HEADS), width=str(WIDTH),
            seed=str(inputs.seed),
        )  # fmt: skip
        prose([spans(texts.measured), origin], key="origin", style="quiet")


def _read(influence: Influence, texts: Words) -> list[list[Span]]:
    net, attention = influence.net[-1], influence.attention[-1]
    short = [shortened(word) for word in influence.words]
    distance = len(short) - 1
    if not distance:
        return [
            spans(
                texts.one_word, net=_printed(float(net[0])),
                attention=_printed(float(attention[0])),
            )
        ]  # fmt: skip
    share = float(net[0] / net[-1])
    low, high = (int(f(attention[:-1])) for f in (np.argmin, np.argmax))
    lines = [
        spans(
            texts.grows if share > 1 else texts.fades,
            first=(short[0], "key"), last=(short[-1], "query"),
            distance=str(distance), left=_printed(float(net[0])),
            own=_printed(float(net[-1])), share=_printed(share),
            factor=_printed(share ** (1 / distance)),
        ),
        spans(
            texts.stays, first=(short[0], "key"), left=_printed(float(attention[0])),
            low_word=(short[low], "key"), low_back=str(distance - low),
            low=_printed(float(attention[low])), high_word=(short[high], "key"),
            high_back=str(distance - high), high=_printed(float(attention[high])),
        ),
    ]  # fmt: skip
    alike = [j for j, word in enumerate(influence.words[:-1]) if word == influence.words[0]]
    if len(alike) > 1:
        lines.append(
            spans(
                texts.repeated, first=(short[0], "key"), count=str(len(alike)),
                spread=_printed(float(np.ptp(attention[alike]))),
                ratio=_printed(float(net[alike[-1]] / net[alike[0]])),
            )
        )  # fmt: skip
    return lines


def _printed(value: float) -> str:
    return numbers.short(value) if value < LARGE else numbers.power_of_ten(value)


HEIGHT = 360
SQUASHED, LINEAR = r"h_t = \tanh(W_h h_{t-1} + W_x x_t)", "h_t = W_h h_{t-1} + W_x x_t"
ATTENDED = r"\mathrm{MultiHead}(X)_t"


def influence_charts(influence: Influence, inputs: Inputs, texts: Words) -> None:
    """Draw the influence in both models as triangles, and their last rows by distance."""
    ends = exponents(influence.net, influence.attention)
    first, second, third = st.columns([1, 1, 1.1], gap="medium")
    for column, name, lengths, formula in (
        (first, "net", influence.net, SQUASHED if inputs.squashes else LINEAR),
        (second, "attention", influence.attention, ATTENDED),
    ):
        with column, st.container(border=True, key=f"{name}_card"):
            heading(texts[name])
            st.markdown(f"${formula}$")
            figure = triangle(
                lengths, influence.words, ends, theme(), x=texts.word, y=texts.step, height=HEIGHT
            )
            alt = f"{texts[name]} · {texts.step} · {texts.word}"
            show_chart(figure, f"{name}_triangle", alt)
    with third, st.container(border=True, key="curve_card"):
        heading(texts.by_distance)
        curves = {texts.net: influence.net[-1], texts.attention: influence.attention[-1]}
        figure = influence_by_distance(
            curves, influence.words, theme(), x=texts.back, y=texts.left, height=HEIGHT
        )
        show_chart(figure, "curve", f"{texts.by_distance} · {texts.left}")


def path_lengths(n: int, texts: Words) -> None:
    """Table 1 of the paper (path length, sequential operations, cost) for n words."""
    net, attention = (
        recurrent_layer(n, D_MODEL, WIDTH),
        attention_layer(n, D_MODEL, HEADS),
    )
    grows = (("O(n)", "O(1)"), ("O(n)", "O(1)"), ("O(n·d²)", "O(n²·d)"))
    counted = (
        (net.path, attention.path),
        (net.sequential, attention.sequential),
        (net.multiply_adds, attention.multiply_adds),
    )
    rows = [
        [name, *(plain(f"{numbers.count(c)} · {o}") for c, o in zip(row, growth, strict=True))]
        for name, row, growth in zip(texts.path_rows, counted, grows, strict=True)
    ]
    names = [name.format(n=n) for name in texts.path_columns]
    with st.container(border=True, key="path_card"):
        heading(texts.path_heading)
        table(names, rows)
        st.caption(mathematics(texts.path_note))


def last_row(influence: Influence, texts: Words) -> None:
    """The influence of each word on the last step, in numbers."""
    values = np.stack([influence.net[-1], influence.attention[-1]])
    scale = Scale("share", 0, round_up(float(values.max())), root=True)
    with st.expander(texts.last_row):
        names = tuple(shortened(word) for word in influence.words)
        rows = (texts.net, texts.attention)
        grids([Grid(texts.left, values, scale, rows, names)], key="last_row")


def code(texts: Words) -> None:
    """The source code of the functions that compute the Jacobians."""
    functions: tuple[Callable[..., Any], ...] = (jacobians, attention_jacobian)
    with st.expander(texts.code):
        for function in functions:
            file = function.__module__.replace(".", "/") + ".py"
            st.caption(plain(texts.code_is.format(file=file)))
            st.code(inspect.getsource(function), language="python")


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
inputs, trace = computed(
    lambda: before_input(texts), Inputs.attention_trace, Inputs(texts.sample), words()
)
influence = compute_influence(inputs, trace)
influence_charts(influence, inputs, texts)
summary(influence, inputs, texts)
path_lengths(len(influence.words), texts)
last_row(influence, texts)
code(texts)
lesson.footer(texts.lesson, words())
