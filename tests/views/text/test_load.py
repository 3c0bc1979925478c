"""Loading texts: a mismatch is an error with file and field."""

from pathlib import Path

import pytest
from claims import for_all

from views.navigation import PAGES
from views.text import CHAPTER, GLOSSARY, words_beside
from views.text.load import CODES, Template, WordsError

RIGHT = """
title = "{count} chapters, $d_{k}$"
moves = [["ask", "each key"], ["add", "the {n:value|values}"]]
right = 1

[chapters.see]
name = "See"
about = "a step"

[chapters.try]
name = "Try"
"""
WRONG = {
    "a field too few": (".title is missing", 'title = "{count} chapters, $d_{k}$"\n', ""),
    "a field too many": (".titel is unknown", "right =", 'titel = "x"\nright ='),
    "a field of a table": (".chapters.see.about is missing", 'about = "a step"\n', ""),
    "another key": (".chapters.try is missing", "[chapters.try]", "[chapters.play]"),
    "another type": (".title: int where there must be str", '"{count} chapters, $d_{k}$"', "3"),
    "a text for a list": (".moves[0]: str where there must be list", '["ask", "each key"]', '"a"'),
    "too short a list": (".moves[0]: 1 values where there must be 2", ', "each key"', ""),
    "an empty text": (".chapters.try.name: there is no text", '"Try"', '" "'),
    "another placeholder": (".title: fills in ['k', 'number']", "{count}", "{number}"),
}


@pytest.fixture
def module(tmp_path: Path) -> Path:
    """A module with its words beside it."""
    for code in CODES:
        (tmp_path / f"words.{code}.toml").write_text(RIGHT, "utf-8")
    return tmp_path / "page.py"


def test_words_are_read_by_field_and_by_key(module: Path) -> None:
    texts = words_beside(module)
    assert tuple(texts) == CODES
    words = texts["zh"]
    assert words.title == "{count} chapters, $d_{k}$"
    assert words.right == 1
    assert words.chapters["see"].about == "a step"
    assert "about" not in words.chapters["try"]
    assert words.moves == (("ask", "each key"), ("add", "the {n:value|values}"))
    assert isinstance(words.moves[1][1], Template)
    assert list(words.chapters) == ["see", "try"]
    assert words.chapters.as_dict() == {
        "see": {"name": "See", "about": "a step"},
        "try": {"name": "Try"},
    }


def test_words_with_another_text_leave_the_first_as_they_are(module: Path) -> None:
    words = words_beside(module)["en"]
    other = words | {"title": "Chapters", "chapters": {"try": {"name": "Open"}}}
    assert (other.title, other.chapters["try"].name, other.right) == ("Chapters", "Open", 1)
    assert (words.title, words.chapters["try"].name) == ("{count} chapters, $d_{k}$", "Try")
    with pytest.raises(AttributeError, match=r"words\.en\.toml: \.chapters\.see\.name cannot be"):
        words.chapters.see.name = "Look"


def test_an_unknown_field_raises_attribute_error_with_its_file(module: Path) -> None:
    with pytest.raises(AttributeError) as refused:
        words_beside(module)["en"].chapters.see.nome  # noqa: B018
    assert (
        str(refused.value) == f"{module.with_name('words.en.toml')}: .chapters.see.nome is unknown"
    )


@pytest.mark.parametrize("wrong", WRONG)
def test_a_mismatch_raises_words_error_with_file_and_field(module: Path, wrong: str) -> None:
    message, old, new = WRONG[wrong]
    path = module.with_name("words.zh.toml")
    assert RIGHT.count(old) == 1
    path.write_text(RIGHT.replace(old, new), "utf-8")
    with pytest.raises(WordsError) as refused:
        words_beside(module)
    assert str(refused.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize(
    ("message", "new"),
    [(".title: there is no text", '" "'), (".keys is a method of Words", '"x"\nkeys = "y"')],
)
def test_english_is_checked_by_itself(module: Path, message: str, new: str) -> None:
    for code in CODES:
        text = new if code == "en" else new.replace('" "', '"x"')
        module.with_name(f"words.{code}.toml").write_text(f"title = {text}", "utf-8")
    with pytest.raises(WordsError) as refused:
        words_beside(module)
    assert message in str(refused.value)


LESSONS = [CHAPTER, GLOSSARY, *(words_beside(path) for path in PAGES.values())]


@for_all("texts", [texts for texts in LESSONS if "lesson" in texts["en"]])
@for_all("code", CODES)
def test_what_was_learnt_is_one_sentence(texts: dict, code: str) -> None:
    learnt = texts[code].lesson.learnt
    ends = [c for c in learnt.rstrip(".。!！") if c in ".。!！?？"]
    assert not [c for c in ends if f"{c} " in learnt or c in "。！？"], learnt
