import streamlit as st

from views.reader import words
from views.widgets.errors import computed
from views.widgets.sentence_input import FIRST, Sentence, sentence_input, sentence_trace
from views.widgets.viewer import viewer

FRONT = ("tokens", "embedding", "position")


def read() -> Sentence:
    with st.sidebar:
        return sentence_input(words())


sentence, trace = computed(read, sentence_trace, FIRST, words())
viewer(trace, words(), front=FRONT, origin=sentence.model.origin(words()))
