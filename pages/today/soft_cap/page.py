import streamlit as st

from core import ops
from core.experiments import soft_cap
from pages.today.soft_cap import cards, costs
from pages.today.soft_cap.controls import FIRST_HEAD, Braked, brakes_input, first
from views.preferences import in_language, words
from views.scene.steps import steps_of
from views.selection import Selection
from views.text import words_beside
from views.widgets import lesson
from views.widgets.errors import computed
from views.widgets.sources import sources
from views.widgets.viewer import step_viewer

texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)


def read() -> Braked:
    return brakes_input(words(), texts)


braked, traces = computed(read, Braked.traces, first(), words())
trace = traces[-1]


def lead(selection: Selection) -> None:
    with st.container(border=True, key="row_card_of_brakes"):
        cards.row(braked, traces, selection, texts)


step_viewer(
    trace, words(),
    origin=lambda said: cards.origin(braked, said), steps=steps_of(trace), first="weights",
    start={"head": FIRST_HEAD, "query": trace["weights"].size("query") - 1}, lead=lead,
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    costs.costs(texts)
sources(texts.papers, ops.soft_cap, ops.rms_norm, ops.softmax, soft_cap.braked_row)
lesson.footer(texts.lesson, words())
