from functools import partial

import streamlit as st

from core.models import translator
from pages.see.translation.controls import FIRST, Inputs, translation_input
from pages.see.translation.decoding import decoding
from pages.see.translation.parts import parts
from pages.see.translation.step import chosen_step, cross
from pages.see.translation.summary import (
    changed_translation,
    cross_effects,
    low_confidence,
    origin,
    summary,
    word_relevance,
)
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.text import Words, words_beside
from views.widgets.errors import computed
from views.widgets.interventions import intervened, what_if, what_if_card, with_changes
from views.widgets.model_card import model_card
from views.widgets.prose import visually_hidden_title
from views.widgets.relevance import relevance_card
from views.widgets.tokenization_notes import read_as

WORDS = words_beside(__file__)

texts, model = in_language(WORDS), translator.load()

visually_hidden_title(in_language(PAGE_INFO)["translation"].title)


def where(words: Words) -> str:
    return with_changes(origin(of.model, WORDS[words.code].telling), of.asked, words)


of = intervened(model, lambda: translator.LONGEST)
read = partial(translation_input, texts.asked, of.asked)
inputs, shown = computed(read, Inputs.translated, FIRST, words())
step = chosen_step(shown, model)
with st.container(border=True, key="decoding_card"):
    with st.container():  # whatever is shown in it, what follows it stays the same element
        read_as(inputs.written, shown.tokens)
        low_confidence(shown, texts.telling)
    decoding(shown, step, model, texts.decoding)
asked = word_relevance(shown, step)
parts(shown, step, model, where, texts.parts, words(), asked)
with st.container(border=True, key="mattered_card"):
    relevance_card(asked, cross(step.layer), step.head + 1)
with what_if_card():
    left, right = st.columns([6, 5])
    with left:
        what_if(of.error, step.layer + 1, step.head + 1, shown.tokens, part="cross")
        if of.is_changed:
            changed_translation(inputs, shown, model)
    board = right.container(key="effects_card")
with st.container(border=True, key="findings_card"):
    summary(shown, step, model, texts.telling, words(), glossed=texts.decoding.glossed)
    model_card("translator", words())
with board:
    cross_effects(of.model, inputs, shown, step)
