import streamlit as st

from views.reader import in_language, words
from views.text.understand.around import WORDS
from views.widgets.errors import computed
from views.widgets.prose import heading
from views.widgets.understand import lesson
from views.widgets.understand.around.dropout import dropped
from views.widgets.understand.around.input import FIRST, Around, around_input
from views.widgets.understand.around.norm import normalised
from views.widgets.understand.around.page import added, code

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
