"""Notes on a text whose tokens are not what was typed."""

import unicodedata
from collections.abc import Sequence

import streamlit as st

from core.sources import text as source
from core.sources.visible import visible
from views.preferences import words
from views.text.spans import isolated, plain
from views.widgets.prose import prose


def tokenization_notes(written: str, mode: source.Mode) -> None:
    """Captions on invisible characters that are in no token, and on words that are not known."""
    texts, mark = words().sentence, words().list_mark
    if marks := source.left_out(written, mode):
        st.caption(plain(texts.left_out.format(characters=mark.join(map(visible, marks)))))
    if mode == "word" and (found := source.unsegmented(written)):
        scripts = mark.join(texts.scripts[name] for name in found)
        st.caption(plain(texts.unsegmented.format(scripts=scripts)))


def read_as(written: str, tokens: Sequence[str]) -> None:
    """A sentence on the tokens that a model reads otherwise than they were typed, if any."""
    texts = words().sentence
    pairs = [
        texts.read_as_one.format(typed=isolated(typed), read=token)
        for typed, token in changed(written, tokens)
    ]
    if pairs:
        listed = words().list_mark.join(dict.fromkeys(pairs))
        prose([[(texts.read_as.format(pairs=listed), "")]], key="read_as", style="quiet")


def changed(written: str, tokens: Sequence[str]) -> list[tuple[str, str]]:
    """Pairs of typed text and the token that a model reads instead, where they differ.

    Full and half width, and capital and small letters, count as the same.
    tokens: of the whole text, with one character for each that was typed apart from white space.
    Empty if the numbers of characters differ.
    """
    typed = "".join(source.composed_of(written).split())
    if len(typed) != sum(map(len, tokens)):
        return []
    found, begin = [], 0
    for token in tokens:
        part = typed[begin : begin + len(token)]
        begin += len(token)
        if _plain(part) != _plain(token):
            found.append((part, token))
    return found


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
