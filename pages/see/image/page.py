from functools import partial

import streamlit as st

from core.errors import InputError
from core.models.pretrained import DINOV2
from core.models.vision import Vision
from pages.see.image.backbone import backbone_view, first_photo, photo_layer
from pages.see.image.controls import (
    about_choice,
    backbone_input,
    first_pictures,
    image_input,
    image_trace,
    implied_source,
    source_input,
)
from pages.see.image.vision_view import vision_view
from views import link
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.scene.steps import ATTENTION
from views.widgets.errors import computed, show_error
from views.widgets.photos import photos
from views.widgets.prose import visually_hidden_title
from views.widgets.viewer import step_viewer

INPUT_STEPS = ("patches", "flattened", "embedding", "sequence", "position")

visually_hidden_title(in_language(PAGE_INFO)["image"].title)
with st.sidebar:
    weights = source_input()


def by_dinov2() -> None:
    try:
        read = partial(backbone_input, words())
        photo, (chosen, trace) = computed(read, photo_layer, first_photo(), words(), weights)
    except InputError as error:  # of the installed files
        show_error(error, "", words())
        return
    link.leave_out("model", implied_source)
    backbone_view(photo, chosen, trace, words())


def by_own_model() -> None:
    read = partial(image_input, weights, words())
    pictures, trace = computed(read, image_trace, first_pictures(weights), words(), weights)
    link.leave_out("model", implied_source)
    if isinstance(pictures.model, Vision):
        vision_view(pictures.model, trace, pictures, words())
        return
    origin = pictures.model.origin
    shown = step_viewer(
        trace, words(), steps=(*INPUT_STEPS, *ATTENTION), origin=origin, first="weights",
        photos=pictures.pixels,
    )  # fmt: skip
    photos(trace, pictures, shown, words())


if weights == DINOV2.name:
    by_dinov2()
else:
    by_own_model()
with st.sidebar:
    about_choice()
