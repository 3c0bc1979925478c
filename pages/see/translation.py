import streamlit as st

from core.models import translator
from views.reader import in_language, words
from views.text import Words
from views.text.translation import WORDS
from views.widgets.errors import computed
from views.widgets.model_card import model_card
from views.widgets.prose import unseen_title
from views.widgets.translation.asked import FIRST, Asked, asked_input
from views.widgets.translation.decoding import decoding
from views.widgets.translation.parts import parts
from views.widgets.translation.step import chosen_step
from views.widgets.translation.told import origin, told

said, model = in_language(WORDS), translator.load()

unseen_title(words().pages["translation"])


def where(words: Words) -> str:
    return origin(model, WORDS[words.code].telling)


def read() -> Asked:
    with st.sidebar:
        return asked_input(said.asked)


_, shown = computed(read, Asked.translated, FIRST, words())
step = chosen_step(shown, model)
with st.container(border=True, key="decoding_card"):
    decoding(shown, step, model, said.decoding)
with st.container(border=True, key="told_card"):
    told(shown, step, model, said.telling, words())
    model_card("translator", words())
parts(shown, step, model, where, said.parts, words())
