"""The user's sentence in a text box of one line."""

import streamlit as st

from core import Trace
from core.sources import text as source
from views import link
from views.text.spans import isolated
from views.widgets.sentence_input import FIRST_TEXT


def sentence_line_input(label: str) -> str:
    """Draw the text box and return its text; the link has it as ``text``."""
    link.bind_param("text", FIRST_TEXT, _single_line)
    written: str = st.text_input(label, key="text")
    return written


def embed_sentence(written: str, d_model: int, seed: int) -> Trace:
    """The trace of a sentence up to X: split into words, embedded, with positions.

    X has shape (1, n, d_model). Raises core.errors.InputError.
    """
    return source.embed(source.read(written, "word"), d_model, seed)


def token_names(trace: Trace) -> tuple[str, ...]:
    """The words of the sentence, isolated for a sentence that quotes them."""
    return tuple(map(isolated, trace["X"].axes[1].names() or ()))


def _single_line(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise ValueError(text)
    return text
