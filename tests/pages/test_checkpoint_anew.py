"""Another text, model or file on the page of one's own model replaces the last one."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from page_reader import (
    Open,
    blobs,
    choose_model,
    component_data,
    microscope,
    paragraphs,
)
from safetensors.numpy import load_file, save_file

from core.models import checkpoint
from views.widgets.checkpoint.chosen_input import opened


@pytest.fixture
def models(offer: Callable[..., Path]) -> Path:
    return offer("bert", "gpt2", "vit")


def change_tensors(folder: Path, change) -> None:
    tensors = load_file(folder / "model.safetensors")
    changed = {name: change(name, tensor) for name, tensor in tensors.items()}
    save_file(changed, folder / "model.safetensors")


@pytest.mark.parametrize(
    ("kind", "first", "then"), [("bert", "the sun", "sun the"), ("gpt2", "love lov", "lov love")]
)
def test_another_text_is_computed_from_its_first_layer(
    open_page: Open, models: Path, kind: str, first: str, then: str
) -> None:
    at = open_page("checkpoint", lang="en", model=kind, layer="2", text=first)
    at.text_area(key="text").set_value(then).run()
    alone = checkpoint.open(models / kind).run(then, 2)["encoder/2/self/weights"].tensor
    np.testing.assert_array_equal(microscope(at).arrays["weights"], alone)


def test_another_model_with_the_same_text_is_computed_again(open_page: Open, models: Path) -> None:
    other = shutil.copytree(models / "gpt2", models / "other")
    change_tensors(other, lambda name, tensor: -tensor if "c_attn" in name else tensor)
    asked = {"lang": "en", "text": "love lov", "board": "1", "layer": "2"}
    at = choose_model(open_page("checkpoint", model="gpt2", **asked), "other")
    alone = checkpoint.open(other).run("love lov", 2)["encoder/2/self/weights"].tensor
    np.testing.assert_array_equal(microscope(at).arrays["weights"], alone)
    (shown,) = component_data(at, "head_overview")
    (anew,) = component_data(open_page("checkpoint", model="other", **asked), "head_overview")
    assert shown["cells"] == anew["cells"]


def test_a_model_that_cannot_be_run_shows_nothing_of_the_last_one(
    open_page: Open, models: Path
) -> None:
    shutil.copytree(models / "bert", models / "spoilt")
    change_tensors(models / "spoilt", lambda name, tensor: np.full_like(tensor, np.nan))
    at = open_page("checkpoint", lang="en", model="bert", text="the sun")
    assert len(blobs(at, "run")) == 1
    choose_model(at, "spoilt")
    assert len(paragraphs(at, "error")) == 1
    assert blobs(at, "run") == []


def test_a_replaced_tokenizer_is_read_again(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="bert", text="the sun")
    assert microscope(at).header["stages"]["X"]["shape"][1] == 4
    file = models / "bert" / "tokenizer.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {"post_processor": None}))
    at.run()
    assert microscope(at).header["stages"]["X"]["shape"][1] == 2


def test_a_replaced_preprocessor_is_read_again(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="vit", part="input", stage="image")
    assert microscope(at).arrays["image"].min() < 0
    stated = {"image_mean": [0, 0, 0], "image_std": [1, 1, 1]}
    (models / "vit" / "preprocessor_config.json").write_text(json.dumps(stated))
    at.run()
    assert microscope(at).arrays["image"].min() >= 0


def test_a_file_of_the_same_age_and_another_size_is_read_again(models: Path) -> None:
    config = models / "vit" / "config.json"
    before, age = opened(models / "vit"), config.stat().st_mtime_ns
    config.write_text(config.read_text("utf-8") + "\n", "utf-8")
    os.utime(config, ns=(age, age))
    assert opened(models / "vit") is not before
