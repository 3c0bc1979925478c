"""Words are files: whatever is wrong with one is told with its file and field, at the start."""

import importlib
from dataclasses import dataclass
from pathlib import Path

import pytest
from claims import for_all
from source_tree import MODULES

from views.navigation import CHAPTERS
from views.page_info import PAGE_INFO
from views.text.lesson import Lesson
from views.text.load import CODES, WordsError, load


@dataclass(frozen=True)
class Door:
    name: str
    about: str = ""


@dataclass(frozen=True)
class Contract:
    title: str
    doors: dict[str, Door]
    moves: tuple[tuple[str, str], ...]
    ends: tuple[str, str]


RIGHT = """
title = "{count} doors, $d_{k}$"
moves = [["ask", "each key"], ["add", "the values"]]
ends = ["one", "other"]

[doors.see]
name = "See"
about = "a step"

[doors.try]
name = "Try"
"""
WRONG = {
    "title is missing": (".title is missing", 'title = "{count} doors, $d_{k}$"\n', ""),
    "a field too many": (".titel is unknown", "ends =", 'titel = "x"\nends ='),
    "a field of a table": (".doors.see.name is missing", 'name = "See"\n', ""),
    "another type": (".title: int where there must be str", '"{count} doors, $d_{k}$"', "3"),
    "a text for a table": (".ends: str where there must be list", '["one", "other"]', '"one"'),
    "too short a list": (".ends: 1 values where there must be 2", '["one", "other"]', '["one"]'),
    "nothing said": (".doors.try.name: there is no text", '"Try"', '" "'),
    "another name": (".title: ", "{count}", "{number}"),
    "a text too few": (".moves[1][0]: ", ', ["add", "the values"]', ""),
    "another key": (".doors.play.name: ", "[doors.try]", "[doors.play]"),
}


@pytest.fixture
def module(tmp_path: Path) -> str:
    """A module with its words beside it."""
    for code in CODES:
        (tmp_path / f"words.{code}.toml").write_text(RIGHT, "utf-8")
    return str(tmp_path / "words.py")


def test_words_are_read_into_their_contract(module: str) -> None:
    said = load(Contract, module)
    assert tuple(said) == CODES
    assert said["zh"] == Contract(
        "{count} doors, $d_{k}$",
        {"see": Door("See", "a step"), "try": Door("Try")},
        (("ask", "each key"), ("add", "the values")),
        ("one", "other"),
    )


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("code", CODES)
def test_a_mismatch_raises_words_error_with_file_and_field(
    module: str, code: str, wrong: str
) -> None:
    told, old, new = WRONG[wrong]
    path = Path(module).with_suffix(f".{code}.toml")
    assert RIGHT.count(old) == 1
    path.write_text(RIGHT.replace(old, new), "utf-8")
    with pytest.raises(WordsError) as refused:
        load(Contract, module)
    assert told in str(refused.value)
    assert ".toml: " in str(refused.value)
    if told.endswith(": "):
        judged = CODES[1] if code == CODES[0] else code
        assert f"words.{judged}.toml" in str(refused.value), "others are held to the first language"
    else:
        assert str(path) in str(refused.value)


def test_fields_of_other_files_are_read_too(module: str) -> None:
    for code in CODES:
        path = Path(module).with_suffix(f".{code}.toml")
        path.write_text(RIGHT.replace('ends = ["one", "other"]\n', ""), "utf-8")
        path.with_name(f"ends.{code}.toml").write_text('ends = ["one", "other"]\n', "utf-8")
    assert load(Contract, module, "ends")["en"].ends == ("one", "other")


SAID = {
    f"{name}.{attribute}": value
    for name in MODULES
    if name.startswith(("views.text", "pages")) and name.rsplit(".", 1)[1] not in ("page", "load")
    if Path(importlib.import_module(name).__file__ or "").with_suffix(".zh.toml").exists()
    for attribute, value in vars(importlib.import_module(name)).items()
    if attribute.isupper() and isinstance(value, dict) and set(value) == set(CODES)
}


def test_the_words_of_all_pages_are_found() -> None:
    assert len(SAID) > 20
    assert "pages.understand.masks.words.WORDS" in SAID


@for_all("page", [page for pages in CHAPTERS.values() for page in pages])
@for_all("code", CODES)
def test_every_page_of_the_chapter_has_one_line_in_the_contents(code: str, page: str) -> None:
    assert PAGE_INFO[code][page].about


@for_all("name", [name for name in SAID if hasattr(SAID[name]["en"], "lesson")])
@for_all("code", CODES)
def test_what_was_learnt_is_one_sentence(name: str, code: str) -> None:
    lesson = SAID[name][code].lesson
    assert isinstance(lesson, Lesson)
    ends = [c for c in lesson.learnt.rstrip(".。!！") if c in ".。!！?？"]
    assert not [c for c in ends if f"{c} " in lesson.learnt or c in "。！？"], lesson.learnt
