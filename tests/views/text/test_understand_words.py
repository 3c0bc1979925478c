"""The words of the chapter "understand": every page's in both languages, the same in each."""

import importlib
import pkgutil
from string import Formatter

import pytest
from claims import for_all
from said import leaves

from views.pages import UNDERSTAND
from views.text import understand
from views.text.lesson import CHAPTER, Lesson

MODULES = [
    importlib.import_module(f"{understand.__name__}.{found.name}")
    for found in pkgutil.iter_modules(understand.__path__)
]
SAID = [
    (f"{module.__name__.split('.')[-1]}.{name}", value)
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, dict) and name.isupper()
]
NAMED = [name for name, _ in SAID]


def names_in(template: str) -> set[str | None]:
    return {name for _, name, _, _ in Formatter().parse(template)} - {None}


@for_all("said", [said for _, said in SAID])
def test_a_page_says_the_same_things_with_the_same_names_in_both_languages(said):
    assert set(said) == {"en", "zh"}
    assert type(said["en"]) is type(said["zh"])
    english, chinese = (dict(leaves(said[code])) for code in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for path, text in english.items():
        assert text.strip()
        assert chinese[path].strip(), path
        assert names_in(text) == names_in(chinese[path]), path


def test_every_page_of_the_chapter_has_one_line_in_the_contents():
    assert list(CHAPTER["en"].about) == list(UNDERSTAND)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_what_was_learnt_is_one_sentence(code):
    found = [getattr(said[code], "lesson", None) for _, said in SAID]
    lessons = [lesson for lesson in found if isinstance(lesson, Lesson)]
    assert lessons
    for lesson in lessons:
        ends = [c for c in lesson.learnt.rstrip(".。!！") if c in ".。!！?？"]
        assert not [c for c in ends if f"{c} " in lesson.learnt or c in "。！？"], lesson.learnt
