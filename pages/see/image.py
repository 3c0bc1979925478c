import streamlit as st

from core.errors import InputError
from views.reader import words
from views.widgets.errors import show_error
from views.widgets.image_input import image_input, image_trace
from views.widgets.photos import photos
from views.widgets.viewer import viewer

FRONT = ("patches", "flattened", "embedding", "sequence", "position")

try:
    with st.sidebar:
        chosen = image_input(words())
    trace = image_trace(chosen)
except InputError as error:
    show_error(error, words())
else:
    shown = viewer(
        trace, words(), front=FRONT, origin=chosen.model.origin(words()), first="weights"
    )
    photos(trace, chosen, shown, words())
