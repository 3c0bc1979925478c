import streamlit as st

from core import ops, rotary
from core.experiments import rotary_positions
from pages.today.rotary import cards
from pages.today.rotary.controls import Positions, kind_input, pair_input
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.text import words_beside
from views.widgets import lesson
from views.widgets.decoder_input import decoder_input, first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.prose import heading
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
reading, positions = computed(decoder_input, Positions.of, first_reading(), words())
pair = pair_input(positions, texts)
with st.container(border=True, key="turning_card"):
    cards.arrows(pair, texts)
with st.container(border=True, key="distance_card"):
    cards.by_distance(pair, texts)
with st.container(border=True, key="others_card"):
    heading(texts.others)
    cards.other_positions(positions, kind_input(texts), texts)
with st.container(border=True, key="stretched_card"):
    cards.stretched(texts)
trace = positions.trained
step_viewer(
    trace, words(), follow=False, origin=reading.origin,
    steps=steps_of(trace), first="Q_rotated",
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    cards.costs(texts)
sources(texts.papers, rotary.inverse_frequencies, ops.rotate, rotary_positions.rotary_scores)
lesson.footer(texts.lesson, words())
