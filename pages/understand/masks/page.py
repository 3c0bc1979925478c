import streamlit as st

from pages.understand.masks import cards, summary
from pages.understand.masks.controls import FIRST_TEXT, Inputs, masked_trace, masks_input
from views import link
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.prose import prose

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
first = Inputs(written=link.first_text(FIRST_TEXT))
inputs, trace = computed(lambda: masks_input(texts), masked_trace, first, words())
with st.container(border=True, key="follows_card"):
    above = st.container()
    method, convention = cards.written_as(inputs, trace, texts)
    with above:
        cards.composition(inputs, trace, convention, texts)
        cards.chain(inputs, trace, texts, method)
    summary.sentences(inputs, trace, texts, method)
    cards.conventions(convention, texts)
    prose([[(words().viewer.random.format(seed=inputs.seed), "")]], key="origin", style="quiet")
with st.container(border=True, key="comparison_card"):
    summary.comparison(trace, texts, method)
summary.code(texts)
lesson.footer(texts.lesson, words())
