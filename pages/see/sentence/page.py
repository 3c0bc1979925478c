import streamlit as st

from pages.see.sentence import trained_sentence
from pages.see.sentence.trained_sentence import (
    Known,
    keep_part,
    known_input,
    known_trace,
    known_view,
)
from pages.see.sentence.weights_input import by_hand, implied_source, weights_input
from views import link
from views.doors import DOORS
from views.reader import in_language, words
from views.widgets.errors import computed
from views.widgets.prose import unseen_title
from views.widgets.sentence_input import FIRST, Sentence, sentence_input, sentence_trace
from views.widgets.viewer import viewer

FRONT = ("tokens", "embedding", "position")


def read() -> Sentence:
    keep_part()
    with st.sidebar:
        return sentence_input(words())


def read_known() -> Known:
    with st.sidebar:
        return known_input(words())


unseen_title(in_language(DOORS)["sentence"].title)
with st.sidebar:
    weights = weights_input()
    elsewhere = st.container()
if weights == "translator":
    known, trace = computed(read_known, known_trace, trained_sentence.FIRST, words(), weights)
    link.leave_out("model", implied_source)
    known_view(known, trace, words())
else:
    sentence, trace = computed(read, sentence_trace, FIRST, words())
    link.leave_out("model", implied_source)
    origin = sentence.model.origin
    viewer(trace, words(), front=FRONT, origin=origin, chips=True, follow=False)
with elsewhere:
    by_hand(trace)
