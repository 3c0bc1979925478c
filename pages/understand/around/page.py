import streamlit as st

from pages.understand.around.cards import code, feed_forward, residual
from pages.understand.around.controls import Inputs, around_input, first
from pages.understand.around.dropout import dropped
from pages.understand.around.norm import norm_orders, normalised
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.prose import heading

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
inputs, trace = computed(lambda: around_input(texts), Inputs.trace, first(), words())
with st.container(border=True, key="dropped_card"):
    heading(texts.dropout)
    dropped(inputs, trace, texts)
with st.container(border=True, key="residual_card"):
    heading(texts.residual)
    residual(trace, texts)
with st.container(border=True, key="normalised_card"):
    heading(texts.normalised)
    normalised(trace, texts)
with st.container(border=True, key="places_card"):
    heading(texts.norm_positions)
    norm_orders(inputs, trace, texts)
with st.container(border=True, key="feed_forward_card"):
    heading(texts.feed_forward)
    feed_forward(trace, texts)
code(texts)
lesson.footer(texts.lesson, words())
