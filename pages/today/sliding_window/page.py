from functools import partial

import streamlit as st

from core import masks
from core.experiments import sliding_window
from pages.today.sliding_window import cards
from pages.today.sliding_window.controls import Windowed, query_input, window_input
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.text import words_beside
from views.widgets import lesson
from views.widgets.decoder_input import first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
windowed, (before, after) = computed(
    partial(window_input, words(), texts),
    Windowed.traces,
    Windowed(first_reading(own=True)),
    words(),
)
query = query_input(windowed.n)
with st.container(border=True, key="reach_card"):
    cards.through_layers(windowed, query, texts)
with st.container(border=True, key="decoder_card"):
    cards.on_decoder(windowed, before, after, texts)
step_viewer(
    after, words(), follow=False,
    origin=windowed.reading.origin, steps=steps_of(after), first="masked",
    start={"query": windowed.n - 1},
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    cards.costs(windowed, texts)
sources(texts.papers, masks.window, sliding_window.reach, sliding_window.pairs)
lesson.footer(texts.lesson, words())
