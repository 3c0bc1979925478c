import streamlit as st

from pages.understand.scaling.cards import curves, questions, rows, score_histograms, summary
from pages.understand.scaling.controls import FIRST, scaling_input
from pages.understand.scaling.half_precision import half_precision_card
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets.errors import computed
from views.widgets.lesson import footer, header

texts = in_language(words_beside(__file__))
header(texts.lesson)
experiment, _ = computed(lambda: scaling_input(texts), lambda chosen: chosen.scores, FIRST, words())
with st.container(border=True, key="hills_card"):
    score_histograms(experiment, texts)
rows(experiment, texts)
summary(experiment, texts)
with st.container(border=True, key="curves_card"):
    curves(experiment, texts)
with st.container(border=True, key="half_card"):
    half_precision_card(experiment.d_k, texts.half)
with st.container(border=True, key="question_card"):
    questions(texts)
footer(texts.lesson, words())
