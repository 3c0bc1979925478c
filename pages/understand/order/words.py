"""The words of the page Order."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class OrderWords:
    """The controls, the two comparisons and the sinusoids.

    rows: what moves along in each stage that is compared. noun: a piece of each kind.
    """

    lesson: Lesson
    kind: str
    kinds: dict[str, str]
    text: str
    text_help: str
    picture: str
    columns: str
    seed: str
    seed_help: str
    causal: str
    causal_help: str
    pieces: dict[str, str]
    reversed: str
    shuffled: str
    given: str
    compared: str
    stages: dict[str, str]
    rows: dict[str, str]
    noun: dict[str, str]
    without: str
    with_position: str
    of_given: str
    of_other: str
    difference: str
    from_row: str
    by: str
    same_exactly: str
    same_rounded: str
    hidden: str
    not_hidden: str
    changed: str
    stayed: str
    nothing_moved: str
    waves: str
    waves_lead: str
    width: str
    place: str
    column: str
    distance: str
    product: str
    from_place: str
    formula: str
    waves_read: str
    code: str


WORDS = load(OrderWords, __file__)
