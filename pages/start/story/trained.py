"""The last scene: the reader's own sentence in a model that was trained."""

from functools import partial

import streamlit as st

from core.models import translator
from core.models.translator import Translation
from pages.start.story.words import TrainedWords
from views import link
from views.navigation import PAGES
from views.page_info import PAGE_INFO
from views.preferences import in_language
from views.spans import plain
from views.text import Words
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.prose import heading, prose

FIRST = "我爱北京"
DOORS_ON = ("sentence", "translation", "image")


def trained(said: TrainedWords, words: Words) -> None:
    """A sentence, what the translator makes of it, and the ways on with it."""
    model = translator.load()
    written, made = computed(partial(_written, said), model.translate, FIRST, words)
    with st.container(border=True, key="glance_card"):
        _lit(written, made, said, words)
    prose([[(said.doors, "")]], key="doors_on")
    with st.container(horizontal=True, key="ways_on"):
        for name in DOORS_ON:
            given = {} if name == "image" else {"text": written}
            st.page_link(
                str(PAGES[name]),
                label=f"{plain(in_language(PAGE_INFO)[name].title)} →",
                query_params=link.query_of(name) | given,
            )


def _written(said: TrainedWords) -> str:
    link.bind_param("text", FIRST)
    written: str = st.text_input(said.text, key="text")
    return written


def _lit(written: str, made: Translation, said: TrainedWords, words: Words) -> None:
    model = translator.load()
    label = said.lit.format(source=written, target=model.decode(made.pieces))
    heading(label)
    layer, head = glance(model, made, label)
    lines = [said.origin.format(head=head, layer=layer)]
    if model.aligned_head == (layer - 1, head - 1):
        lines.append(words.home.glance_taught)
    prose([[(line, "")] for line in lines], key="lit", style="quiet")
