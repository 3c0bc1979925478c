"""What if, of an opened model: its changes, and what they do to the next token."""

from collections.abc import Callable, Iterator, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.models.effects import Effect
from core.models.opened_model import Checkpoint
from views.widgets.checkpoint.cached_layers import next_probabilities, passed_text
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.head_overview import HeadLink, opening_head
from views.widgets.interventions import (
    BARS,
    Intervened,
    Muting,
    before_and_after,
    effects_board,
    what_if,
)


def what_if_card(
    of: Intervened[Checkpoint], chosen: Chosen, head: int, names: Sequence[str], predicts: bool
) -> DeltaGenerator | None:
    """Draw the changes, and what they do to the next token.

    head: the chosen one, from 0. names: of the tokens. predicts: whether a decoder's next token is
    shown. Returns the room for ``next_token_board``; None without a next token.
    """
    with st.container(border=True, key="what_if_card"):
        left, right = st.columns([6, 5]) if predicts else (st.container(), None)
        with left:
            patches = isinstance(chosen.given, str) and chosen.model.config.pre_norm
            what_if(of.error, chosen.layer, head + 1, names, patches=patches)
            if of.is_changed and predicts:
                before, after = (
                    next_probabilities(chosen, one, of.plain) for one in (of.plain, of.model)
                )
                before_and_after(before, after, chosen.model.name_of, "token")
        return right.container(key="effects_card") if right else None


def next_token_board(
    room: DeltaGenerator, of: Intervened[Checkpoint], chosen: Chosen, head: int, target: int
) -> None:
    """Draw what every head does for a next token, by its id. head: the chosen one, from 0."""
    model = chosen.model

    def measure(progress: Callable[[int, int], None], known: int) -> Iterator[Effect]:
        return model.effects(passed_text(chosen, of.plain), target, progress, known)

    with room:
        effects_board(
            Muting(
                (model, chosen.given, target), model.layers, model.heads,
                HeadLink(chosen.layer, head + 1), target, model.name_of, measure,
                opening_head(model, BARS),
            )
        )  # fmt: skip
