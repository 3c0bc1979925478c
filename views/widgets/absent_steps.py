"""What is said of an absent step: which control of the page adds it."""

from dataclasses import replace

import streamlit as st

from views import link
from views.text import Words

CONTROLS = {
    "sequence": "cls", "position": "position", "masked": "mask", "dropped": "dropout",
    "residual": "residual", "normalised": "residual",
}  # fmt: skip


def with_controls(words: Words) -> Words:
    """The words, in which an absent step names the control of this page that adds it."""
    shown = link.session().kept.keys() & st.session_state.keys()
    stages = dict(words.stages)
    for key, control in CONTROLS.items():
        if control in shown:
            told = stages[key]
            absent = words.both.format(first=told.absent, second=words.ways[control])
            stages[key] = replace(told, absent=absent)
    return replace(words, stages=stages)
