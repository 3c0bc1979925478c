import streamlit as st

from pages.understand.heads import added, cards, split
from pages.understand.heads.controls import Inputs, heads_input, heads_trace
from pages.understand.heads.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed

said = in_language(WORDS)
lesson.begin(said.lesson)
inputs, trace = computed(lambda: heads_input(said), heads_trace, Inputs(), words())
with st.container(border=True, key="price_card"):
    cards.price(inputs, trace, said)
with st.container(border=True, key="patterns_card"):
    cards.patterns(inputs, trace, said)
with st.container(border=True, key="added_card"):
    added.added(inputs, trace, said)
with st.container(border=True, key="split_card"):
    split.packed(inputs, trace, said)
    split.split(inputs, trace, said)
added.code(said)
lesson.end(said.lesson, words())
