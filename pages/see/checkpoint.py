from core.errors import InputError
from core.models.folder import checkpoints
from views.models_folder import models_folder
from views.reader import words
from views.widgets.checkpoint.asked import asked, which
from views.widgets.checkpoint.bring import how_to_bring_one, told_closed
from views.widgets.checkpoint.chosen import opened
from views.widgets.checkpoint.computed import computed_or_told
from views.widgets.checkpoint.held import hold_link
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.prose import unseen_title

place = models_folder()
found = checkpoints(place) if place else {}


def page() -> None:
    unseen_title(words().pages["checkpoint"])
    name = which(found)
    try:
        model = opened(found[name])
    except InputError as error:
        told_closed(error, tuple(found), words())
        return
    shown = computed_or_told(model, chosen_layer(model), lambda: asked(model, words()), words())
    if shown:
        checkpoint_view(*shown, words())


if found:
    page()
else:
    how_to_bring_one()
hold_link()
