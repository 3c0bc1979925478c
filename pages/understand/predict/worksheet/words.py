"""The words of the printed sheet: the exercise on paper, and its answer key."""

from dataclasses import dataclass

from views.text.load import load


@dataclass(frozen=True)
class WorksheetWords:
    """What stands on the sheet.

    symbols: what each stands for, in LaTeX; M only where there is a mask. how: for each step, what
    is to be done in it.
    """

    title: str
    sheet: str
    key: str
    name: str
    class_: str
    task: str
    given: str
    symbols: dict[str, str]
    how: dict[str, str]
    powers: str
    questions: str
    question: str
    because: str
    again: str


WORDS = load(WorksheetWords, __file__)
