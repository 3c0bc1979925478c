import streamlit as st

from core import ops
from core.experiments import grouped_query
from pages.today.grouped_query import cards
from pages.today.grouped_query.controls import Variants, choice_of_heads
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.text import words_beside
from views.widgets import lesson
from views.widgets.decoder_input import decoder_input, first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
reading, variants = computed(decoder_input, Variants.of, first_reading(), words())
kv_heads = choice_of_heads(variants, texts)
with st.container(border=True, key="shared_card"):
    cards.shared_heads(variants, kv_heads, texts)
trace = variants.traces[kv_heads]
step_viewer(
    trace, words(), follow=False, origin=reading.origin,
    steps=steps_of(trace), first="K",
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    cards.costs(variants, texts)
sources(texts.papers, ops.repeat_heads, grouped_query.shared)
lesson.footer(texts.lesson, words())
