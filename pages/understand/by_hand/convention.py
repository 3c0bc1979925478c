"""The control of the convention: a token is a row, or a column, of every matrix."""

from typing import cast

import streamlit as st

from views import link, parse
from views.figures.symbols import Convention
from views.preferences import in_language
from views.text import words_beside
from views.widgets.prose import prose

WORDS = words_beside(__file__)


def chosen_convention() -> Convention:
    """The convention in the link, also before its control is drawn."""
    options = list(in_language(WORDS).convention.options)
    return cast(Convention, link.bind_param("convention", "rows", parse.one_of(options)))


def convention_input() -> None:
    """Draw the control, and a note if tokens are columns."""
    texts = in_language(WORDS).convention
    chosen = st.segmented_control(
        texts.label,
        list(texts.options),
        format_func=lambda option: texts.options[option],
        key="convention",
        required=True,
    )
    if chosen == "columns":
        prose([[(texts.note, "")]], key="convention_note", style="quiet")
