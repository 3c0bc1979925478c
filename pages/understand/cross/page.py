import streamlit as st

from pages.understand.cross.cards import code, comparisons, in_microscope
from pages.understand.cross.controls import FIRST, Pair, pair_input
from pages.understand.cross.flow import flow
from pages.understand.cross.questions import questions
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)


def read() -> Pair:
    return pair_input(texts)


pair, trace = computed(read, Pair.trace, FIRST, words())
with st.container(border=True, key="flow_card"):
    flow(trace, texts)
in_microscope(pair, trace, words())
comparisons(pair, trace, texts)
questions(pair, trace, texts)
code(texts)
lesson.footer(texts.lesson, words())
