"""Another text, model or file on the page of one's own model: nothing of the last one stays."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from page_reader import (
    FOLDERS,
    Open,
    blobs,
    choose_model,
    component_data,
    microscope,
    model_map,
    said,
)
from safetensors.numpy import load_file, save_file

from core.models import checkpoint
from core.models.installed import VARIABLE


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("bert", "gpt2", "vit"):
        shutil.copytree(FOLDERS / kind, tmp_path / kind)
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def spoilt(place: Path, change) -> None:
    held = load_file(place / "model.safetensors")
    save_file({name: change(name, held[name]) for name in held}, place / "model.safetensors")


@pytest.mark.parametrize(
    ("kind", "first", "then"), [("bert", "the sun", "sun the"), ("gpt2", "love lov", "lov love")]
)
def test_another_text_is_computed_from_its_own_beginning_in_a_later_layer_too(
    open_page: Open, models: Path, kind: str, first: str, then: str
) -> None:
    at = open_page("checkpoint", lang="en", model=kind, layer="2", text=first)
    at.text_area(key="text").set_value(then).run()
    alone = checkpoint.open(models / kind).run(then, 2)["encoder/2/self/weights"].tensor
    np.testing.assert_array_equal(microscope(at).arrays["weights"], alone)


def test_another_model_that_reads_the_same_is_computed_and_surveyed_anew(
    open_page: Open, models: Path
) -> None:
    other = shutil.copytree(models / "gpt2", models / "other")
    spoilt(other, lambda name, tensor: -tensor if "c_attn" in name else tensor)
    asked = {"lang": "en", "text": "love lov", "board": "1", "layer": "2"}
    at = choose_model(open_page("checkpoint", model="gpt2", **asked), "other")
    alone = checkpoint.open(other).run("love lov", 2)["encoder/2/self/weights"].tensor
    np.testing.assert_array_equal(microscope(at).arrays["weights"], alone)
    (seen,) = component_data(at, "board")
    (anew,) = component_data(open_page("checkpoint", model="other", **asked), "board")
    assert seen["cells"] == anew["cells"]


def test_of_a_model_that_cannot_be_run_nothing_of_the_one_before_it_is_shown(
    open_page: Open, models: Path
) -> None:
    shutil.copytree(models / "bert", models / "spoilt")
    spoilt(models / "spoilt", lambda name, tensor: np.full_like(tensor, np.nan))
    at = open_page("checkpoint", lang="en", model="bert", text="the sun")
    assert len(blobs(at, "run")) == 1
    choose_model(at, "spoilt")
    assert len(said(at, "error")) == 1
    assert blobs(at, "run") == []


def test_a_tokenizer_that_is_replaced_alone_is_read_anew(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="bert", text="the sun")
    assert microscope(at).header["stages"]["X"]["shape"][1] == 4
    file = models / "bert" / "tokenizer.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"post_processor": None}))
    at.run()
    assert microscope(at).header["stages"]["X"]["shape"][1] == 2


def test_colours_that_are_replaced_alone_are_read_anew(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="vit", part="input", stage="image")
    assert microscope(at).arrays["image"].min() < 0
    stated = {"image_mean": [0, 0, 0], "image_std": [1, 1, 1]}
    (models / "vit" / "preprocessor_config.json").write_text(json.dumps(stated))
    at.run()
    assert microscope(at).arrays["image"].min() >= 0


def test_the_small_picture_of_the_map_has_its_colours_from_what_is_not_hidden(
    open_page: Open, models: Path
) -> None:
    high = {}
    for flag in "10":
        at = open_page(
            "checkpoint", lang="en", model="gpt2", text="love é lov 爱", layer="2", special=flag
        )
        high[flag] = float(model_map(at)["ticks"][-1])
    mean = microscope(at).arrays["weights"][0].mean(axis=0)
    assert high["1"] == mean.max() == 1  # the first token sees but itself
    shown = mean[1:, 1:].max()
    assert shown <= high["0"] <= 2.5 * shown
    assert high["0"] < 1
