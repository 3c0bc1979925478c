"""Own model with DINOv2's registers, CLIP's two towers and Whisper's encoder."""

import base64
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from page_reader import Open, component_data, label_of, microscope, texts
from safetensors.numpy import load_file, save_file

from core.models import checkpoint
from views.models_folder import VARIABLE
from views.widgets.sound_input import sample

FOLDERS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
TOWERS = {"vision": "clip_vision_model", "text": "clip_text_model"}


@pytest.fixture(autouse=True)
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("dinov2_with_registers", "whisper"):
        shutil.copytree(FOLDERS / kind, tmp_path / kind)
    shutil.copytree(FOLDERS / "clip_text_model", tmp_path / "clip")
    config, tensors = {"model_type": "clip"}, {}
    for tower, kind in TOWERS.items():
        config[f"{tower}_config"] = json.loads((FOLDERS / kind / "config.json").read_text("utf-8"))
        held = load_file(FOLDERS / kind / "model.safetensors")
        tensors |= {f"{tower}_model.{name}": tensor for name, tensor in held.items()}
    (tmp_path / "clip" / "config.json").write_text(json.dumps(config), "utf-8")
    save_file(tensors, tmp_path / "clip" / "model.safetensors")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_a_register_is_named_wherever_it_looks_from(open_page: Open) -> None:
    at = open_page("checkpoint", lang="en", model="dinov2_with_registers", layer="1", row="3")
    lit = [one for one in component_data(at, "picture") if one["weights"]]
    assert label_of(lit[0]) == "Where [REG 2] looks · layer 1, head 1"
    assert lit[0]["specials"] == ["[CLS]", "[REG 1]", "[REG 2]"]
    assert len(np.frombuffer(base64.b64decode(lit[0]["weights"]), "<f4")) == 9
    assert "[CLS], [REG 1] and [REG 2] receive" in texts(at)


def test_a_tower_is_chosen_and_kept_in_the_link(open_page: Open) -> None:
    at = open_page("checkpoint", lang="en", model="clip")
    assert microscope(at).label("weights", "query") == "[CLS]"
    at.button_group(key="tower").set_value("text").run()
    assert not at.exception
    assert at.query_params["tower"] in ("text", ["text"])
    assert at.text_area(key="text").value
    again = open_page("checkpoint", lang="zh", model="clip", tower="text", text="the cat")
    assert again.text_area(key="text").value == "the cat"
    assert not again.exception


def test_a_sound_is_heard_from_its_loudest_moment(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="whisper", sound="drums")
    assert not at.exception
    trace = checkpoint.open(models / "whisper").run(sample("drums")[:16_000], 1)
    loudest = int(trace["input/level"].tensor[0].mean(axis=1).argmax()) // 2
    assert microscope(at).label("weights", "query") == f"{0.02 * loudest:.2f} s"
    assert "listens to its first 1 s" in texts(at)
    assert not [box for box in at.checkbox if box.key == "special"]


def test_of_a_long_sound_one_head_is_shown_at_a_time(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "ALL_HEADS", 10)
    at = open_page("checkpoint", lang="zh", model="whisper", layer="2", head="2")
    assert not at.exception
    assert at.button_group(key="head").value == 2
    assert microscope(at).header["one"] == 1
