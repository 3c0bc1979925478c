import streamlit as st

from views.reader import in_language, words
from views.text.understand.scaling import WORDS
from views.widgets.errors import computed
from views.widgets.understand.lesson import begin, end
from views.widgets.understand.scaling.input import FIRST, scaling_input
from views.widgets.understand.scaling.page import columns, curves, questions, reads

said = in_language(WORDS)
begin(said.lesson)
experiment, _ = computed(lambda: scaling_input(said), lambda chosen: chosen.scores, FIRST, words())
columns(experiment, said)
reads(experiment, said)
with st.container(border=True, key="curves_card"):
    curves(experiment, said)
with st.container(border=True, key="question_card"):
    questions(said)
end(said.lesson, words())
