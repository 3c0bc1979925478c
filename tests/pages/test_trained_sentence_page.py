"""The Sentence page with the encoder of the project's translator."""

import numpy as np
from claims import for_all
from page_reader import Open, choose_source, microscope, queries_to, text_box, texts
from streamlit.testing.v1 import AppTest

from core.models import translator

LINES = "小猫喜欢鱼\n我爱北京和上海"
TRAINED = {"lang": "en", "model": "translator"}
SEEDED = {"d_model": "12", "heads": "3", "seed": "5", "mask": "causal", "temperature": "2",
          "dropout": "0.3", "residual": "1", "position": "0", "mode": "custom"}  # fmt: skip


def switch(at: AppTest, source: str) -> None:
    choose_source(at, source)
    assert not at.exception


def link_query(at: AppTest, page: str) -> dict[str, str]:
    """What all links to a page say."""
    found = queries_to(at, page)
    assert found
    return {name: value for query in found for name, value in query.items()}


def test_the_first_run_shows_trained_weights_of_a_head_that_does_something_known(
    follow_link: Open,
) -> None:
    at = follow_link("sentence", lang="en", model="translator")
    shown = microscope(at)
    trace = translator.load().encoder(["我", "爱", "北京"])
    weights = [trace[f"encoder/{layer}/self/weights"].tensor[0] for layer in (1, 2, 3)]
    np.testing.assert_array_equal(shown.arrays["weights"][0], weights[2])
    row = weights[2][shown.chosen["head"], shown.chosen["positions"]["query"]]
    assert row.argmax() == shown.chosen["positions"]["key"] != shown.chosen["positions"]["query"]
    before = np.diagonal(weights[2], -1, 1, 2).mean(axis=1)  # of each head at the previous token
    assert before.argmax() == shown.chosen["head"]
    assert "我 wǒ “I” · 爱 ài “love” · 北京 běijīng “Beijing”" in texts(at)
    assert "wǒ" not in texts(follow_link("sentence", lang="zh"))


@for_all(
    ("query", "source"),
    [
        ({"text": "小猫喜欢鱼"}, "translator"),
        ({"stage": "scores", "head": "2"}, "decoder"),
        ({"text": "The cat sat"}, "decoder"),
        ({"text": "123"}, "seeded"),
        ({"seed": "9"}, "seeded"),
        ({"mode": "custom", "text": "我 爱 北京"}, "seeded"),
        ({"seed": "9", "model": "translator"}, "translator"),
    ],
)
def test_a_link_without_model_opens_the_weights_that_its_parameters_imply(
    follow_link: Open, query: dict[str, str], source: str
) -> None:
    at = follow_link("sentence", lang="en", **query)
    assert at.session_state["model"] == source
    assert "could not be read" not in texts(at)


def test_the_link_has_the_model_unless_other_parameters_imply_it(
    follow_link: Open,
) -> None:
    at = follow_link("sentence", lang="zh", seed="9")
    choose_source(at, "translator")
    assert (at.query_params["model"], at.query_params["seed"]) == ("translator", "9")
    choose_source(at, "seeded")
    at.number_input(key="seed").set_value(7).run()  # as it was at first
    assert at.query_params["model"] == "seeded"
    choose_source(at, "translator")
    assert "model" not in at.query_params


def test_every_part_of_the_encoder_opens_and_no_part_of_the_decoder(
    open_page: Open,
) -> None:
    for part, stage in (("source", "X"), ("encoder/2/feed_forward", "hidden")):
        at = open_page("sentence", part=part, **TRAINED)
        assert microscope(at).chosen["stage"] == stage
        assert at.query_params["part"] == part
    at = open_page("sentence", part="decoder/1/cross", **TRAINED)
    assert "part=decoder/1/cross" in texts(at)
    assert microscope(at).chosen["stage"] == "weights"


def test_the_origin_has_the_measured_results_or_says_that_no_weights_are_used(
    open_page: Open,
) -> None:
    kind, none = "Trained parameters: the encoder", "No weights are used up to here"
    bleu = translator.load().stored.training["measured"]["test"]["greedy BLEU"]
    text = texts(open_page("sentence", **TRAINED))
    for one in (kind, f"{bleu:.1f}", "Tatoeba"):
        assert one in text
    assert none not in text
    at_ids = texts(open_page("sentence", part="source", stage="tokens", **TRAINED))
    assert none in at_ids
    assert kind not in at_ids


def test_controls_of_the_seeded_model_are_hidden_and_stay_in_the_link(open_page: Open) -> None:
    at = open_page("sentence", **TRAINED, **SEEDED)
    assert "could not be read" not in texts(at)
    assert not at.number_input
    assert not at.slider
    assert not at.checkbox
    switch(at, "seeded")
    for name, value in SEEDED.items():
        assert at.query_params[name] == value
    assert at.number_input(key="d_model").value == 12
    assert microscope(at).header["heads"] == 3
    switch(at, "translator")
    assert {name: at.query_params[name] for name in SEEDED} == SEEDED


def test_an_error_names_an_unknown_word_and_the_last_sentence_stays(open_page: Open) -> None:
    at = open_page("sentence", text="小猫喜欢鱼", **TRAINED)
    text_box(at).set_value("小猫喜欢🐊").run()
    assert "The model has never seen “🐊”" in texts(at)
    assert text_box(at).value == "小猫喜欢🐊"
    names = microscope(at).header["names"]
    assert ["小猫", "喜欢", "鱼"] in names
    at.button(key="put_in").click().run()
    assert text_box(at).value == "小猫喜欢鱼"
    assert "has never seen" not in texts(at)
    assert not [button for button in at.button if button.key == "put_in"]


def test_an_example_and_not_the_sentence_of_random_weights_replaces_invalid_text(
    open_page: Open,
) -> None:
    at = open_page("sentence", lang="en", text="The cat sat")
    switch(at, "translator")
    text = texts(at)
    assert "This model reads Chinese" in text
    assert "Below is an example." in text
    assert ["我", "爱", "北京"] in microscope(at).header["names"]
    assert "Random weights" not in text
    switch(at, "seeded")
    assert ["The", "cat", "sat"] in microscope(at).header["names"]


@for_all(
    ("page", "query", "name", "expected"),
    [
        ("by_hand", {"model": "seeded", "text": LINES}, "tokens", "小猫 喜欢 鱼"),
        ("by_hand", {"model": "translator", "text": LINES}, "tokens", "小猫 喜欢 鱼"),
        ("by_hand", {"text": " ".join("abcdefghijklmnopq")}, "tokens", None),  # too many
        ("by_hand", {"text": "1/2"}, "tokens", None),
        ("translation", {"model": "translator", "text": "小猫喜欢鱼"}, "text", "小猫喜欢鱼"),
    ],
)
def test_links_to_other_pages_have_the_sentence_if_it_fits_there(
    open_page: Open, page: str, query: dict[str, str], name: str, expected: str | None
) -> None:
    assert link_query(open_page("sentence", lang="en", **query), page).get(name) == expected
