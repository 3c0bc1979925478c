"""The questions that learners ask again and again, and a short answer to each."""

from collections.abc import Mapping
from dataclasses import dataclass

from views.text.load import load

ASKED = (  # the question, and the page of the experiment that answers it at length
    ("transpose", "by_hand"),
    ("axis", "softmax"),
    ("root", "scaling"),
    ("shape", "sizes"),
    ("again", "cross"),
    ("lengths", "cross"),
    ("view", "break_it"),
    ("bias", "softmax"),
    ("heads", "heads"),
    ("position", "order"),
)


@dataclass(frozen=True)
class Question:
    """asked: the question. answer: its paragraphs. titles: what the matrices below are called."""

    asked: str
    answer: tuple[str, ...]
    titles: tuple[str, ...]


@dataclass(frozen=True)
class QuestionsWords:
    """given: what the numbers are computed from. more: the way to the experiment."""

    given: str
    more: str
    sum: str
    questions: Mapping[str, Question]


QUESTIONS = load(QuestionsWords, __file__)
