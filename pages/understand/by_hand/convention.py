"""The control that turns every matrix: a token is a row, or a column."""

from typing import cast

import streamlit as st

from pages.understand.by_hand.words import WORDS
from views import link, parse
from views.figures.symbols import Convention
from views.reader import in_language
from views.widgets.prose import prose


def chosen_convention() -> Convention:
    """How matrices are drawn, also where the control stands further down the page."""
    options = list(in_language(WORDS).convention.options)
    return cast(Convention, link.bind_param("convention", "rows", parse.one_of(options)))


def convention_input() -> None:
    """Let the reader choose how matrices are drawn; say what the columns mean where chosen."""
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
