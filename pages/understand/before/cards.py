"""The influence of each word in a recurrent net and in attention, and their path lengths."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.jacobian import attention_jacobian
from core.experiments.recurrent import attention_layer, jacobians, recurrent_layer
from pages.understand.before.charts import exponents, influence_by_distance, triangle
from pages.understand.before.controls import D_MODEL, HEADS, WIDTH, Influence, Inputs
from views.figures.axis import shortened
from views.figures.scale import Scale, round_up
from views.preferences import theme
from views.text import Words, numbers
from views.text.spans import mathematics, plain
from views.widgets.chart import show_chart
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading
from views.widgets.table import table

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
