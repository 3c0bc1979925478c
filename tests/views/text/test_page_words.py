"""The words of the pages before the chapter: every module's in both languages, the same in each."""

import importlib
import pkgutil
from string import Formatter

import pytest
from said import leaves

from views import text

MODULES = [
    importlib.import_module(f"{text.__name__}.{found.name}")
    for found in pkgutil.iter_modules(text.__path__)
    if not found.ispkg
]
SAID = {
    module.__name__.split(".")[-1]: module.WORDS for module in MODULES if "WORDS" in vars(module)
}


def names_in(template: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(template)} - {None}


def test_the_words_of_a_page_are_found():
    assert "model_card" in SAID


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_a_page_says_the_same_things_with_the_same_names_in_either_language(said):
    assert set(said) == {"en", "zh"}
    english, chinese = (dict(leaves(said[code])) for code in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for path, words in english.items():
        assert words.strip(), path
        assert chinese[path].strip(), path
        assert names_in(words) == names_in(chinese[path]), path
