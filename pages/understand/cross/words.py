"""The texts of the page on self- and cross-attention."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class CrossWords:
    """The controls, the picture of the flow, two comparisons and three questions."""

    lesson: Lesson
    source: str
    sources: dict[str, str]
    query_text: str
    key_text: str
    text_help: str
    swap: str
    seed: str
    seed_help: str
    flow_self: str
    flow_cross: str
    special: str
    special_read: str
    special_self: str
    special_fed: str
    swapped: str
    swapped_read: str
    swapped_before: str
    swapped_after: str
    first_head: str
    questions: str
    lengths: str
    lengths_read: tuple[str, ...]
    four: str
    meaning: str
    place: str
    ordinals: tuple[str, ...]
    meanings: tuple[str, ...]
    four_same: str
    four_read: str
    four_batch: str
    again: str
    again_read: str
    again_pair: str
    code: str


WORDS = load(CrossWords, __file__)
