"""The words of the page "Words for other books": what each term means, in one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.glossary_term import TermWords
from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class GlossaryWords:
    """The table of terms. terms: by name; places: where a name is met; groups: their headings.

    models: by name, on what input a trained model has the shape that is shown.
    """

    lesson: Lesson
    parts: Mapping[str, str]
    find: str
    find_hint: str
    nothing: str
    several: str
    asked: str
    yours: str
    see: str
    words_here: str
    groups: Mapping[str, str]
    models: Mapping[str, str]
    places: Mapping[str, str]
    terms: Mapping[str, TermWords]


WORDS = load(GlossaryWords, __file__)
