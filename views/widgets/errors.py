"""What is wrong with an input, in one sentence in the reader's language."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.errors import (
    BeyondMemory,
    CheckpointFileTooLarge,
    DecodingTooLarge,
    FileTooLarge,
    InputError,
    OutOfRange,
    OverlappingParts,
    TraceTooLarge,
    UploadsTooLarge,
)
from views import link, numbers
from views.figures.axis import shortened
from views.text import Words
from views.widgets.prose import prose
from views.widgets.whole_number import Refused

MOST = 5  # words that a sentence quotes

IN_BYTES = (
    BeyondMemory, CheckpointFileTooLarge, DecodingTooLarge, FileTooLarge, OverlappingParts,
    TraceTooLarge, UploadsTooLarge,
)  # fmt: skip

Input = TypeVar("Input")
Made = TypeVar("Made")


@dataclass
class LastGood:
    """The last input of each page that could be computed."""

    inputs: dict[str, Any] = field(default_factory=dict)


def error_sentence(error: InputError, words: Words) -> str:
    """The reader's sentence for an error, with its numbers. Raises KeyError for a new kind."""
    fields = dict(vars(error))
    if isinstance(error, IN_BYTES):
        sizes = {name: value for name, value in fields.items() if isinstance(value, int)}
        fields |= {name: numbers.size(value) for name, value in sizes.items()}
    if isinstance(error, OutOfRange):
        fields["value"] = str(error.value).replace("-", numbers.MINUS)
    quoted = {
        name: words.list_mark.join([*(f"“{shortened(one)}”" for one in value[:MOST]), *more(value)])
        for name, value in fields.items()
        if isinstance(value, tuple) and all(isinstance(one, str) for one in value)
    }
    return words.errors[type(error).__name__].format(**fields | quoted)


def more(quoted: tuple[str, ...]) -> tuple[str, ...]:
    """A mark for what is not quoted any more."""
    return ("…",) if len(quoted) > MOST else ()


def computed(
    read: Callable[[], Input],
    make: Callable[[Input], Made],
    first: Input,
    words: Words,
    apart: str = "",
) -> tuple[Input, Made]:
    """The reader's input and what is computed from it, such as its trace.

    Where it cannot be computed: the sentence that says why, and below it the page's last input that
    could, or the first one. apart: inputs of another such name do not stand in for this one.
    """
    good = link.remembered(LastGood).inputs
    refused = link.remembered(Refused).errors
    page = link.session().page + apart
    refused.clear()
    try:
        found = read()
        if refused:
            raise refused[0]
        made = make(found)
    except InputError as error:
        error = next(iter(refused), error)
        show_error(error, words.last_good if page in good else words.example, words)
        found = good.get(page, first)
        return found, make(found)
    good[page] = found
    return found, made


def show_error(error: InputError, below: str, words: Words) -> None:
    """Show the sentence, and what is to be seen below it, if there is anything."""
    lines = (error_sentence(error, words), below)
    prose([[(line, "")] for line in lines if line], key="error", style="error")
