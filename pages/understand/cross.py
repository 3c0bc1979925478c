import streamlit as st

from views.reader import in_language, words
from views.text.understand.cross import WORDS
from views.widgets.errors import computed
from views.widgets.understand import lesson
from views.widgets.understand.cross.input import FIRST, Pair, pair_input
from views.widgets.understand.cross.page import comparisons, in_microscope, shown_code
from views.widgets.understand.cross.questions import questions
from views.widgets.understand.flow import flow

said = in_language(WORDS)
lesson.begin(said.lesson)


def read() -> Pair:
    return pair_input(said)


pair, trace = computed(read, Pair.trace, FIRST, words())
with st.container(border=True, key="flow_card"):
    flow(trace, said)
in_microscope(pair, trace, words())
comparisons(pair, trace, said)
questions(pair, trace, said)
shown_code(said)
lesson.end(said.lesson, words())
