from functools import partial

from core.errors import InputError
from core.models.checkpoint import towers_of
from core.models.installed import checkpoints, models_folder, shipped, unopenable
from pages.see.checkpoint.controls import (
    checkpoint_input,
    chosen_tower,
    example,
    first_that_opens,
    none_opens,
    origin,
    preserve_rest,
    tokens_read,
    which,
    writing_link,
)
from pages.see.checkpoint.instructions import bring_above, how_to_bring_one, why_closed
from pages.see.checkpoint.tensors import dropped_tensors, tensors_input, tensors_view
from pages.see.checkpoint.text_to_text import text_to_text_view
from pages.see.checkpoint.verified import verified
from views.navigation import PAGE_INFO
from views.preferences import in_language, words
from views.widgets.checkpoint.cached_layers import computed_layer
from views.widgets.checkpoint.chosen_input import opened
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.interventions import intervened
from views.widgets.model_card import model_card
from views.widgets.prose import visually_hidden_title

CARDS = {"vit": "vision"}  # the same weights in another layout
folder = models_folder()
own = checkpoints(folder) if folder else {}
reasons = unopenable(folder, own) if folder else {}
ours = {name: folder for name, folder in shipped().items() if name not in {**own, **reasons}}
found = {**own, **ours}


def page() -> None:
    visually_hidden_title(in_language(PAGE_INFO)["checkpoint"].title)
    if folder is None:
        bring_above()
    opens = first_that_opens(own)
    name = which(found, reasons, opens or next(iter(ours or own)))
    if folder and not opens and name in ours:
        none_opens(name)
    try:
        if name in reasons:
            raise reasons[name]
        tower = chosen_tower(towers_of(found[name]))
        model = opened(found[name], name, "trained" if name in ours else "checkpoint", tower)
    except InputError as error:
        why_closed(error, tuple(found), words())
        return
    if model.text_to_text:
        text_to_text_view(model, model.text_to_text)
        return
    of = intervened(model, partial(tokens_read, model), causal=model.config.causal)
    model = of.model
    layer = chosen_layer(model)
    shown = computed_layer(
        model, layer, lambda: checkpoint_input(model, words()), words(), example(model)
    )
    if shown:
        checkpoint_view(*shown, words(), origin=origin, of=of)
        writing_link(shown[0], name)
        if name in own:
            verified(own[name])
        if name in ours:
            model_card(CARDS.get(name, name), words())


tensors = dropped_tensors(words())
if tensors:
    visually_hidden_title(in_language(PAGE_INFO)["checkpoint"].title)
    tensors_view(tensors, words())
elif own or reasons or (ours and folder is None):
    page()
else:
    how_to_bring_one()
tensors_input()
preserve_rest()
