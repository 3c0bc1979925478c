"""What every page of the chapter says: a question, and at the end what was learnt."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class Lesson:
    """title: the headline; lead: the question and what to try; learnt: one sentence at the end."""

    title: str
    lead: str
    learnt: str


@dataclass(frozen=True)
class ChapterWords:
    """The frame around the pages of the chapter, and its contents page.

    about: one line for each page, by its name in the URL.
    """

    lesson: Lesson
    learnt: str
    this_view: str
    next: str
    by_hand: str
    experiments: str
    more: str


CHAPTER = load(ChapterWords, __file__)
