"""The words of the page on shared key and value heads."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class GroupedQueryWords:
    """names: of attention with as many key heads as query heads, with fewer, and with one.

    says: what the numbers say of the chosen number, by whether it is that of training, more, or
    fewer with a model that predicts worse or no worse.
    """

    lesson: Lesson
    kv_heads: str
    choice: str
    trained: str
    names: dict[str, str]
    claim: str
    as_trained: str
    chosen: str
    difference: str
    head: str
    shared: str
    weights: str
    says: dict[str, str]
    columns: tuple[str, ...]
    of_decoder: str
    of_named: str
    named_columns: tuple[str, ...]
    cache: str
    tokens: str
    cache_axis: str
    multiply_adds: str
    papers: tuple[tuple[str, ...], ...]


WORDS = load(GroupedQueryWords, __file__)
