"""A model that reads one text and writes another, on the page of one's own model."""

import numpy as np
import pytest
from page_reader import (
    FOLDERS,
    Open,
    changing,
    component_data,
    microscope,
    model_map,
    paragraphs,
    texts,
    unmarked,
)
from safetensors.numpy import load_file
from streamlit.testing.v1 import AppTest

from core.interventions import parse
from core.models import checkpoint

TEXT = "translate: the love lov cat sun the love lov é love"
EXPECTED = load_file(FOLDERS / "mt5" / "expected.safetensors")


def written(at: AppTest) -> list[str]:
    assert not at.exception
    labels = [one.label for one in at.button if str(one.key).startswith("written_")]
    return [label.translate(dict.fromkeys(map(ord, "\\\u2068\u2069"))) for label in labels]


def test_the_text_that_is_written_stands_there_token_by_token_with_its_probability(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="t5", text=TEXT)
    model = checkpoint.open(FOLDERS / "t5").text_to_text
    assert model
    steps = [*model.write(TEXT)]
    last, _ = steps[-1]
    assert paragraphs(at, "lead") == [model.text_of(last)]
    labels = [label.rpartition(" · ") for label in written(at)]
    assert [name for name, _, _ in labels] == [
        model.target.name_of(number) for number in last.numbers
    ]
    chances = [float(share.rstrip("%\u202f\u00a0 ")) for _, _, share in labels]
    assert chances == pytest.approx([100 * chance for _, chance in steps], abs=0.51)
    assert f"after {len(last.numbers)} it was stopped" in texts(at)


def test_cross_attention_is_open_first_and_the_parts_of_both_sides_are_on_the_map(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="mt5", text=TEXT)
    shown = model_map(at)
    assert shown["chosen"] == "decoder/1/cross"
    assert [box["path"] for box in shown["boxes"]] == [
        "input", "encoder/1/self", "encoder/1/feed_forward",
        "target", "decoder/1/self", "decoder/1/cross", "decoder/1/feed_forward",
    ]  # fmt: skip
    assert [frame["name"] for frame in shown["frames"] if frame["name"]] == ["encoder", "decoder"]
    memory = [line for line in shown["lines"] if line["memory"]]
    assert [(line["source"], line["target"]) for line in memory] == [("", "decoder/1/cross")]
    weights = microscope(at).arrays["weights"][0]  # (head, query, key)
    expected = EXPECTED["weights/decoder/cross/1"]
    assert np.abs(weights[:, : expected.shape[1]] - expected).max() < 1e-5
    at = open_page("checkpoint", lang="en", model="mt5", text=TEXT, layer="3", part="prediction")
    assert [box["path"] for box in model_map(at)["boxes"]][-1] == "prediction"
    assert microscope(at).chosen["stage"] == "probabilities"


def test_a_target_of_ones_own_is_read_and_each_of_its_tokens_has_its_probability(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="t5", text=TEXT, target="love the sun")
    assert [label.partition(" · ")[0] for label in written(at)] == [
        "▁love", "▁the", "▁sun", "</s>",
    ]  # fmt: skip
    assert "writes nothing itself" in texts(at)
    assert microscope(at).names("weights", "query") == [
        "<pad>→▁love",
        "▁love→▁the",
        "▁the→▁sun",
        "▁sun→</s>",
    ]
    at.button(key="written_2").click().run()
    assert microscope(at).chosen["positions"]["query"] == 2


def test_a_text_that_is_too_long_is_refused_and_the_last_one_stays(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="t5", text=TEXT)
    before = written(at)
    at.text_area(key="text").set_value("love " * 40).run()
    assert "41 tokens" in " ".join(paragraphs(at, "error"))
    assert written(at) == before
    at.text_area(key="text").set_value("love").run()
    assert not paragraphs(at, "error")
    at.text_area(key="target").set_value("love " * 40).run()
    assert "41 tokens" in " ".join(paragraphs(at, "error"))


def test_marian_opens_with_its_own_tokenizer_and_a_head_that_one_side_lacks_gives_way_to_the_first(
    open_page: Open, offered: None
) -> None:
    asked = {"lang": "en", "model": "marian", "text": "the cat loves the sun !", "layer": "3"}
    at = open_page("checkpoint", **asked, part="encoder/2/self", head="3")
    assert microscope(at).chosen["head"] == 2
    at = open_page("checkpoint", **asked, part="decoder/3/cross", head="3")
    assert not at.exception
    assert microscope(at).chosen["head"] == 0  # the decoder has two
    paths = [box["path"] for box in model_map(at)["boxes"]]
    assert paths[0] == "input" and "final_norm" not in paths and paths[-1] == "prediction"
    assert "The sentence to be translated" in model_map(at)["boxes"][0]["about"]


def test_a_head_of_either_side_is_muted_with_a_press_and_both_texts_stand_there(
    open_page: Open, offered: None
) -> None:
    model = checkpoint.open(FOLDERS / "marian").text_to_text
    assert model
    for part, link in (("decoder/2/cross", "cross.2.1"), ("encoder/2/self", "2.1")):
        query = {
            "lang": "en",
            "model": "marian",
            "part": part,
            "layer": "2",
            "text": "the cat sun !",
            "word": "2",
        }
        at = changing(open_page("checkpoint", **query))
        at.button(key="change_mute").click().run()
        assert not at.exception and at.query_params["change"] == f"mute={link}"
        assert "muted" in microscope(at).header["stages"]
        both = model, model.changed(parse(f"mute={link}"))
        expected = [one.text_of(one.greedy("the cat sun !")) for one in both]
        shown = at.table[0].value.iloc[0].tolist()
        assert [unmarked(one).strip("\u2068\u2069") for one in shown] == expected
        at.button(key="mute_all").click().run()
        (bars,) = component_data(at, "bars")
        written = both[1].greedy("the cat sun !")
        found = both[1].effects("the cat sun !", written, 1, link.rpartition(".2.")[0] or "encoder")
        strongest = max(found, key=lambda one: abs(one.change))
        assert bars["bars"][0][0] == f"{strongest.layer}/{strongest.head}", part


def test_another_text_is_put_in_place_of_what_a_head_gives_at_the_chosen_token(
    open_page: Open, offered: None
) -> None:
    query = {"lang": "en", "model": "t5", "text": TEXT, "part": "decoder/1/cross", "word": "3"}
    at = changing(open_page("checkpoint", **query))
    at.text_input(key="changed_other").set_value("love the sun").run()
    at.button(key="change_patch").click().run()
    assert not at.exception
    assert at.query_params["change"] == "patch=cross.1.1@3;from=love the sun"
    model = checkpoint.open(FOLDERS / "t5").text_to_text
    assert model
    expected = model.trace("love the sun")["decoder/1/cross/head_output"].tensor[0, 0, 2]
    assert microscope(at).arrays["patch"][0, 2] == pytest.approx(expected, abs=1e-5)
