"""The last scene: the reader's own sentence in a model that was trained."""

from functools import partial

import streamlit as st

from core.models import translator
from core.models.translator import Translation
from views import link
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import Words
from views.text.spans import plain
from views.widgets.cut_notes import read_as
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.prose import heading, prose

FIRST = "我爱北京"


def trained(texts: Words, words: Words) -> None:
    """Draw the input, the translation with its best head, and links to other pages."""
    model = translator.load()
    written, made = computed(partial(_written, texts), model.translate, FIRST, words)
    with st.container(border=True, key="glance_card"):
        _translation(written, made, texts, words)
    prose([[(texts.next_pages, "")]], key="next_pages")
    with st.container(horizontal=True, key="next_links"):
        typed = st.session_state["text"].strip() or written  # Sentence reads other languages, too
        for name, given in {
            "sentence": {"text": typed}, "translation": {"text": written}, "image": {},
        }.items():  # fmt: skip
            st.page_link(
                str(PAGES[name]),
                label=f"{plain(in_language(PAGE_INFO)[name].title)} →",
                query_params=link.query_of(name) | given,
            )


def _written(texts: Words) -> str:
    link.bind_param("text", FIRST)
    written: str = st.text_input(texts.text, key="text")
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, (sample, label) in enumerate(texts.samples.items()):
            choose = partial(link.set_value, "text", sample)
            st.button(label, key=f"sample_{number}", on_click=choose)
    return written


def _translation(written: str, made: Translation, texts: Words, words: Words) -> None:
    model = translator.load()
    label = texts.title.format(source=written, target=model.decode(made.pieces))
    heading(label)
    read_as(written, made.tokens)
    layer, head = glance(model, made, label)
    lines = [texts.origin.format(head=head, layer=layer)]
    if model.supervised_head == (layer - 1, head - 1):
        lines.append(words.home.glance_taught)
    prose([[(line, "")] for line in lines], key="translation_origin", style="quiet")
