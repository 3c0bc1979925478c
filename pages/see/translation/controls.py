"""The controls of the Translation page: the sentence, greedy or beam search, teacher forcing."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.interventions import NONE, Interventions
from core.limits import BEAM
from core.models import translator
from core.models.translator import LONGEST, Confidence, Translation
from views import link, parse
from views.selection import reset_cell
from views.text import Words
from views.widgets.choice import option_input
from views.widgets.sentence_input import FIRST_TEXT, text_input

Search = Literal["greedy", "beam"]
SEARCHES: tuple[Search, ...] = ("greedy", "beam")


@dataclass(frozen=True)
class Inputs:
    """The sentence to translate, and how.

    written: the Chinese sentence. forced: whether teacher forcing is on. given: the forced English
    sentence; ``""`` for the model's own. change: what is changed in the model.
    """

    written: str
    search: Search = "greedy"
    forced: bool = False
    given: str = ""
    change: Interventions = NONE

    def translated(self) -> "Shown":
        """The translation, by search or teacher forcing. Raises core.errors.InputError."""
        return Shown(_translation(self), self.forced, bool(self.change))

    @property
    def beam(self) -> int:
        """The beam width."""
        return BEAM if self.search == "beam" else 1


@dataclass(frozen=True, eq=False)
class Shown:
    """A translation. forced: whether it is by teacher forcing, so that all words are shown.

    changed: whether the model is changed on purpose.
    """

    translation: Translation
    forced: bool
    changed: bool = False

    @property
    def trace(self) -> Trace:
        """The trace of the model, for START and all pieces."""
        return self.translation.trace

    @property
    def probabilities(self) -> np.ndarray:
        """(step, piece), over the whole vocabulary."""
        return self.translation.probabilities

    @property
    def tokens(self) -> tuple[str, ...]:
        """The Chinese words."""
        return self.translation.tokens

    @property
    def ended(self) -> bool:
        """Whether END follows the English words."""
        return self.translation.ended

    @property
    def confidence(self) -> Confidence | None:
        """What the calibration says of the translation; None if it is of another kind."""
        return (
            None if self.forced or self.changed else translator.load().confidence(self.translation)
        )

    @property
    def words(self) -> tuple[str, ...]:
        """The English words and pieces, generated or given."""
        target = translator.load().target
        return tuple(target[piece] for piece in self.translation.pieces)

    @property
    def following(self) -> tuple[int, ...]:
        """The pieces that the steps predict, with END at the end if it was generated."""
        end = (translator.load().end,) if self.ended else ()
        return (*self.translation.pieces, *end)

    @property
    def target(self) -> tuple[str, ...]:
        """The texts of ``following``."""
        return tuple(translator.load().target[piece] for piece in self.following)

    def steps_visible(self, index: int) -> int:
        """The number of steps that are visible while the step at this position is selected."""
        return len(self.following) if self.forced else index + 1


FIRST = Inputs(FIRST_TEXT)


@lru_cache(maxsize=32)  # of all sessions; to compute one and describe it is two thirds of a run
def _translation(inputs: Inputs) -> Translation:
    model = translator.load().changed(inputs.change)
    if inputs.forced and inputs.given.strip():
        source, target = model.tokenize(inputs.written), model.encode_target(inputs.given)
        return model.teacher_forced(source, target)
    return model.translate(inputs.written, inputs.beam)


def translation_input(texts: Words, change: Interventions) -> Inputs:
    """Draw the sentences, and the settings in the sidebar; return their values, and the change."""
    now = link.session()
    before = now.values.get("text")
    written = text_input(
        {label: sample for sample, label in texts.samples.items()}, texts.sentence,
        texts.sentence_help.format(longest=LONGEST), choose=_write, as_typed=True,
    )  # fmt: skip
    if now.adopted is None and written != before:
        _reset()
    link.bind_param("forced", False, parse.flag)
    forced = st.session_state["forced"]
    (link.bind_param if forced else link.preserve_param)("target", "")
    given = _given(texts) if forced else ""
    with st.sidebar:
        search: Search = option_input(
            texts.search,
            "search",
            SEARCHES,
            lambda one: texts.searches[one].format(beam=BEAM),
            help=texts.search_help.format(beam=BEAM),
            disabled=forced,
            on_change=_reset,
        )
        inputs = Inputs(written, search, change=change)
        st.toggle(
            texts.forced, key="forced", help=texts.forced_help, on_change=_force, args=(inputs,)
        )
    return replace(inputs, forced=forced, given=given)


def _given(texts: Words) -> str:
    return st.text_input(
        texts.target,
        key="target",
        placeholder=texts.own,
        help=texts.target_help.format(longest=LONGEST),
        on_change=_reset,
    )


def _write(sentence: str) -> None:
    """Callback: set another Chinese sentence, and discard the forced translation."""
    link.set_value("text", sentence)
    link.set_value("target", "")
    _reset()


def _force(inputs: Inputs) -> None:
    """Callback: start teacher forcing with the model's own translation."""
    if st.session_state["forced"] and not link.session().values.get("target"):
        link.set_value("target", _own_translation(inputs))
    _reset()


def _own_translation(inputs: Inputs) -> str:
    """The model's own translation; ``""`` if the sentence is invalid."""
    model = translator.load()
    try:
        return model.decode(model.translate(inputs.written, inputs.beam).pieces)
    except InputError:
        return ""


def _reset() -> None:
    """Callback: the words changed; reset the selected step and cell."""
    reset_cell()
    link.set_value("word", 0)
