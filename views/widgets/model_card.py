"""The card of a model that ships with the project: how it came to be and what it cannot do."""

import re

import streamlit as st

from views.reader import in_language
from views.text import Words
from views.text.model_card import WORDS
from views.widgets.component import ASSETS

ENDINGS = {"en": "md", "zh": "zh.md"}
_TITLE = re.compile(r"\A# .+\n+")
_OTHER_LANGUAGE = re.compile(r"\s*\[[^\]]+\]\(\w+(\.zh)?\.md\)\s*?(?=\n|$)")
_HEADING = re.compile(r"^#+ ", re.MULTILINE)
_BETWEEN_HAN = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef”’])\n(?=[\u4e00-\u9fff])")


def model_card(name: str, words: Words) -> None:
    """Show the card of ``translator`` or ``vision`` in the reader's language, one click deeper."""
    with st.expander(in_language(WORDS).title):
        st.markdown(card(name, words), anchors=False)


def card(name: str, words: Words) -> str:
    """The card as Markdown for a drawer: without its title and its link to the other language.

    A broken line is a space in English; between Chinese characters there is none.
    """
    text = (ASSETS / "models" / f"{name}.{ENDINGS[words.code]}").read_text("utf-8")
    text = _OTHER_LANGUAGE.sub("", _TITLE.sub("", text))
    return _BETWEEN_HAN.sub("", _HEADING.sub("### ", text))
