from dataclasses import replace
from functools import partial

import streamlit as st

from core import Trace
from core.errors import InputError
from pages.see.sentence import trained_sentence
from pages.see.sentence.opened_sentence import OPENED, Opened, keep_layer, layer_of, layer_view
from pages.see.sentence.trained_sentence import (
    Known,
    keep_part,
    known_input,
    known_trace,
    known_view,
)
from pages.see.sentence.weights_input import (
    about_models,
    by_hand,
    followed_text,
    omitted_source,
    weights_input,
)
from views import link
from views.export.file import PARTS
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.widgets.errors import computed, show_error
from views.widgets.microscope import FirstView
from views.widgets.prose import visually_hidden_title
from views.widgets.sentence_input import (
    FIRST,
    Sentence,
    first_sentence,
    sentence_input,
    sentence_trace,
)
from views.widgets.viewer import step_viewer

FRONT = ("tokens", "embedding", "position")


def read() -> Sentence:
    keep_part()
    return sentence_input(words())


def read_known() -> Known:
    return known_input(words())


def by_seeded() -> Trace:
    keep_layer()
    first = replace(FIRST, written=first_sentence())
    sentence, trace = computed(read, sentence_trace, first, words())
    link.leave_out("model", omitted_source)
    origin = sentence.model.origin
    steps = (*FRONT, *ATTENTION)
    step_viewer(
        trace,
        words(),
        parts=PARTS,
        first_view=FirstView(),
        steps=steps,
        origin=origin,
        follow=False,
    )
    return trace


def by_translator() -> Trace:
    keep_layer()
    known, trace = computed(read_known, known_trace, trained_sentence.FIRST, words(), "translator")
    link.leave_out("model", omitted_source)
    known_view(known, trace, words())
    return trace


def by_opened(opened_model: Opened) -> Trace | None:
    try:
        chosen, trace, of = layer_of(opened_model, words())
    except InputError as error:  # a damaged file; an invalid text shows an example instead
        keep_part()
        keep_layer()
        show_error(error, "", words())
        return None
    link.leave_out("model", omitted_source)
    layer_view(opened_model, chosen, trace, of, words())
    return trace


BY = {"seeded": by_seeded, "translator": by_translator} | {
    name: partial(by_opened, one) for name, one in OPENED.items()
}

visually_hidden_title(in_language(PAGE_INFO)["sentence"].title)
with st.sidebar:
    weights = weights_input()
    elsewhere = st.container()
with st.container():  # whatever is shown in it, what follows it stays the same element
    followed_text()
trace = BY.get(weights, by_seeded)()  # a run that was cut short can leave no choice
with elsewhere:
    about_models()
    if trace:
        by_hand(trace)
