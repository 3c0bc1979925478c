"""Own model with DINOv2's registers, CLIP's two towers and Whisper's encoder."""

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import soundfile
from blob_reader import unpacked
from page_reader import FOLDERS, Open, blobs, component_data, floats, label_of, microscope, texts
from safetensors.numpy import load_file, save_file
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from views.widgets.sound_input import sample

TOWERS = {"vision": "clip_vision_model", "text": "clip_text_model"}


@pytest.fixture(autouse=True)
def models(tmp_path: Path, offer: Callable[..., Path]) -> Path:
    offer("dinov2_with_registers", "whisper")
    shutil.copytree(FOLDERS / "clip_text_model", tmp_path / "clip")
    config, tensors = {"model_type": "clip"}, {}
    for tower, kind in TOWERS.items():
        config[f"{tower}_config"] = json.loads((FOLDERS / kind / "config.json").read_text("utf-8"))
        loaded = load_file(FOLDERS / kind / "model.safetensors")
        tensors |= {f"{tower}_model.{name}": tensor for name, tensor in loaded.items()}
    (tmp_path / "clip" / "config.json").write_text(json.dumps(config), "utf-8")
    save_file(tensors, tmp_path / "clip" / "model.safetensors")
    return tmp_path


def drawn_tokens(at: AppTest) -> tuple[int, int]:
    """The tokens on the time axis, and all of them."""
    (data,) = blobs(at, "samples")
    header, _ = unpacked(data)
    return header["tokens"], header["of"]


def test_registers_are_named(open_page: Open) -> None:
    at = open_page("checkpoint", lang="en", model="dinov2_with_registers", layer="1", row="3")
    lit = [one for one in component_data(at, "picture") if one["weights"]]
    assert label_of(lit[0]) == "Where [REG 2] looks · layer 1, head 1"
    assert lit[0]["specials"] == ["[CLS]", "[REG 1]", "[REG 2]"]
    assert len(floats(lit[0]["weights"])) == 9
    assert "[CLS], [REG 1] and [REG 2] receive" in texts(at)


def test_a_tower_is_chosen_and_stays_in_the_link(open_page: Open) -> None:
    at = open_page("checkpoint", lang="en", model="clip")
    assert microscope(at).label("weights", "query") == "[CLS]"
    at.button_group(key="tower").set_value("text").run()
    assert not at.exception
    assert at.query_params["tower"] in ("text", ["text"])
    assert at.text_area(key="text").value
    again = open_page("checkpoint", lang="zh", model="clip", tower="text", text="the cat")
    assert again.text_area(key="text").value == "the cat"
    assert not again.exception
    assert microscope(again).label("weights", "query") == "<|endoftext|>"
    assert "CLIP 只留一行：<|endoftext|>（第 4 行）" in texts(again)
    assert "one row alone, that of [CLS] (row 1)" in texts(open_page("checkpoint", model="clip"))


def test_a_sound_starts_at_its_loudest_token(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="whisper", sound="drums")
    assert not at.exception
    trace = checkpoint.open(models / "whisper").run(sample("drums")[:16_000], 1)
    loudest = int(trace["input/level"].tensor[0].mean(axis=1).argmax()) // 2
    assert microscope(at).label("weights", "query") == f"{0.02 * loudest:.2f} s"
    assert "listens to its first 1 s" in texts(at)
    assert not [box for box in at.checkbox if box.key == "special"]
    (drawn,) = component_data(at, "timeline")
    row = trace["encoder/1/self/weights"].tensor[0, 0, loudest]
    assert floats(drawn["row"]).tolist() == row.tolist()
    assert drawn["words"]["play"] == "Play"


def test_the_silence_after_a_sound_has_its_weight_and_can_be_drawn(
    open_page: Open, models: Path
) -> None:
    samples = sample("drums")[:4000]  # a quarter of a second: 12.5 tokens of 50
    file = io.BytesIO()
    soundfile.write(file, samples, 16_000, format="WAV", subtype="FLOAT")
    at = open_page("checkpoint", lang="en", model="whisper", row="4")
    at.file_uploader(key="upload").set_value(("short.wav", file.getvalue(), "audio/wav")).run()
    trace = checkpoint.open(models / "whisper").run(samples, 1)
    query = microscope(at).chosen["positions"]["query"]
    silence = trace["encoder/1/self/weights"].tensor[0, 0, query, 13:].sum(dtype=float)
    expected = f"{0.02 * query:.2f} s gives {100 * silence:.0f}\u00a0% of its weight to the silence"
    assert expected in texts(at)
    assert "(74\u00a0% if spread evenly)" in texts(at)
    assert drawn_tokens(at) == (13, 50)
    at.checkbox(key="filled").check().run()
    assert at.query_params["filled"] in ("1", ["1"])
    assert drawn_tokens(at) == (50, 50)


def test_a_link_without_a_sound_has_none_even_if_the_one_before_had_it(open_page: Open) -> None:
    at = open_page("checkpoint", lang="en", model="dinov2_with_registers", sound="notes")
    at.query_params.clear()
    at.query_params.update({"lang": "en", "model": "dinov2_with_registers"})
    at.run()
    at.session_state["model"] = "whisper"
    at.run()
    assert at.session_state["sound"] == "drums"
