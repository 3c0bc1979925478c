"""What is said about a cell, and how it names and rounds what it says."""

import pytest
from printed import printed

from views.readings import readings
from views.selection import Selection
from views.text import LANGUAGES

in_both_languages = pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)


def read(trace, key, words, /, **at):
    """The sentences about a cell, and the role of each piece of a reader's text in them."""
    place = dict.fromkeys(("batch", "head", "query", "key", "token", "patch", "d_model"), 0)
    found = readings(trace, Selection(key, place | at), words)
    return ["".join(text for text, _ in spans) for spans in found]


def called(trace, label, words):
    """A patch is called a patch before its number; a word and [CLS] are what they are."""
    patch = {"en": f"patch {label}", "zh": f"块 {label}"}[words.code]
    return patch if trace.token == "patch" and label.isdigit() else label


def two_digits(share):
    """The share with two digits that mean something, as the tests' own rounding prints it."""
    digits = next(digits for digits in range(2, 12) if share >= 10.0 ** (1 - digits))
    return printed(share, digits)
