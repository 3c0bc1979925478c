"""The texts of the page of common mistakes."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class AlarmWords:
    """An invariant, and what is measured, in one ``{head}`` if it is about heads."""

    holds: str
    measured: str


@dataclass(frozen=True)
class BreakItWords:
    """names: of the mistakes. reads: a sentence about each. alarms: the invariants."""

    lesson: Lesson
    text: str
    heads: str
    d_k: str
    seed: str
    mistake: str
    names: Mapping[str, str]
    head: str
    one_head: str
    right: str
    broken: str
    difference: str
    off: str
    off_by: str
    reads: Mapping[str, str]
    harmless: str
    no_product: str
    says_numpy: str
    make_square: str
    cannot_square: str
    alarm_title: str
    alarm: str
    columns: tuple[str, str, str]
    alarms: Mapping[str, AlarmWords]
    predict: str
    question: str
    ring: str
    guessed: str
    missed: str
    code: str
    code_right: str
    code_wrong: str
    all_alarms: str
    origin: str


WORDS = load(BreakItWords, __file__)
