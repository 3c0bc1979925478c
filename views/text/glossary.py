"""The texts of the glossary page: what each term means, in one sentence."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.glossary_term import TermWords
from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class GlossaryWords:
    """The page. terms: by name. groups: headings. places: where a name is in use, such as PyTorch.

    models: by name, the input for which a trained model's shape is shown.
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
