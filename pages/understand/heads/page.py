import streamlit as st

from pages.understand.heads import cards, head_contributions
from pages.understand.heads.controls import Inputs, heads_input, heads_trace
from views import link
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.sentence_input import FIRST_TEXT

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
first = Inputs(link.first_text(FIRST_TEXT))
inputs, trace = computed(lambda: heads_input(texts), heads_trace, first, words())
with st.container(border=True, key="patterns_card"):
    cards.patterns(inputs, trace, texts)
with st.container(border=True, key="price_card"):
    cards.cost_by_heads(inputs, trace, texts)
with st.container(border=True, key="added_card"):
    head_contributions.contribution_grids(inputs, trace, texts)
with st.container(border=True, key="split_card"):
    cards.packed(inputs, trace, texts)
    cards.split(inputs, trace, texts)
head_contributions.code(texts)
lesson.footer(texts.lesson, words())
