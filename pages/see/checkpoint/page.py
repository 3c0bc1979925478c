from functools import partial

from core.errors import InputError
from core.models.folder import checkpoints
from pages.see.checkpoint.bring import bring_above, how_to_bring_one, told_closed
from pages.see.checkpoint.controls import asked, origin, which
from pages.see.checkpoint.held import hold_link
from views.models_folder import models_folder, shipped
from views.page_info import PAGE_INFO
from views.preferences import in_language, words
from views.widgets.checkpoint.chosen import opened
from views.widgets.checkpoint.computed import computed_or_told
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.model_card import model_card
from views.widgets.prose import visually_hidden_title

CARDS = {"vit": "vision"}  # the same weights in another layout
place = models_folder()
found = checkpoints(place) if place else shipped()


def page() -> None:
    visually_hidden_title(in_language(PAGE_INFO)["checkpoint"].title)
    if place is None:
        bring_above()
    name = which(found)
    try:
        model = opened(found[name], name, "checkpoint" if place else "trained")
    except InputError as error:
        told_closed(error, tuple(found), words())
        return
    shown = computed_or_told(model, chosen_layer(model), lambda: asked(model, words()), words())
    if shown:
        checkpoint_view(*shown, words(), origin=partial(origin, shown[0]))
        if place is None:
            model_card(CARDS.get(name, name), words())


if found:
    page()
else:
    how_to_bring_one()
hold_link()
