"""The words of the page on rotary positions."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class RotaryWords:
    """turning: in the component that is dragged. tables: names of the ways to say a position.

    kinds: the other positions by their names in the link; says: what the numbers say of each.
    cost_rows: names in the table of costs.
    """

    lesson: Lesson
    head: str
    query: str
    key: str
    back: str
    claim: str
    turning_is: str
    turning: dict[str, str]
    distance: str
    distance_is: str
    tables: dict[str, str]
    cell: str
    distance_says: str
    others: str
    other: str
    kinds: dict[str, str]
    as_trained: str
    chosen: str
    difference: str
    head_name: str
    weights: str
    says: dict[str, str]
    of_decoder: str
    of_named: str
    columns: tuple[str, ...]
    cost_rows: dict[str, str]
    same_cache: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(RotaryWords, __file__)
