import streamlit as st

from core.experiments.cross import asymmetry, largest_difference, swap_difference
from core.ops import project
from pages.understand.cross.cards import comparisons, flow, in_microscope
from pages.understand.cross.controls import FIRST, Pair, pair_input
from pages.understand.cross.questions import questions
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.source_code import source_code

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
pair, trace = computed(lambda: pair_input(texts), Pair.trace, FIRST, words())
with st.container(border=True, key="flow_card"):
    flow(trace, texts)
in_microscope(pair, trace, words())
comparisons(pair, trace, texts)
questions(pair, trace, texts)
source_code(texts.code, project, largest_difference, swap_difference, asymmetry)
lesson.footer(texts.lesson, words())
