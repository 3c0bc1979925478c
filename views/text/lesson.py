"""The texts that every page of the chapter ``understand`` has."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class Lesson:
    """title: the headline. lead: the question and what to try. learnt: one sentence at the end."""

    title: str
    lead: str
    learnt: str


@dataclass(frozen=True)
class ChapterWords:
    """The header and footer of the chapter's pages, and the contents page."""

    lesson: Lesson
    learnt: str
    this_view: str
    next: str
    by_hand: str
    experiments: str
    more: str


CHAPTER = load(ChapterWords, __file__)
