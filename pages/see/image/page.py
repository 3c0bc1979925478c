import streamlit as st

from core.models.vision import Vision
from pages.see.image.controls import (
    Pictures,
    first_pictures,
    image_input,
    image_trace,
    source_input,
)
from pages.see.image.vision_view import vision_view
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.widgets.errors import computed
from views.widgets.photos import photos
from views.widgets.prose import visually_hidden_title
from views.widgets.viewer import step_viewer

INPUT_STEPS = ("patches", "flattened", "embedding", "sequence", "position")

visually_hidden_title(in_language(PAGE_INFO)["image"].title)
with st.sidebar:
    weights = source_input()


def read() -> Pictures:
    with st.sidebar:
        return image_input(weights, words())


pictures, trace = computed(read, image_trace, first_pictures(weights), words(), weights)
if isinstance(pictures.model, Vision):
    vision_view(pictures.model, trace, pictures, words())
else:
    origin = pictures.model.origin
    shown = step_viewer(
        trace, words(), steps=(*INPUT_STEPS, *ATTENTION), origin=origin, first="weights",
        photos=pictures.pixels,
    )  # fmt: skip
    photos(trace, pictures, shown, words())
