"""The words of the page of masks."""

from dataclasses import dataclass

from views.text.lesson import Lesson
from views.text.load import load


@dataclass(frozen=True)
class MasksWords:
    """about: what a mask is for. ways: what stands in a forbidden cell, by the name in ``core``.

    convention, conventions, written_so, wholes: how libraries write masks, by the name in ``core``:
    the choice, which parameters are written so, and the title of the composed mask.
    says, empty: what the numbers say, by way: of a row that loses something, and of one that has
    nothing left; emptied: by which masks.
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
    convention: str
    conventions: dict[str, str]
    written_so: dict[str, str]
    is_causal: str
    wholes: dict[str, str]
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
    emptied: str
    list_mark: str
    patch: str
    compare: str
    columns: tuple[str, ...]
    from_to: str
    code: str


WORDS = load(MasksWords, __file__)
