from functools import partial

import streamlit as st

from core import ops
from core.experiments import soft_cap
from pages.today.soft_cap import cards
from pages.today.soft_cap.controls import FIRST_HEAD, Limited, limits_input
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.selection import Selection
from views.text import words_beside
from views.widgets import lesson
from views.widgets.decoder_input import first_reading
from views.widgets.errors import computed
from views.widgets.lesson import sources
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
sentence, traces = computed(
    partial(limits_input, words(), texts), Limited.traces, Limited(first_reading()), words()
)
trace = traces[-1]


def lead(selection: Selection) -> None:
    with st.container(border=True, key="limited_row_card"):
        cards.row(sentence, traces, selection, texts)


step_viewer(
    trace, words(),
    origin=lambda words: cards.origin(sentence, words), steps=steps_of(trace), first="weights",
    start={"head": FIRST_HEAD, "query": trace["weights"].size("query") - 1}, lead=lead,
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    cards.costs(texts)
sources(texts.papers, ops.soft_cap, ops.rms_norm, ops.softmax, soft_cap.limited_row)
lesson.footer(texts.lesson, words())
