import streamlit as st

from views.reader import words
from views.widgets.errors import computed
from views.widgets.image_input import Pictures, first_pictures, image_input, image_trace
from views.widgets.photos import photos
from views.widgets.viewer import viewer

FRONT = ("patches", "flattened", "embedding", "sequence", "position")


def read() -> Pictures:
    with st.sidebar:
        return image_input(words())


pictures, trace = computed(read, image_trace, first_pictures(), words())
origin = pictures.model.origin(words())
shown = viewer(trace, words(), front=FRONT, origin=origin, first="weights")
photos(trace, pictures, shown, words())
