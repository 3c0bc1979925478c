"""The page of one's own ViT shows its input picture, lit by the attention."""

import base64
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from page_reader import FOLDERS, Open, along, component_data, floats, label_of
from PIL import Image
from safetensors.numpy import load_file, save_file
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from core.models.installed import VARIABLE
from core.models.processor import processor
from core.trace import Trace
from views.export.bundle import ASSETS
from views.text.spans import plain

PATCH, HEADS = 5, 2
Bring = Callable[..., Path]


@pytest.fixture
def bring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bring:
    """Offer a small model on the page: of another picture's side, or with other colours."""

    def brought(kind: str = "vit", side: int = 15, **preprocessor: object) -> Path:
        folder = tmp_path / "mine"
        shutil.copytree(FOLDERS / kind, folder)
        if side != 15:
            file, config = folder / "model.safetensors", folder / "config.json"
            config.write_text(json.dumps(json.loads(config.read_text()) | {"image_size": side}))
            tensors, tokens = load_file(file), (side // PATCH) ** 2 + 1
            name = next(name for name in tensors if name.endswith("position_embeddings"))
            drawn = np.random.default_rng(3).normal(size=(1, tokens, tensors[name].shape[2]))
            save_file(tensors | {name: drawn.astype(np.float32)}, file)
        if preprocessor:
            (folder / "preprocessor_config.json").write_text(json.dumps(preprocessor))
        monkeypatch.setenv(VARIABLE, str(tmp_path))
        return folder

    return brought


def given(sample: str = "cat", side: int = 15) -> np.ndarray:
    whole = Image.open(ASSETS / "samples" / f"{sample}.webp").convert("RGB")
    return processor({}, side).pixels(whole)


def run(folder: Path, layer: int, side: int = 15) -> Trace:
    return checkpoint.open(folder).run(given(side=side), layer)


def pictures(at: AppTest) -> list[dict]:
    return component_data(at, "picture")


def lit(at: AppTest) -> list[np.ndarray]:
    """The weight of each patch, for every lit picture."""
    return [floats(one["weights"]) for one in pictures(at) if one["weights"]]


def small(at: AppTest) -> dict[str, np.ndarray]:
    (found,) = component_data(at, "looks")
    looks = [one for group in found["groups"] for one in group["looks"]]
    return {
        one["name"]: np.frombuffer(base64.b64decode(one["light"]), np.uint8) / 255 for one in looks
    }


def closeup(at: AppTest) -> dict:
    (found,) = component_data(at, "closeup")
    return found


@pytest.mark.parametrize("side", [15, 35, 120])
def test_layer_head_and_patch_of_the_overlay_come_from_the_link(
    open_page: Open, bring: Bring, side: int
) -> None:
    rows = run(bring(side=side), 3, side)["encoder/3/self/weights"].tensor[0, :, 6, 1:]
    at = open_page(
        "checkpoint", lang="en", layer="3", part="encoder/3/self", head="2", row="7", column="2"
    )
    n = side // PATCH
    assert {tuple(one["grid"]) for one in pictures(at)} == {(n, n)}
    assert {one["chosen"] for one in pictures(at)} == {5}
    for found in lit(at):
        np.testing.assert_array_equal(found, rows[1])
    assert list(small(at)) == ["3.1", "3.2"]
    for head in range(HEADS):
        shown = along(rows[head], pictures(at)[1])
        np.testing.assert_allclose(small(at)[f"3.{head + 1}"], shown, atol=0.51 / 255)
    assert component_data(at, "looks")[0]["chosen"] == "3.2"
    assert {"Where patch 6 looks · layer 3, head 2", "Where patch 6 looks · head 2"} <= {
        label_of(one) for one in pictures(at)
    }


SHORTER_EDGE = "短边缩放到 17 像素（bicubic），再裁下正中的 15 × 15"


def test_a_photo_is_resized_and_cropped_by_the_models_processor(
    open_page: Open, bring: Bring
) -> None:
    bring(size={"shortest_edge": 17}, do_center_crop=True, crop_size=15, resample=3)
    drawn = np.random.default_rng(8).integers(0, 256, (40, 90, 3), dtype=np.uint8)
    photo, file = Image.fromarray(drawn), io.BytesIO()
    photo.save(file, "PNG")
    at = open_page("checkpoint", lang="zh", part="input", stage="image", row="1")
    at.file_uploader(key="upload").set_value(("wide.png", file.getvalue(), "image/png")).run()
    assert not at.exception
    cropped = photo.resize((38, 17), Image.Resampling.BICUBIC).crop((11, 1, 26, 16))
    patch = pictures(at)[2]["chosen"]
    row, column = divmod(patch, 3)
    expected = np.asarray(cropped)[row * PATCH : (row + 1) * PATCH, column * PATCH :][:, :PATCH]
    assert base64.b64decode(closeup(at)["pixels"]) == expected.tobytes()
    captions = [one.value for one in at.caption if plain(SHORTER_EDGE) in one.value]
    assert len(captions) == 2  # below the controls, and where pixels become numbers


@pytest.mark.parametrize("stage", ["image", "patches", "flattened", "embedding"])
def test_the_close_up_has_the_pixels_and_the_embedding_of_the_patch(
    open_page: Open, bring: Bring, stage: str
) -> None:
    trace = run(bring(), 1)
    at = open_page("checkpoint", lang="zh", part="input", stage=stage)
    assert not at.exception
    near = closeup(at)
    patch = pictures(at)[2]["chosen"]
    row, column = divmod(patch, 3)
    pixels = given()[row * PATCH : (row + 1) * PATCH, column * PATCH : (column + 1) * PATCH]
    assert base64.b64decode(near["pixels"]) == pixels.tobytes()
    np.testing.assert_array_equal(
        floats(near["embedding"]), trace["input/embedding"].tensor[0, patch]
    )
    assert near["bias"]
    assert near["sums"] == ["{pixel} / 127.5 − 1"] * 3
    assert near["labels"]["flattened"] == "拉平 −1…1"
