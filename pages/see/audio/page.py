from functools import partial

import streamlit as st

from pages.see.audio.cards import (
    INPUT_STEPS,
    origin,
    sound_card,
    start,
    summary_card,
)
from pages.see.audio.controls import Sound, first_sound, sound_input, sound_trace
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.selection import Selection
from views.widgets.errors import computed
from views.widgets.prose import visually_hidden_title
from views.widgets.viewer import step_viewer


def read() -> Sound:
    with st.sidebar:
        return sound_input(words())


visually_hidden_title(in_language(PAGE_INFO)["audio"].title)
sound, trace = computed(read, sound_trace, first_sound(), words())
where = partial(origin, sound)


def lead(selection: Selection) -> None:
    sound_card(trace, sound, selection)


steps = (*INPUT_STEPS, *ATTENTION)
shown = step_viewer(trace, words(), steps=steps, origin=where, start=start(trace), lead=lead)
summary_card(trace, sound, shown, words())
