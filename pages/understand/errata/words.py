"""The texts of the page that checks printed study notes."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class ClaimWords:
    """An erroneous claim. shown: the result of a computation about it."""

    printed: str
    correct: str
    shown: str
    grids: tuple[str, ...] = ()


@dataclass(frozen=True)
class ErrataWords:
    """names, where, why: by the name of the erratum. claims: errata that are not numbers."""

    lesson: Lesson
    choose: str
    names: Mapping[str, str]
    where: Mapping[str, str]
    printed: str
    computed: str
    off: str
    correct: str
    parts: str
    parts_before: str
    parts_nowhere: str
    why: Mapping[str, str]
    claims: Mapping[str, ClaimWords]
    more: str
    opened: str
    check: str
    check_lead: str
    book: str
    books: Mapping[str, str]
    stage: str
    head: str
    pasted: str
    pasted_help: str
    agrees: str
    disagrees: str
    errors: Mapping[str, str]
    code: str


WORDS = load(ErrataWords, __file__)
