"""One's own model on its page: its layers, the map of one of them, and any part in the viewer."""

from functools import partial

import streamlit as st

from core import Trace
from pages.see.checkpoint.board import board, board_asked
from pages.see.checkpoint.chosen import Chosen
from pages.see.checkpoint.following import PART, following, foretold, with_prediction
from pages.see.checkpoint.layers import chosen_part_of, layers
from pages.see.checkpoint.seen import begins, photos_beside, seen_card
from pages.see.checkpoint.special import hidden, special_of, special_tokens
from pages.see.checkpoint.words import WORDS
from views.reader import in_language
from views.selection import Selection
from views.text import Words
from views.widgets.model_map import Whole, chosen_part
from views.widgets.part_viewer import part_viewer


def checkpoint_view(chosen: Chosen, trace: Trace, words: Words) -> None:
    """Show a layer of the model."""
    said, model = in_language(WORDS), chosen.model
    made = foretold(chosen)
    trace = with_prediction(chosen, trace, made)
    path = chosen_part_of(chosen.layer, f"{PART}/probabilities" in trace)
    whole = Whole(said.called[model.sizes.kind], model.layers)
    special = special_of(chosen)
    veiled = hidden(special)

    def lead(selection: Selection) -> None:
        with st.container(horizontal=True, gap="medium", key="layer_row"):
            layers(model, chosen.layer)
            special_tokens(special, chosen, trace, selection)
            compare = board_asked(chosen)
        following(chosen, made, words)
        if compare:
            board(chosen, selection.at["head"], special.names, words)
        seen_card(chosen, trace, selection, words)
        chosen_part(trace, chosen.attention, words, veiled, whole)

    start = begins(chosen, trace)
    shown = part_viewer(
        trace, path, words, origin=partial(origin, chosen), start=start, lead=lead, hidden=veiled,
        photos=None if isinstance(chosen.given, str) else chosen.given[None],
    )  # fmt: skip
    photos_beside(chosen, trace, path, shown, words)


def origin(chosen: Chosen, words: Words) -> str:
    """Where the weights come from, in words."""
    return WORDS[words.code].origin.format(
        name=chosen.model.name, layer=chosen.layer, layers=chosen.model.layers
    )
