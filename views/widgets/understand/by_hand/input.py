"""The controls of the page "by hand": which example, which divisor, which mask."""

import streamlit as st

from core.models.by_hand import Sheet
from core.models.worked import PRESETS
from views.spans import plain
from views.text.understand.by_hand import ByHandWords
from views.widgets.understand.by_hand import state as on_paper


def by_hand_input(said: ByHandWords) -> Sheet:
    """The example with all that the reader wrote over it. Raises core.errors.InputError."""
    on_paper.keep()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            said.preset, PRESETS, format_func=lambda name: plain(said.presets[name]),
            key="preset", on_change=on_paper.reset, required=True,
        )  # fmt: skip
        st.segmented_control(
            said.divisor, on_paper.DIVISORS, format_func=lambda one: plain(said.divisors[one]),
            key="divisor", required=True,
        )  # fmt: skip
        st.segmented_control(
            said.mask, on_paper.MASKS, format_func=lambda one: said.masks[one],
            key="mask", required=True,
        )  # fmt: skip
    return on_paper.sheet_of(on_paper.state())
