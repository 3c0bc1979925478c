"""The words of the page of masks."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class MasksWords:
    """about: what a mask is for. ways: what stands in a forbidden cell, by the name in ``core``.

    says, empty: what the numbers say, by way: of a row that loses something, and of one that has
    nothing left.
    """

    lesson: Lesson
    input: str
    inputs: dict[str, str]
    text: str
    length: str
    seed: str
    masks: str
    mask_names: dict[str, str]
    about: dict[str, str]
    near: str
    reach: str
    strike_row: str
    clear: str
    composed: str
    allowed: str
    allowed_note: str
    may_caption: str
    relit_caption: str
    way: str
    ways: dict[str, str]
    sum: str
    softmax: str
    struck_after: str
    says: dict[str, str]
    nothing_forbidden: str
    empty: dict[str, str]
    list_mark: str
    patch: str
    compare: str
    columns: tuple[str, ...]
    from_to: str
    code: str


WORDS = load(MasksWords, __file__)
