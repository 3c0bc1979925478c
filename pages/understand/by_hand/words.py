"""The texts of the page "by hand"."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class StoryWords:
    """The explanation of the numbers of a preset."""

    translation: str
    translation_row: str
    mixed: str
    picked: str
    reading: str
    reading_row: str
    filling: str
    whole: str
    heads: str
    heads_output: str


@dataclass(frozen=True)
class SheetStages:
    """Texts of steps that differ from other pages, because the matrices are given.

    absent: why a step is missing. given: the text of a given Q, K or V. divided: the step scaled
    with a divisor other than √d_k.
    """

    absent: dict[str, str]
    given: dict[str, str]
    divided_title: str
    divided: str
    undivided: str
    parameter: str


@dataclass(frozen=True)
class EditWords:
    """The table in which everything can be edited.

    followed: of a pasted matrix of another size, and what changed with it, of_tokens among it.
    """

    title: str
    matrix: str
    head: str
    head_number: str
    row: str
    hint: str
    tokens: str
    tokens_help: str
    computed: dict[str, str]
    write: str
    compute: str
    paste: str
    paste_help: str
    put: str
    upload: str
    upload_help: str
    save: str
    save_all: str
    more: str
    undo: str
    redo: str
    reset: str
    kept: str
    followed: str
    of_tokens: str


@dataclass(frozen=True)
class ChangeWords:
    """How much changed, and where."""

    title: str
    against: str
    bases: dict[str, str]
    largest: str
    most: dict[str, str]
    resized: str
    here: str
    before: str
    difference: str
    none_here: str
    nothing: str


@dataclass(frozen=True)
class ConventionWords:
    """label: of the control. options: by their names in the URL. note: shown for columns."""

    label: str
    options: dict[str, str]
    note: str


@dataclass(frozen=True)
class ByHandWords:
    """The page."""

    lesson: Lesson
    preset: str
    presets: dict[str, str]
    divisor: str
    divisors: dict[str, str]
    origin: str
    story_title: str
    story: StoryWords
    stages: SheetStages
    edit: EditWords
    changes: ChangeWords
    convention: ConventionWords


WORDS = load(ByHandWords, __file__)
