"""The quiz of the page Predict: the matrices of a step, the question and the answer."""

import inspect

import streamlit as st

from core.exercises import judging
from pages.understand.predict.figure import figure, is_filled
from pages.understand.predict.question import answer, progress, question
from pages.understand.predict.quiz import Quiz
from views import link
from views.text import Words
from views.text.spans import plain
from views.widgets.prose import prose


def ask(quiz: Quiz, texts: Words, words: Words) -> None:
    """Draw the matrices, and below them the question and the sum of the last answer."""
    link.write()
    with st.container(border=True, key="ask_card"):
        figure(quiz, texts, words)
        hints = [
            texts.hints[quiz.inputs.cover],
            *([texts.left_out] if is_filled(quiz.trace) else []),
        ]
        st.caption(plain(" ".join(hints)))
    left, right = st.columns([1, 1.35], gap="medium")
    with left, st.container(border=True, key="question_card"):
        if quiz.current is not None:
            question(quiz, quiz.current, texts, words)
        progress(quiz, texts)
    with right, st.container(border=True, key="sum_card"):
        if quiz.shown is None:
            prose([[(texts.nothing_yet, "")]], key="nothing_yet", style="quiet")
        else:
            answer(quiz, quiz.shown, texts, words)


def code(texts: Words) -> None:
    """Draw the source code of the judgement."""
    with st.expander(texts.code):
        st.code(inspect.getsource(judging.judge), language="python")
