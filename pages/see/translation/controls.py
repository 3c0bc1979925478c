"""The controls of the Translation page: the sentence, how it is searched for, teacher forcing."""

from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.models import translator
from core.models.translator import BEAM, LONGEST, Translation
from pages.see.translation.words import InputWords
from views import link, parse
from views.selection import reset_cell

Search = Literal["greedy", "beam"]
SEARCHES: tuple[Search, ...] = ("greedy", "beam")
SAMPLES = (
    "我爱北京",
    "你想吃什么？",
    "小猫在沙发上睡觉",
    "我的朋友不喜欢喝咖啡",
    "汤姆和玛丽每天在图书馆学习英语",
)


@dataclass(frozen=True)
class Inputs:
    """What is to be translated. given: the English that is forced; ``""`` for the model's own."""

    written: str
    search: Search = "greedy"
    forced: bool = False
    given: str = ""

    def translated(self) -> "Shown":
        """The translation, searched for or forced. Raises core.errors.InputError."""
        model = translator.load()
        if self.forced and self.given.strip():
            return Shown(model.forced(model.cut(self.written), model.read_target(self.given)), True)
        return Shown(model.translate(self.written, self.beam), self.forced)

    @property
    def beam(self) -> int:
        """How many beginnings are kept at once."""
        return BEAM if self.search == "beam" else 1


@dataclass(frozen=True, eq=False)
class Shown:
    """A translation as it is shown. forced: whether all words are there from the beginning."""

    translation: Translation
    forced: bool

    @property
    def trace(self) -> Trace:
        """Every stage, for START and all pieces."""
        return self.translation.trace

    @property
    def probabilities(self) -> np.ndarray:
        """(place, piece), of every piece of the vocabulary."""
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
    def words(self) -> tuple[str, ...]:
        """The English words and pieces, chosen or given."""
        target = translator.load().target
        return tuple(target[piece] for piece in self.translation.pieces)

    @property
    def following(self) -> tuple[int, ...]:
        """The pieces that the steps predict, END behind them where it came to that."""
        end = (translator.load().end,) if self.ended else ()
        return (*self.translation.pieces, *end)

    @property
    def target(self) -> tuple[str, ...]:
        """The same by name."""
        return tuple(translator.load().target[piece] for piece in self.following)

    def there(self, place: int) -> int:
        """How many of these steps are there when the reader looks at the one at this place."""
        return len(self.following) if self.forced else place + 1


FIRST = Inputs(SAMPLES[0])


def asked_input(texts: InputWords) -> Inputs:
    """Draw the controls and return their values."""
    link.bind_param("text", SAMPLES[0])
    written = st.text_input(
        texts.sentence,
        key="text",
        help=texts.sentence_help.format(longest=LONGEST),
        on_change=_anew,
    )
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, sample in enumerate(SAMPLES):
            st.button(sample, key=f"sample_{number}", on_click=_write, args=(sample,))
    link.bind_param("forced", False, parse.flag, parse.written_flag)
    (link.bind_param if st.session_state["forced"] else link.preserve_param)("target", "")
    link.bind_param("search", SEARCHES[0], parse.one_of(SEARCHES))
    search = st.segmented_control(
        texts.search,
        SEARCHES,
        key="search",
        format_func=lambda one: texts.searches[one].format(beam=BEAM),
        help=texts.search_help.format(beam=BEAM),
        disabled=st.session_state["forced"],
        required=True,
        on_change=_anew,
    )
    found = Inputs(written, cast(Search, search))
    forced = st.toggle(
        texts.forced, key="forced", help=texts.forced_help, on_change=_force, args=(found,)
    )
    return replace(found, forced=forced, given=_given(texts) if forced else "")


def _given(texts: InputWords) -> str:
    return st.text_input(
        texts.target,
        key="target",
        placeholder=texts.own,
        help=texts.target_help.format(longest=LONGEST),
        on_change=_anew,
    )


def _write(sentence: str) -> None:
    """Callback: another Chinese sentence. What was given for the one before fits no more."""
    link.set_value("text", sentence)
    link.set_value("target", "")
    _anew()


def _force(found: Inputs) -> None:
    """Callback: begin with the model's own words, to be changed."""
    if st.session_state["forced"] and not link.session().values.get("target"):
        link.set_value("target", _own(found))
    _anew()


def _own(found: Inputs) -> str:
    """The model's translation; no word where the sentence cannot be read."""
    model = translator.load()
    try:
        return model.sentence(model.translate(found.written, found.beam).pieces)
    except InputError:
        return ""


def _anew() -> None:
    """Callback: other words, so no step of them is chosen yet, nor a cell."""
    reset_cell()
    link.set_value("word", 0)
