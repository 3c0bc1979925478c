import streamlit as st

from pages.understand.around.cards import added, code
from pages.understand.around.controls import FIRST, Around, around_input
from pages.understand.around.dropout import dropped
from pages.understand.around.norm import normalised
from pages.understand.around.words import WORDS
from views.reader import in_language, words
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.prose import heading

said = in_language(WORDS)
lesson.begin(said.lesson)
given, trace = computed(lambda: around_input(said), Around.trace, FIRST, words())
with st.container(border=True, key="dropped_card"):
    heading(said.dropout)
    dropped(given, trace, said)
with st.container(border=True, key="residual_card"):
    heading(said.residual)
    added(trace, said)
with st.container(border=True, key="normalised_card"):
    heading(said.normalised)
    normalised(trace, said)
code(said)
lesson.end(said.lesson, words())
