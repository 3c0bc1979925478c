"""A layer of an opened model, and all of its heads, computed once and kept for the session."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.experiments.head_patterns import HeadPattern
from core.limits import LIMITS, Limits
from core.models.checkpoint import Checkpoint, Progress
from core.models.prediction import Prediction
from views import link
from views.preferences import in_language
from views.text import CHECKPOINT, Words
from views.text.spans import plain
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.errors import show_error

LONG = 10**10  # multiply-adds, from which on a reader is told how far it is: about half a second
BOUND = replace(LIMITS, trace_bytes=LIMITS.kept_bytes)

Given = str | np.ndarray
Heads = tuple[tuple[HeadPattern | None, ...], ...]
Made = TypeVar("Made")


@dataclass
class Kept:
    """The last layer that was computed; beside it only Entering and Surveyed are held on to."""

    chosen: Chosen
    trace: Trace


@dataclass(frozen=True)
class Entering:
    """What enters the layers of one input, those too that a run left behind when it was ended."""

    chosen: Chosen
    streams: dict[int, np.ndarray]


@dataclass(frozen=True)
class Surveyed:
    """The last survey: what was read, and every head of every layer."""

    chosen: Chosen
    heads: Heads


@dataclass(frozen=True)
class Predicted:
    """The last prediction: what was read, and what comes next."""

    chosen: Chosen
    made: Prediction


@dataclass
class Computed:
    """What is kept of an opened model from one run to the next."""

    kept: Kept | None = None
    entering: Entering | None = None
    surveyed: Surveyed | None = None
    predicted: Predicted | None = None


def computed_or_told(
    model: Checkpoint,
    layer: int,
    read: Callable[[], Given],
    words: Words,
    example: Given | None = None,
    head: int = 0,
) -> tuple[Chosen, Trace] | None:
    """A layer with every stage of it; where that cannot be: why, and the last good.

    read: what the model is given, from the reader. Where it cannot be read, the layer is that of
    the last one that could, or else of the example. None where there is none of either. head: see
    ``Chosen``.
    """
    known = link.remembered(Computed).kept
    before = known if known is not None and known.chosen.model is model else None
    room = st.container(key="computing")  # always there, or what stands below would be made anew
    wrong: InputError | None = None
    given: Given | None
    with st.container():  # likewise
        try:
            given = read()
        except InputError as error:
            wrong, given = error, before.chosen.given if before else None
    kept = before
    if given is not None:
        try:
            with room:
                kept = _kept(Chosen(model, given, layer, head), before)
        except InputError as error:
            wrong = wrong or error
    below = words.last_good if kept else ""
    if kept is None and example is not None:
        with suppress(InputError):  # of a model that is too large for any text; ``wrong`` says it
            kept, below = _kept(Chosen(model, example, layer, head), None), words.example
    if wrong:
        with room:
            show_error(wrong, below, words)
    if kept is None:
        return None
    link.remembered(Computed).kept = kept
    return kept.chosen, kept.trace


def _kept(chosen: Chosen, before: Kept | None) -> Kept:
    same = before is not None and before.chosen.reads_the_same(chosen)
    if before is not None and same and _place(before.chosen) == _place(chosen):
        return before
    trace = _telling(
        chosen,
        chosen.layer,
        lambda told: chosen.model.run(
            chosen.given, chosen.layer, told, limits=bound_of(chosen.model),
            streams=_entering(chosen), head=chosen.head,
        ),
    )  # fmt: skip
    return Kept(chosen, trace)


def _place(chosen: Chosen) -> tuple[int, int]:
    return chosen.layer, chosen.head


def bound_of(model: Checkpoint) -> Limits:
    """The limits of what is kept: a sound of thirty seconds takes more than a text or a photo."""
    return LIMITS if model.listens else BOUND


def _entering(chosen: Chosen) -> dict[int, np.ndarray]:
    """What is known to enter the layers, for ``Checkpoint.run`` to begin with and to add to."""
    now = link.remembered(Computed)
    if now.entering is None or not now.entering.chosen.reads_the_same(chosen):
        now.entering = Entering(chosen, {})
    return now.entering.streams


def surveyed(chosen: Chosen) -> Heads:
    """What every head does with what was chosen, by layer and head.

    Raises what ``core.models.checkpoint.Checkpoint.survey`` raises.
    """
    now = link.remembered(Computed)
    if now.surveyed is None or not now.surveyed.chosen.reads_the_same(chosen):
        heads = _telling(
            chosen,
            chosen.model.layers,
            lambda told: chosen.model.survey(
                chosen.given, told, limits=bound_of(chosen.model), streams=_entering(chosen)
            ),
        )
        now.surveyed = Surveyed(chosen, heads)
    return now.surveyed.heads


def predicted(chosen: Chosen) -> Prediction:
    """What the model takes for the next token of the text that was chosen.

    Raises what ``core.models.checkpoint.Checkpoint.predict`` raises.
    """
    now, text = link.remembered(Computed), chosen.given
    assert isinstance(text, str)
    if now.predicted is None or not now.predicted.chosen.reads_the_same(chosen):
        made = _telling(
            chosen,
            chosen.model.layers,
            lambda told: chosen.model.predict(text, told, limits=BOUND, streams=_entering(chosen)),
        )
        now.predicted = Predicted(chosen, made)
    return now.predicted.made


def _telling(chosen: Chosen, layers: int, run: Callable[[Progress | None], Made]) -> Made:
    """Compute so many layers, and tell how far it is where that takes longer than a moment."""
    said, place = in_language(CHECKPOINT), st.empty()

    def told(done: int, layer: int) -> None:
        place.progress(done / layer, plain(said.running.format(done=done, layer=layer)))

    try:
        return run(told if chosen.multiply_adds * layers >= LONG else None)
    finally:
        place.empty()
