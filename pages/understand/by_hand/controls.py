"""The controls of the page "by hand": example, divisor of the scores, mask and convention.

The convention says whether a token is a row, or a column, of every matrix.
"""

from typing import cast

import streamlit as st

from core.models.by_hand import Sheet
from pages.understand.by_hand.backwards import direction_input
from views import link, parse
from views.figures.symbols import Convention
from views.preferences import words
from views.text import Words
from views.text.spans import plain
from views.widgets.mask_input import bind_mask, chosen_mask, mask_input
from views.widgets.option_input import option_input
from views.widgets.prose import prose
from views.widgets.sheet_input import SCALES, bind_sheet, example_input, sheet_of, state


def by_hand_input(texts: Words) -> Sheet:
    """Draw the controls; return the example with all edits. Raises core.errors.InputError."""
    bind_sheet()
    bind_mask(link.bind_param, words().mask)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        example_input(texts)
        st.segmented_control(
            texts.divisor, SCALES, format_func=lambda one: plain(texts.divisors[one]),
            key="divisor", required=True,
        )  # fmt: skip
        mask_input(words().mask, width="content")
        direction_input(texts.direction)
    return sheet_of(state(), chosen_mask())


def chosen_convention(texts: Words) -> Convention:
    """The convention in the link, also before its control is drawn."""
    return cast(Convention, link.bind_param("convention", "rows", parse.one_of(texts.options)))


def convention_input(texts: Words) -> None:
    """Draw the control, and a note if tokens are columns."""
    chosen = option_input(texts.label, "convention", texts.options, texts.options.__getitem__)
    if chosen == "columns":
        prose([[(texts.note, "")]], key="convention_note", style="quiet")
