"""The words of the page Predict."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class PredictWords:
    """The controls, what is said about a guess, and the sheets to be printed.

    presets, covers: what can be chosen; hints: what a click does for each of the covers.
    parts: which half of a pair a sheet is. steps: those of which cells can be covered.
    """

    lesson: Lesson
    preset: str
    presets: dict[str, str]
    causal: str
    stage: str
    head: str
    cover: str
    covers: dict[str, str]
    hints: dict[str, str]
    seed: str
    stage_is_not_there: str
    left_out: str
    struck: str
    progress: str
    all_found: str
    cover_again: str
    asked: str
    typed: str
    check: str
    reveal: str
    leave_open: str
    which: str
    not_largest: str
    too_large: str
    too_small: str
    near: str
    coarse: str
    finite: str
    infinite: str
    unreadable: str
    right: str
    picked: str
    tie: str
    revealed: str
    guesses: str
    nothing_yet: str
    paper: str
    paper_about: str
    worksheet: str
    download: str
    preview: str
    previewed: dict[str, str]
    code: str
    steps: dict[str, str]


WORDS = load(PredictWords, __file__)
