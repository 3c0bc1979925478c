"""Sinusoidal positions, whose dot product depends only on their distance."""

import numpy as np
import streamlit as st

from core.sources import distance
from core.sources.position import sinusoids
from pages.understand.order.charts import by_distance, waves
from views import link, numbers, parse
from views.preferences import theme
from views.spans import spans
from views.text import Words
from views.widgets.chart import show_chart
from views.widgets.prose import heading, prose

PLACES, FARTHEST = 64, 40
WIDTHS, FIRST_WIDTH = (4, 16, 64, 512), 64
STARTS = (0, 7, 23)
TOLD = 5


def sinusoid_card(texts: Words) -> None:
    """Draw the sinusoids as a heatmap, and their dot products by distance."""
    with st.container(border=True, key="waves_card"):
        heading(texts.waves)
        prose([spans(texts.waves_lead)], key="waves_lead")
        link.bind_param("width", FIRST_WIDTH, parse.one_of(WIDTHS))
        st.segmented_control(
            texts.width, WIDTHS, format_func=lambda d_model: f"d_model = {d_model}", key="width",
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        width: int = st.session_state["width"]
        position = sinusoids(PLACES, width)
        products = distance.dot_products(position)
        picture, curve = st.columns(2, gap="medium")
        with picture:
            show_chart(
                waves(position, theme(), x=texts.column, y=texts.place), "waves", texts.waves
            )
        with curve:
            expected = distance.by_distance(np.arange(FARTHEST + 1), width)
            computed = {
                texts.from_place.format(place=start): products[start, start:][: FARTHEST + 1]
                for start in STARTS
            }
            figure = by_distance(
                expected, computed, theme(), x=texts.distance, y=texts.product, named=texts.formula
            )
            show_chart(figure, "by_distance", f"{texts.product} · {texts.distance}")
        first, second = STARTS[0], STARTS[-1]
        prose(
            [
                spans(
                    texts.waves_read,
                    a=str(first),
                    b=str(first + TOLD),
                    one=numbers.short(float(products[first, first + TOLD])),
                    c=str(second),
                    d=str(second + TOLD),
                    other=numbers.short(float(products[second, second + TOLD])),
                    distance=str(TOLD),
                    pairs=numbers.count(products.size),
                    largest=numbers.short(distance.deviation(position)),
                )
            ],
            key="waves_read",
        )
