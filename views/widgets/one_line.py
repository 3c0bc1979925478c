"""The reader's own sentence on one line, for the pages that need no more."""

import streamlit as st

from core import Trace
from core.sources import text as source
from views import link
from views.widgets.sentence_input import FIRST_TEXT


def one_line(label: str) -> str:
    """The box for the sentence, and what stands in it."""
    link.bind_param("text", FIRST_TEXT, _no_break)
    written: str = st.text_input(label, key="text")
    return written


def sequence(written: str, d_model: int, seed: int) -> Trace:
    """The sentence cut into words, each a vector that knows its place.

    Raises core.errors.InputError.
    """
    return source.embed(source.read(written, "word"), d_model, seed)


def tokens(trace: Trace) -> tuple[str, ...]:
    """The words of the sentence."""
    return trace["X"].axes[1].names() or ()


def _no_break(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise ValueError(text)
    return text
