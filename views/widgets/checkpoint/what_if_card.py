"""What an opened model's next token depends on: what changes do to it, and what mattered for it."""

from collections.abc import Callable, Iterator, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Trace
from core.interventions import PATCHES
from core.models.effects import Effect
from core.models.opened_model import Checkpoint
from core.models.relevance import Relevance
from core.sources.visible import as_word
from views.widgets.checkpoint.cached_layers import (
    mattered,
    next_probabilities,
    passed_text,
    read_behind_layers,
)
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.head_overview import HeadLink, opening_head
from views.widgets.head_effects import BARS, Muting, head_effects
from views.widgets.interventions import (
    Intervened,
    before_and_after,
    rows_of,
    what_if,
    what_if_card,
)
from views.widgets.relevance import Asked, relevance_asked

OUTCOMES = 8  # likeliest tokens to choose from


def next_token_changes(
    of: Intervened[Checkpoint], chosen: Chosen, trace: Trace, head: int, predicts: bool
) -> DeltaGenerator | None:
    """Draw the changes, and what they do to the next token.

    trace: of the chosen layer. head: the chosen one, from 0. predicts: whether a decoder's next
    token is shown. Returns the room for ``next_token_effects``; None without a next token, and
    while the changes are closed.
    """
    card = what_if_card()
    if not card.open:
        return None
    with card:
        left, right = st.columns([6, 5]) if predicts else (st.container(), None)
        with left:
            patches = PATCHES if isinstance(chosen.given, str) else ()
            names = trace[f"{chosen.attention}/X"].axis("token").names() or ()
            rows = rows_of(trace, chosen.attention, head)
            what_if(of.error, chosen.layer, head + 1, names, patches=patches, rows=rows)
            if of.is_changed and predicts:
                before, after = (
                    next_probabilities(chosen, one, of.plain) for one in (of.plain, of.model)
                )
                before_and_after(before, after, _word_of(chosen.model), "token")
        return right.container(key="effects_card") if right else None


def next_token_relevance(chosen: Chosen, plain: Checkpoint) -> Asked:
    """Which tokens mattered for a next one, if the link asks. plain: the model without changes."""
    model = chosen.model

    def read() -> tuple[list[str], Sequence[str], str]:
        names = model.encode(str(chosen.given)).tokens
        likeliest = read_behind_layers(chosen, plain)[-1].numbers[:OUTCOMES]
        return [*map(_word_of(model), likeliest)], names, names[-1]

    def measure(outcome: int) -> Relevance:
        passed = passed_text(chosen, plain)
        return mattered(chosen, passed, read_behind_layers(chosen, plain)[-1], outcome)

    return relevance_asked(read, measure)


def _word_of(model: Checkpoint) -> Callable[[int], str]:
    return lambda number: as_word(model.name_of(number))


def next_token_effects(
    room: DeltaGenerator, of: Intervened[Checkpoint], chosen: Chosen, head: int, target: int
) -> None:
    """Draw what every head does for a next token, by its id. head: the chosen one, from 0."""
    model = chosen.model

    def measure(progress: Callable[[int, int], None], known: int) -> Iterator[Effect]:
        return model.effects(passed_text(chosen, of.plain), target, progress, known)

    with room:
        head_effects(
            Muting(
                (model, chosen.given, target), model.layers, model.heads,
                HeadLink(chosen.layer, head + 1), target, _word_of(model), measure,
                opening_head(model, BARS),
            )
        )  # fmt: skip
