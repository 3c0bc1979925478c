import streamlit as st

from views.reader import words
from views.widgets.errors import computed
from views.widgets.image_input import Pictures, image_input, image_trace
from views.widgets.photos import photos
from views.widgets.viewer import viewer

FRONT = ("patches", "flattened", "embedding", "sequence", "position")


def read() -> Pictures:
    with st.sidebar:
        return image_input(words())


if found := computed(read, image_trace, words()):
    pictures, trace = found
    origin = pictures.model.origin(words())
    shown = viewer(trace, words(), front=FRONT, origin=origin, first="weights")
    photos(trace, pictures, shown, words())
