import streamlit as st

from views.reader import words
from views.widgets.audio.input import sound_input
from views.widgets.audio.page import FRONT, origin, sound_cards, start
from views.widgets.audio.sound import Sound, first_sound, sound_trace
from views.widgets.errors import computed
from views.widgets.viewer import viewer


def read() -> Sound:
    with st.sidebar:
        return sound_input(words())


sound, trace = computed(read, sound_trace, first_sound(), words())
where = origin(sound, words())
shown = viewer(trace, words(), front=FRONT, origin=where, start=start(trace))
sound_cards(trace, sound, shown, words())
