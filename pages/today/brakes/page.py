import streamlit as st

from pages.today.brakes import cards, costs
from pages.today.brakes.controls import FIRST_HEAD, Braked, brakes_input, first
from pages.today.brakes.words import WORDS
from views.preferences import in_language, words
from views.selection import Selection
from views.steps import steps_of
from views.widgets import lesson
from views.widgets.decoder_input import papers
from views.widgets.errors import computed
from views.widgets.viewer import step_viewer

texts = in_language(WORDS)
lesson.header(texts.lesson)


def read() -> Braked:
    return brakes_input(words(), texts)


braked, traces = computed(read, Braked.traces, first(), words())
trace = traces[-1]


def lead(selection: Selection) -> None:
    with st.container(border=True, key="row_card_of_brakes"):
        cards.row(braked, traces, selection, texts)


step_viewer(
    trace, words(), parts=("rail", "words", "sheets"),
    origin=lambda said: cards.origin(braked, said), steps=steps_of(trace), first="weights",
    start={"head": FIRST_HEAD, "query": trace["weights"].size("query") - 1}, lead=lead,
)  # fmt: skip
with st.container(border=True, key="costs_card"):
    costs.costs(texts)
with st.container(border=True, key="papers_card"):
    papers(texts.papers)
costs.code()
lesson.footer(texts.lesson, words())
