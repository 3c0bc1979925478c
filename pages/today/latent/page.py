from functools import partial

import streamlit as st

from core.experiments import latent
from pages.today.latent import cards
from pages.today.latent.controls import Compressed, latent_input
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
compressed, (before, after) = computed(
    partial(latent_input, words(), texts),
    Compressed.traces,
    Compressed(first_reading(own=True)),
    words(),
)
with st.container(border=True, key="strips_card"):
    cards.to_scale(compressed, before, after, texts)
step_viewer(
    after, words(), follow=False,
    origin=lambda words: cards.origin(compressed, words), steps=steps_of(after), first="K",
)  # fmt: skip
with st.container(border=True, key="absorbing_card"):
    cards.absorbing(compressed, after, texts)
with st.container(border=True, key="costs_card"):
    cards.costs(compressed, texts)
sources(texts.papers, latent.Factors, latent.latent_attention, latent.absorbed_scores)
lesson.footer(texts.lesson, words())
