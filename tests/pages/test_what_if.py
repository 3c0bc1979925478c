"""What if on Own model and Sentence, and which input mattered; other pages test their own."""

import numpy as np
import pytest
from claims import for_all
from page_reader import (
    Open,
    changing,
    choose_model,
    component_data,
    grids,
    microscope,
    printed,
    texts,
    unmarked,
)

from core.interventions import parse
from core.models import checkpoint, translator
from core.models.installed import shipped
from core.sources.visible import as_word
from views.text import numbers

TEXT = "The cat sat"
PLACES = {  # and whether the model predicts something to compare
    "own model, a decoder": ("checkpoint", {"model": "decoder", "text": TEXT}, True),
    "own model, a photo": ("checkpoint", {"model": "vit"}, False),
    "sentence, a decoder": ("sentence", {"model": "decoder", "text": TEXT, "layer": "2"}, True),
    "sentence, the translator": ("sentence", {"model": "translator", "text": "我爱北京"}, False),
}


@for_all("where", PLACES)
def test_a_head_of_an_opened_model_is_muted_with_a_press_and_its_link_keeps_that(
    where: str, open_page: Open
) -> None:
    page, query, predicts = PLACES[where]
    at = open_page(page, lang="en", **query)
    assert "change_mute" not in {one.key for one in at.button}, where
    changing(at)
    assert "muted" not in microscope(at).header["stages"]
    at.button(key="change_mute").click().run()
    assert not at.exception and at.query_params["change"].startswith("mute="), where
    again = open_page(page, lang="en", **query, change=at.query_params["change"])
    for one in (at, again):
        shown = microscope(one).header
        assert "muted" in shown["stages"] and "muted." in shown["sheets"]["origin"], where
    assert bool(at.table) == predicts
    if predicts:
        model = checkpoint.open(shipped()["decoder"])
        muted = model.changed(parse(at.query_params["change"]))
        before, after = (one.predict(TEXT) for one in (model, muted))
        first = before.likeliest[0]
        assert at.table[0].value.iloc[0].tolist()[1:3] == [
            numbers.per_cent(float(one.probabilities[first])) for one in (before, after)
        ]
        at.button(key="mute_all").click().run()
        assert any(len(data["bars"]) == 24 for data in component_data(at, "bars"))
    at.button_group(key="lang").set_value("zh").run()
    assert at.button(key="change_mute"), where  # still open


PATCHED = {  # models whose norms stand behind the sublayers, each with another text
    "translation": ({"text": "我爱北京", "part": "encoder/1/self"}, "他爱上海"),
    "sentence": ({"model": "translator", "text": "我爱北京", "part": "encoder/1/self"}, "他爱上海"),
    "checkpoint": ({"model": "bert", "text": "love the sun", "layer": "1"}, "the sun love"),
}


@for_all("page", PATCHED)
def test_the_stream_is_patched_with_what_another_text_has_there_and_opens(
    page: str, offered: None, open_page: Open
) -> None:
    query, other = PATCHED[page]
    at = changing(open_page(page, lang="en", **query))
    assert at.button(key="change_stream").disabled
    at.text_input(key="changed_other").set_value(other).run()
    (box,) = (one for one in at.selectbox if one.label == "Token")
    box.set_value(0).run()
    at.button(key="change_stream").click().run()
    assert not at.exception and at.query_params["change"] == f"stream=1@1;from={other}", page
    shown = microscope(at).header
    assert {"stream", "patch_x", "X"} <= shown["stages"].keys()
    assert "another text" in str(shown["stages"]["X"]["title"])
    if page == "translation":  # what stands in the link stands in the translation and the board
        assert [cell.replace("\\", "") for cell in at.table[0].value.iloc[0]] == [
            "I love Beijing.", "He loves Beijing."
        ]  # fmt: skip
        at.button(key="mute_all").click().run()
        (board,) = component_data(at, "bars")
        model = translator.load().changed(parse(at.query_params["change"]))
        muted = model.changed(parse(f"mute=1.3;stream=1@1;from={other}"))
        made = model.translate("我爱北京")
        word = len(made.pieces) - 2  # the last one that says something
        both = (
            one.teacher_forced(made.tokens, made.pieces).probabilities for one in (muted, model)
        )
        after, before = (np.log(one[word, made.pieces[word]]) for one in both)
        value = next(value for at, _, value, *_ in board["bars"] if at == "1/3")
        assert value == numbers.plain(float(after - before), 3)


def test_a_row_that_is_dragged_begins_as_it_is_and_a_decoder_sees_no_later_token(
    open_page: Open,
) -> None:
    query = {"lang": "en", "model": "decoder", "text": TEXT, "layer": "2", "head": "3"}
    trace = checkpoint.open(shipped()["decoder"]).run(TEXT, 2)
    weights = trace["encoder/2/self/weights"].tensor[0, 2, -1]
    for change, row_set in (("", weights), ("row=2.3@4:1,0,1", [0.5, 0, 0.5, 0])):
        at = open_page("checkpoint", **query, change=change)
        at = at if change else changing(at)
        (row,) = component_data(at, "row_weights")  # of the last token
        assert row["weights"] == pytest.approx(row_set, abs=1e-6)
        assert len(row["keys"]) == len(weights)
    (box,) = (one for one in at.selectbox if one.label == "Token")
    box.set_value(1).run()
    assert len(component_data(at, "row_weights")[0]["keys"]) == 2


def test_heads_are_muted_in_turn_of_the_model_that_is_shown_when_the_press_is_answered(
    open_page: Open,
) -> None:
    """While a change is computed, the button of the run before can still be pressed."""
    at = changing(open_page("checkpoint", lang="en", model="decoder", text=TEXT))
    at.button(key="mute_all").click()
    at.button(key="change_mute").click().run()
    assert not at.exception and "muted" in microscope(at).header["stages"]
    assert any(len(data["bars"]) == 24 for data in component_data(at, "bars"))


def test_another_model_is_chosen_without_the_changes_of_the_former_one(
    offered: None, open_page: Open
) -> None:
    for page in ("checkpoint", "writing"):
        at = open_page(page, lang="en", model="gpt2", text="love love", change="mute=1.2")
        assert at.query_params["change"] == "mute=1.2", page
        choose_model(at, "llama")
        assert "change" not in at.query_params and at.query_params["model"] == "llama", page
        assert "muted" not in microscope(at).header["stages"]


def test_a_change_of_another_model_is_named_and_left_out(open_page: Open) -> None:
    at = open_page("sentence", lang="en", model="decoder", text=TEXT, change="mute=9.1")
    assert not at.exception and "muted" not in microscope(at).header["stages"]
    errors = [data for data in component_data(at, "prose") if data["style"] == "error"]
    assert len(errors) == 1


def test_which_word_mattered_is_shown_for_the_chosen_answer_and_its_gradients_are_a_part(
    open_page: Open,
) -> None:
    query = {"lang": "en", "model": "decoder", "text": TEXT, "layer": "2"}
    assert not grids(open_page("checkpoint", **query))
    model, names = checkpoint.open(shipped()["decoder"]), list[str]()
    passed = model.passed(TEXT)
    reading = model.readings(passed)[-1]
    for outcome in (1, 2):
        at = open_page("checkpoint", **query, mattered="1", outcome=str(outcome))
        (grid,) = grids(at)
        of = model.relevance(TEXT, passed, reading, outcome - 1)
        expected = np.column_stack([of.plain, of.rolled, of.by_gradient])
        np.testing.assert_allclose(printed(grid), expected, atol=6e-4)
        names.append(f"“{as_word(model.name_of(reading.numbers[outcome - 1]))}”")
        assert names[-1] in unmarked(texts(at))
    assert names[0] != names[1]
    at = open_page("checkpoint", **query, mattered="1", part="gradients", stage="grad/weights")
    shown = microscope(at)
    assert shown.chosen["stage"] == "grad/weights" and "grad/W_Q" in shown.header["stages"]
    closed = open_page("checkpoint", **query, part="gradients")
    assert not closed.exception and "grad/weights" not in microscope(closed).header["stages"]


def test_the_words_of_a_translation_and_the_patches_of_a_photo_have_theirs(open_page: Open) -> None:
    (grid,) = grids(open_page("translation", lang="zh", text="我爱北京", mattered="1", word="3"))
    assert [*grid["rows"]] == ["我", "爱", "北京", "[START]", "I", "love"]
    assert printed(grid)[:, 1:].sum(axis=0) == pytest.approx(1, abs=4e-3)

    def maps(outcome: int) -> list[str]:
        at = open_page("image", lang="en", model="vision", mattered="1", outcome=str(outcome))
        found = {one["label"]: one["weights"] for one in component_data(at, "picture")}
        return [found[name] for name in ("attention", "rollout", "with gradient")]

    (plain, rolled, first), (same, also, other) = maps(1), maps(2)
    assert (plain, rolled) == (same, also) and first != other
