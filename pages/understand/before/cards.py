"""What is left of every word: two triangles, their last rows, and the way to the last word."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from core.experiments import path_length
from core.experiments.before import jacobians
from core.experiments.jacobian import attention_jacobian
from pages.understand.before.controls import (
    D_MODEL,
    HEADS,
    WIDTH,
    Given,
    Left,
)
from pages.understand.before.fading import exponents, fading, triangle
from pages.understand.before.words import BeforeWords
from views import numbers
from views.figures.axis import shortened
from views.figures.scale import Scale, round_up
from views.reader import theme
from views.spans import mathematics, plain
from views.widgets.chart import show_chart
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading
from views.widgets.table import table

HEIGHT = 360
SQUASHED, LINEAR = r"h_t = \tanh(W_h h_{t-1} + W_x x_t)", "h_t = W_h h_{t-1} + W_x x_t"
ATTENDED = r"\mathrm{MultiHead}(X)_t"


def pictures(found: Left, given: Given, texts: BeforeWords) -> None:
    """The triangle of the net, that of attention, and their last rows against distance."""
    ends = exponents(found.net, found.attention)
    first, second, third = st.columns([1, 1, 1.1], gap="medium")
    for column, name, lengths, formula in (
        (first, "net", found.net, SQUASHED if given.squashes else LINEAR),
        (second, "attention", found.attention, ATTENDED),
    ):
        with column, st.container(border=True, key=f"{name}_card"):
            heading(getattr(texts, name))
            st.markdown(f"${formula}$")
            figure = triangle(
                lengths, found.words, ends, theme(), x=texts.word, y=texts.step, height=HEIGHT
            )
            alt = f"{getattr(texts, name)} · {texts.step} · {texts.word}"
            show_chart(figure, f"{name}_triangle", alt)
    with third, st.container(border=True, key="curve_card"):
        heading(texts.by_distance)
        curves = {texts.net: found.net[-1], texts.attention: found.attention[-1]}
        figure = fading(curves, found.words, theme(), x=texts.back, y=texts.left, height=HEIGHT)
        show_chart(figure, "curve", f"{texts.by_distance} · {texts.left}")


def ways(n: int, texts: BeforeWords) -> None:
    """Table 1 of the paper, counted for so many words."""
    net, attention = (
        path_length.recurrent_layer(n, D_MODEL, WIDTH),
        path_length.attention_layer(n, D_MODEL, HEADS),
    )
    grows = (("O(n)", "O(1)"), ("O(n)", "O(1)"), ("O(n·d²)", "O(n²·d)"))
    counted = (
        (net.path, attention.path),
        (net.waiting, attention.waiting),
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


def last_row(found: Left, texts: BeforeWords) -> None:
    """What is left at the last word, in numbers."""
    values = np.stack([found.net[-1], found.attention[-1]])
    scale = Scale("share", 0, round_up(float(values.max())), root=True)
    with st.expander(texts.last_row):
        names = tuple(shortened(word) for word in found.words)
        rows = (texts.net, texts.attention)
        grids([Grid(texts.left, values, scale, rows, names)], key="last_row")


def code(texts: BeforeWords) -> None:
    """The two functions that compute the triangles."""
    functions: tuple[Callable[..., Any], ...] = (jacobians, attention_jacobian)
    with st.expander(texts.code):
        for function in functions:
            file = function.__module__.replace(".", "/") + ".py"
            st.caption(plain(texts.code_is.format(file=file)))
            st.code(inspect.getsource(function), language="python")
