import streamlit as st

from core.errors import InputError
from views.reader import words
from views.widgets.errors import show_error
from views.widgets.sentence_input import sentence_input, sentence_trace
from views.widgets.viewer import viewer

FRONT = ("tokens", "embedding", "position")

with st.sidebar:
    written, mode, model = sentence_input(words())

try:
    trace = sentence_trace(written, mode, model)
except InputError as error:
    show_error(error, words())
else:
    viewer(trace, words(), front=FRONT, origin=model.origin(words()))
