import streamlit as st

from core.backward import backward
from core.experiments.learning import Learner, losses
from pages.understand.learning import cards
from pages.understand.learning.controls import course_input
from views.preferences import in_language, words
from views.text import words_beside
from views.widgets.errors import computed
from views.widgets.lesson import footer, header
from views.widgets.source_code import source_code

texts = in_language(words_beside(__file__))
header(texts.lesson)
course, steps = computed(
    lambda: course_input(texts), lambda chosen: chosen.steps(), cards.first(texts), words()
)
left, right = st.columns([3, 4], gap="medium")
with left, st.container(border=True, key="loss_card"):
    cards.losses_so_far(course, steps, texts)
with right, st.container(border=True, key="guesses_card"):
    cards.guesses(steps, texts)
with st.container(border=True, key="heads_card"):
    cards.heads(steps, texts)
with st.container(border=True, key="check_card"):
    cards.check(steps[-1], texts.check)
cards.gradients(steps[-1], words())
source_code(texts.code, Learner.after_a_step, Learner.slope, losses, backward)
footer(texts.lesson, words())
