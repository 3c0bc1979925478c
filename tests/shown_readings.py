"""How readings of a cell name positions and round numbers."""

import pytest
from printed import printed

from views.text import LANGUAGES

in_both_languages = pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)


def called(trace, label, words):
    """A patch is called a patch before its number; a word and [CLS] are what they are."""
    patch = {"en": f"patch {label}", "zh": f"块 {label}"}[words.code]
    return patch if trace.token == "patch" and label.isdigit() else label


def two_digits(share):
    """The share with two digits that mean something, as the tests' own rounding prints it."""
    digits = next(digits for digits in range(2, 12) if share >= 10.0 ** (1 - digits))
    return printed(share, digits)
