"""The words of the contents of the chapter *Today*."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class TodayWords:
    """variants: the heading above the pages."""

    lesson: Lesson
    variants: str


WORDS = load(TodayWords, __file__)
