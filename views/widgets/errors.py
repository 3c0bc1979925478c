"""Input errors as sentences, and a page that falls back to its last valid input."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from core.errors import InputError
from views import link
from views.figures.axis import shortened
from views.text import FILE_TYPES, Words, numbers
from views.text.spans import isolated
from views.widgets.prose import prose
from views.widgets.whole_number import RangeErrors

MOST = 5  # words that a sentence quotes
LONGEST = 40  # characters of a file's name

IN_BYTES = (
    "beyond_memory", "checkpoint_file_too_large", "decoding_too_large", "file_too_large",
    "gradients_too_large", "takes_too_much", "trace_too_large", "uploads_too_large",
)  # fmt: skip

Input = TypeVar("Input")
Result = TypeVar("Result")


@dataclass
class RefusedFiles:
    """errors: of the files that this run refuses, beside others that it reads or another error."""

    errors: list[InputError] = field(default_factory=list)


@dataclass
class LastValidInput:
    """inputs: the last input of each page, and variant of it, that could be computed.

    before_removal: those of a page when a file of it was removed, until there is another one.
    """

    inputs: dict[str, Any] = field(default_factory=dict)
    before_removal: dict[str, Any] = field(default_factory=dict)

    def file_removed(self, page: str) -> None:
        """Note the input before a file is removed, by the user or by an upload that replaces it."""
        self.before_removal = {k: one for k, one in self.inputs.items() if k.startswith(page)}

    def file_added(self) -> None:
        """Restore the input before the removal, as the fallback should the new file be refused."""
        self.inputs |= self.before_removal
        self.before_removal = {}


def error_sentence(error: InputError, words: Words) -> str:
    """The sentence for an error, with its numbers and the name of its file.

    Raises KeyError for a code without words.
    """
    given = error.fields
    fields = {name: isolated(v) if isinstance(v, str) else v for name, v in given.items()}
    if error.code in IN_BYTES:
        sizes = {name: value for name, value in fields.items() if isinstance(value, int)}
        fields |= zip(sizes, numbers.sizes_apart([*sizes.values()]), strict=True)
    if error.code == "out_of_range":
        fields["value"] = str(given["value"]).replace("-", numbers.MINUS)
    if error.code == "unknown_architecture":  # all: one of them may be what is wanted
        fields["known"] = words.list_mark.join(given["known"])
    if error.code in ("empty_file", "wrong_file_type"):
        fields |= _of_file(given, words)
    quoted = {
        name: words.list_mark.join([*(f"“{shortened(one)}”" for one in value[:MOST]), *more(value)])
        for name, value in fields.items()
        if isinstance(value, tuple) and all(isinstance(one, str) for one in value)
    }
    sentence = words.errors[error.code].format(**fields | quoted)
    if error.code == "wrong_setting" and given["value"].startswith('"'):
        sentence = words.both.format(first=sentence, second=words.quoted_setting)
    if not error.file_name:
        return sentence
    return words.of_file.format(file=shortened(error.file_name, LONGEST), sentence=sentence)


def _of_file(given: Mapping[str, str], words: Words) -> dict[str, str]:
    """The texts for the fields of an error of a file: of an empty one, or one of another type."""
    texts = FILE_TYPES[words.code]
    name = shortened(given["file"], LONGEST)
    subject = {"file": texts.named.format(file=name) if name else texts.this}
    if "group" not in given:
        return subject
    known = {**texts.next["any"], **texts.next[given["wanted"]]}
    what = texts.groups[given["group"]].format(name=given["name"])
    return subject | {"name": what, "wanted": known.get(given["group"], known["other"])}


def more(quoted: tuple[str, ...]) -> tuple[str, ...]:
    """An ellipsis if some words are not quoted."""
    return ("…",) if len(quoted) > MOST else ()


def computed(
    read: Callable[[], Input],
    make: Callable[[Input], Result],
    first: Input,
    words: Words,
    variant: str = "",
) -> tuple[Input, Result]:
    """The user's input and what is computed from it, such as its trace.

    read: reads the controls. make: computes the result. If either raises InputError, the error is
    shown, and the page's last valid input is used, or else ``first``. variant: a name, if the page
    has several kinds of input that cannot replace each other.
    """
    refused = link.remembered(RangeErrors).errors
    files = link.remembered(RefusedFiles).errors
    page = link.session().page + variant
    refused.clear()
    files.clear()
    with st.container():  # whatever is shown in it, what follows it stays the same element
        try:
            value = read()
            if refused:
                raise refused[0]
            result = make(value)
        except InputError as error:
            error = next(iter(refused), error)
            good = link.remembered(LastValidInput).inputs
            below = words.last_good if page in good else words.example
            show_error(error, below, words, *files)
            value = good.get(page, first)
            return value, make(value)
        # It ends a run that a newer one replaces, before its input is stored.
        link.remembered(LastValidInput).inputs[page] = value
        if files:
            show_error(files[0], words.other_files, words, *files[1:])
    return value, result


def show_error(error: InputError, below: str, words: Words, *others: InputError) -> None:
    """Show the sentence of each error, and a line on what is shown instead (``below``), if any."""
    lines = (*(error_sentence(one, words) for one in (error, *others)), below)
    prose([[(line, "")] for line in lines if line], key="error", style="error")
