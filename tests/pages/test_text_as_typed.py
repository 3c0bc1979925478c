"""What is typed reaches the tokens as it is, by the link too; invisible characters are named."""

import shutil
from pathlib import Path

import pytest
from page_reader import FOLDERS, Open, captions, component_data, microscope, write

from core.models.installed import VARIABLE
from core.sources.tokenizer import Tokenizer

TYPED = (
    "cafe\u0301", "a\u200bb", "a\r\nb", "  a ", "\u202ea\u2066", "\ufeffa\u00a0\u3000",
    " \n\t", "+a%20&b=#c", "a\x00b",
)  # fmt: skip


def test_ones_own_model_reads_exactly_what_was_typed_and_what_the_link_says(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FOLDERS / "gpt2", tmp_path / "gpt2")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    rules = Tokenizer((FOLDERS / "gpt2" / "tokenizer.json").read_text("utf-8"))
    expected = {text: [text, list(rules.encode(text, 37).tokens)] for text in TYPED}
    at = open_page("checkpoint", lang="en", model="gpt2", text="love")
    typed, linked = {}, {}
    for text in TYPED[:4]:
        at.text_area(key="text").set_value(text).run()
        typed[text] = ["".join(at.query_params["text"]), microscope(at).names("X", "token")]
    for text in TYPED:
        at.query_params["text"] = text
        names = microscope(at.run()).names("X", "token")
        linked[text] = [at.text_area(key="text").value, names]
    assert typed == {text: expected[text] for text in typed}
    assert linked == expected


def test_characters_in_no_token_are_named_on_both_pages_that_read_a_text(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(FOLDERS / "bert", tmp_path / "bert")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    at = open_page("checkpoint", lang="zh", model="bert", text="su\u00adn \u200bplay\u202e")
    (notes,) = [one["paragraphs"] for one in component_data(at, "prose") if _is_cut(one)]
    assert "“‹U+00AD›”" in "".join(text for line in notes for text, _ in line)
    assert "“‹U+202E›”" in "".join(text for line in notes for text, _ in line)
    at = open_page("sentence", lang="zh", text="so\u00adft\u200b")
    assert "‹U\\+00AD›" in captions(at)
    assert "‹U\\+200B›" in captions(at)
    assert "‹" not in captions(write(at, "soft"))


def _is_cut(prose: dict) -> bool:
    return any("19" in text for line in prose["paragraphs"] for text, _ in line)
