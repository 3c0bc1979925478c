"""The words of the page of one head or many."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class HeadsWords:
    """Each part of the page is a question, and what the numbers say to it."""

    lesson: Lesson
    text: str
    d_model: str
    heads: str
    seed: str
    head: str
    cost: str
    multiply_adds: str
    parts: tuple[str, ...]
    columns: tuple[str, ...]
    cost_says: str
    why: str
    why_one: str
    why_many: str
    why_random: str
    packed: str
    packed_says: str
    rounding: str
    exact: str
    split: str
    split_says: str
    split_one: str
    packed_note: str
    right: str
    wrong: str
    wrong_note: str
    wrong_row: str
    adds: str
    mute: str
    contribution: str
    contribution_note: str
    without: str
    difference: str
    silent: str
    adds_says: str
    mute_says: str
    mute_none: str
    sum_says: str
    list_mark: str
    code: str


WORDS = load(HeadsWords, __file__)
