"""Sinusoidal positions, whose dot product depends only on their distance."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.sources.position import by_distance, deviation, dot_products, sinusoids
from views.figures.chart import QUIET, Figure, chart, heat, lines, marks
from views.figures.palette import PALETTES, Theme
from views.preferences import theme
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.chart import show_chart
from views.widgets.option_input import option_input
from views.widgets.prose import heading, prose

POSITIONS, FARTHEST = 64, 40
WIDTHS, FIRST_WIDTH = (4, 16, 64, 512), 64
STARTS = (0, 7, 23)
MARKS = (("circle-open", 14), ("diamond-open", 9), ("circle", 4))  # of each start
DISTANCE = 5  # of the pairs in the sentence


def sinusoid_card(texts: Words) -> None:
    """Draw the sinusoids as a heatmap, and their dot products by distance."""
    with st.container(border=True, key="waves_card"):
        heading(texts.waves)
        prose([spans(texts.waves_lead)], key="waves_lead")
        width: int = option_input(
            texts.width, "width", WIDTHS, lambda d_model: f"d_model = {d_model}",
            first=FIRST_WIDTH, label_visibility="collapsed",
        )  # fmt: skip
        position = sinusoids(POSITIONS, width)
        products = dot_products(position)
        picture, curve = st.columns(2, gap="medium")
        with picture:
            show_chart(
                _waves(position, theme(), x=texts.column, y=texts.position), "waves", texts.waves
            )
        with curve:
            expected = by_distance(np.arange(FARTHEST + 1), width)
            computed = {
                texts.from_position.format(start=start): products[start, start:][: FARTHEST + 1]
                for start in STARTS
            }
            figure = _by_distance(
                expected, computed, theme(), x=texts.distance, y=texts.product, named=texts.formula
            )
            show_chart(figure, "by_distance", f"{texts.product} · {texts.distance}")
        first, second = STARTS[0], STARTS[-1]
        prose(
            [
                spans(
                    texts.waves_read,
                    a=str(first),
                    b=str(first + DISTANCE),
                    one=numbers.short(float(products[first, first + DISTANCE])),
                    c=str(second),
                    d=str(second + DISTANCE),
                    other=numbers.short(float(products[second, second + DISTANCE])),
                    distance=str(DISTANCE),
                    pairs=numbers.count(products.size),
                    largest=numbers.short(deviation(position)),
                )
            ],
            key="waves_read",
        )


def _waves(position: np.ndarray, theme: Theme, *, x: str, y: str) -> Figure:
    """A heatmap of positions, position 0 at the top. position: (n, d_model), −1 … 1."""
    drawn = heat(
        position.astype(np.float32), (-1, 1), PALETTES[theme].signed,
        "PE[%{y}, %{x}] = %{text}",
        colorbar={"tickvals": [-1, 0, 1], "thickness": 10, "outlinewidth": 0},
        text=[[numbers.plain(value, 4) for value in row] for row in position.tolist()],
    )  # fmt: skip
    yaxis = {**QUIET, "autorange": "reversed"}
    return chart([drawn], theme, x=x, y=y, height=340, yaxis=yaxis, xaxis=QUIET)


def _by_distance(
    formula: np.ndarray, computed: Mapping[str, np.ndarray], theme: Theme,
    *, x: str, y: str, named: str,
) -> Figure:  # fmt: skip
    """The dot product of two positions by distance: by the formula, and computed.

    formula: (distance,) from 0. computed: by name, (distance,) of at most that size.
    """
    palette = PALETTES[theme]
    colours = (palette.roles["query"], palette.roles["key"], palette.roles["d_k"])
    traces = [
        lines(
            range(len(formula)), formula, palette.soft, width=1.5, name=named,
            hover=map(numbers.short, formula.tolist()), before="%{x}: ",
        )
    ]  # fmt: skip
    for (name, values), colour, (mark, size) in zip(computed.items(), colours, MARKS, strict=True):
        traces.append(
            marks(
                range(len(values)), values, colour, size, name=name,
                marker={"symbol": mark, "line": {"width": 2, "color": colour}},
                hover=map(numbers.short, values.tolist()), before="%{x}: ",
            )
        )  # fmt: skip
    return chart(traces, theme, x=x, y=y, height=340)
