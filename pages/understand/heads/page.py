import streamlit as st

from pages.understand.heads import cards, head_contributions, split
from pages.understand.heads.controls import Inputs, heads_input, heads_trace
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
inputs, trace = computed(lambda: heads_input(texts), heads_trace, Inputs(), words())
with st.container(border=True, key="price_card"):
    cards.price(inputs, trace, texts)
with st.container(border=True, key="patterns_card"):
    cards.patterns(inputs, trace, texts)
with st.container(border=True, key="added_card"):
    head_contributions.added(inputs, trace, texts)
with st.container(border=True, key="split_card"):
    split.packed(inputs, trace, texts)
    split.split(inputs, trace, texts)
head_contributions.code(texts)
lesson.footer(texts.lesson, words())
