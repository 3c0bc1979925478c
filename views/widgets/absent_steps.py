"""Hints on a step that the trace does not have: which control of the page adds it."""

import streamlit as st

from views import link
from views.text import Words

CONTROLS = {
    "sequence": "cls", "position": "position", "masked": "mask", "dropped": "dropout",
    "residual": "residual", "normalised": "residual",
}  # fmt: skip


def add_control_hints(words: Words) -> Words:
    """The words, with each absent step's text naming the control of this page that adds it."""
    shown = link.session().bound.keys() & st.session_state.keys()
    stages = words.stages
    for key, control in CONTROLS.items():
        if control in shown:
            absent = words.both.format(first=stages[key].absent, second=words.ways[control])
            stages |= {key: stages[key] | {"absent": absent}}
    return words | {"stages": stages}
