"""How a step that is not there is to be had, where the page has the control that brings it."""

from dataclasses import replace

import streamlit as st

from views import link
from views.text import Words

CONTROLS = {
    "sequence": "cls", "position": "position", "masked": "mask", "dropped": "dropout",
    "residual": "residual", "normalised": "residual",
}  # fmt: skip


def with_ways(words: Words) -> Words:
    """The reader's words, in which an absent step says how to have it by a control of this page."""
    shown = link.session().kept.keys() & st.session_state.keys()
    stages = dict(words.stages)
    for key, control in CONTROLS.items():
        if control in shown:
            told = stages[key]
            absent = words.both.format(first=told.absent, second=words.ways[control])
            stages[key] = replace(told, absent=absent)
    return replace(words, stages=stages)
