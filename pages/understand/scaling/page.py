import streamlit as st

from pages.understand.scaling.cards import (
    columns,
    curves,
    questions,
    reads,
)
from pages.understand.scaling.controls import FIRST, scaling_input
from pages.understand.scaling.words import WORDS
from views.reader import in_language, words
from views.widgets.errors import computed
from views.widgets.lesson import begin, end

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
