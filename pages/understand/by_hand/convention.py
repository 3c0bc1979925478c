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
    said = in_language(WORDS).convention
    chosen = st.segmented_control(
        said.label,
        list(said.options),
        format_func=lambda option: said.options[option],
        key="convention",
        required=True,
    )
    if chosen == "columns":
        prose([[(said.note, "")]], key="convention_note", style="quiet")
