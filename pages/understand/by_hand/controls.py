"""The controls of the page "by hand": the example, the divisor of the scores, the mask."""

import streamlit as st

from core.models.by_hand import Sheet
from core.models.worked import PRESETS
from pages.understand.by_hand import state
from views.preferences import words
from views.text import Words
from views.text.spans import plain
from views.widgets.mask_input import mask_input


def by_hand_input(texts: Words) -> Sheet:
    """Draw the controls; return the example with all edits. Raises core.errors.InputError."""
    state.bind_state()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            texts.preset, PRESETS, format_func=lambda name: plain(texts.presets[name]),
            key="example", on_change=state.choose_example, required=True,
        )  # fmt: skip
        st.segmented_control(
            texts.divisor, state.SCALES, format_func=lambda one: plain(texts.divisors[one]),
            key="divisor", required=True,
        )  # fmt: skip
        mask_input(words().mask, width="content")
    return state.sheet_of(state.state())
