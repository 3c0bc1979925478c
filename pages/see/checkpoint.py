import streamlit as st

from core.errors import InputError
from core.models.folder import checkpoints
from views.models_folder import models_folder
from views.reader import words
from views.widgets.checkpoint.asked import asked, which
from views.widgets.checkpoint.bring import how_to_bring_one
from views.widgets.checkpoint.chosen import opened
from views.widgets.checkpoint.computed import computed_or_told
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.errors import show_error

place = models_folder()
found = checkpoints(place) if place else {}


def page() -> None:
    with st.sidebar:
        name = which(found)
    try:
        model = opened(found[name])
        with st.sidebar:
            chosen = asked(model, words())
    except InputError as error:
        show_error(error, "", words())
        return
    shown = computed_or_told(chosen, words())
    if shown:
        checkpoint_view(*shown, words())


if found:
    page()
else:
    how_to_bring_one()
