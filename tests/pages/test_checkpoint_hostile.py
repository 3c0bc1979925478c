"""Broken folders and unusual texts on the page of one's own model: one error each."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claims import for_all
from page_reader import FOLDERS, Open, choose_model, microscope, models_box, paragraphs, texts
from refuses import refuses
from streamlit.testing.v1 import AppTest

from core.errors import InputError
from core.models import checkpoint
from core.models.installed import SHIPPED, VARIABLE
from views.text import LANGUAGES
from views.widgets.errors import error_sentence

PHOTO = np.zeros((15, 15, 3), np.uint8)
CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"

Spoil = Callable[[Path], Any]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models with a sound one in it."""
    shutil.copytree(FOLDERS / "vit", tmp_path / "sound")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def offered(at: AppTest) -> list[str]:
    """The names of the models to choose from."""
    return list(models_box(at, "sound").options)


def without(name: str) -> Spoil:
    return lambda folder: (folder / name).unlink()


def linked_out(folder: Path) -> None:
    (folder.parent / "elsewhere").write_bytes((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).symlink_to(folder.parent / "elsewhere")


def whole_numbers(folder: Path) -> None:
    content = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(content.replace(b'"F32"', b'"I32"'))


def grown(folder: Path) -> None:
    rules = json.loads((folder / TOKENIZER).read_text("utf-8"))
    doubled = {"type": "Replace", "pattern": {"Regex": "."}, "content": "ll"}
    rules["normalizer"] = {"type": "Sequence", "normalizers": [doubled] * 40}
    (folder / TOKENIZER).write_text(json.dumps(rules), "utf-8")


# One that is refused where folders are listed, opened, read, and where it computes; the others are
# those of ``tests/core/models/test_checkpoint_refusals.py``.
BROKEN: dict[str, tuple[str, Spoil, str]] = {
    "a link out of the folder": ("vit", linked_out, "outside_folder"),
    "no weights": ("vit", without(WEIGHTS), "missing_file"),
    "whole numbers": ("vit", whole_numbers, "wrong_number_type"),
    "a tokenizer without end": ("gpt2", grown, "takes_too_much"),
}


@for_all("name", BROKEN)
def test_a_broken_folder_is_refused_and_the_page_says_why_and_offers_the_others(
    open_page: Open, models: Path, name: str
) -> None:
    kind, spoil, wrong = BROKEN[name]
    shutil.rmtree(models / "broken", ignore_errors=True)
    shutil.copytree(FOLDERS / kind, models / "broken")
    spoil(models / "broken")
    with pytest.raises(InputError) as refusal:
        checkpoint.open(models / "broken").run(PHOTO if kind == "vit" else "love 🙂", 1)
    assert refusal.value.code == wrong
    at = open_page("checkpoint", lang="zh", model="broken")
    assert paragraphs(at, "error") == [error_sentence(refusal.value, LANGUAGES["zh"])]
    others = ["sound", *SHIPPED]
    is_link = wrong == "outside_folder"  # which is visible without opening a file
    assert offered(at) == ([*others, "✕ broken · 链接"] if is_link else ["broken", *others])
    choose_model(at, "sound")
    assert paragraphs(at, "error") == []
    assert microscope(at).header["stages"]


def test_a_folder_that_cannot_be_opened_is_in_the_list_with_the_reason(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "onnx only").mkdir()
    (tmp_path / "onnx only" / "tiny.onnx").write_bytes(b"")
    (tmp_path / "models--org--name" / "snapshots").mkdir(parents=True)
    (tmp_path / "linked").symlink_to(FOLDERS / "vit")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    at = open_page("checkpoint", lang="en")
    assert list(models_box(at, "decoder").options) == [
        *SHIPPED,
        "✕ linked · link",
        "✕ models--org--name · cache",
        "✕ onnx only · ONNX",
    ]
    assert "None of the models in your folder can be opened" in texts(at)
    assert microscope(at).header["stages"]
    for name, sentence in (
        (
            "onnx only",
            "tiny.onnx is a model’s weights in the format ONNX, which is not",
        ),
        ("linked", "linked is a link that leads out of its folder"),
        ("models--org--name", "a folder of Hugging Face’s download cache"),
    ):
        at = open_page("checkpoint", lang="en", model=name)
        assert sentence in " ".join(paragraphs(at, "error"))


def test_the_first_model_that_can_be_opened_is_shown(open_page: Open, models: Path) -> None:
    shutil.copytree(FOLDERS / "vit", models / "a broken one")
    (models / "a broken one" / WEIGHTS).write_bytes(b"")
    at = open_page("checkpoint", lang="en")
    assert paragraphs(at, "error") == []
    box = models_box(at, "sound")
    assert (list(box.options), box.value) == (["a broken one", "sound", *SHIPPED], "sound")
    assert "None of the models" not in texts(at)
    shutil.rmtree(models / "sound")
    at = open_page("checkpoint", lang="en")
    assert paragraphs(at, "error") == []
    assert "Below is decoder" in texts(at)


def test_changes_of_the_files_while_the_server_runs_are_noticed(
    open_page: Open, models: Path
) -> None:
    folder = shutil.copytree(FOLDERS / "bert", models / "mine")
    at = open_page("checkpoint", lang="en", model="mine", text="love", layer="2")
    assert microscope(at).header["stages"]["X"]["shape"][-1] == 15
    for name in (CONFIG, WEIGHTS, TOKENIZER):
        shutil.copy(FOLDERS / "gpt2" / name, folder / name)
    assert paragraphs(at.run(), "error") == []
    assert microscope(at).header["stages"]["X"]["shape"][-1] == 10
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[:1000])
    assert paragraphs(at.run(), "error") == [
        error_sentence(InputError("damaged_checkpoint", file=WEIGHTS), LANGUAGES["en"])
    ]
    (folder / WEIGHTS).write_bytes(whole)
    assert paragraphs(at.run(), "error") == []
    shutil.rmtree(folder)
    assert paragraphs(at.run(), "error") == []
    assert offered(at) == ["sound", *SHIPPED]
    shutil.rmtree(models)
    assert paragraphs(at.run(), "error") == []
    assert any("--models" in code.value for code in at.code)
    shutil.copytree(FOLDERS / "gpt2", models / "mine")
    choose_model(at.run(), "mine")
    assert paragraphs(at, "error") == []
    assert microscope(at).header["stages"]["X"]["shape"][-1] == 10


TEXTS: dict[str, dict[str, str]] = {
    "": dict.fromkeys(("bert", "gpt2"), "empty_text"),
    "\u200b\u200f": {"bert": "empty_text"},
    "<b>$x$</b> {0}": {},
    "爱" * 5000: dict.fromkeys(("bert", "gpt2"), "more_tokens_than_places"),
}


@pytest.mark.parametrize("kind", ["bert", "gpt2"])
def test_an_invalid_text_gives_one_error_and_keeps_the_last_valid_one(
    open_page: Open, models: Path, kind: str
) -> None:
    shutil.copytree(FOLDERS / kind, models / "mine")
    model = checkpoint.open(models / "mine")
    at = open_page("checkpoint", lang="zh", model="mine", text="love")
    words, shown = LANGUAGES["zh"], model.encode("love").tokens
    for text, errors in TEXTS.items():
        at.text_area(key="text").set_value(text).run()
        if wrong := errors.get(kind):
            with refuses(wrong) as refusal:
                model.encode(text)
            assert paragraphs(at, "error") == [
                error_sentence(refusal.value, words),
                words.last_good,
            ]
        else:
            assert paragraphs(at, "error") == []
            shown = model.encode(text).tokens
        assert microscope(at).names("X", "token") == list(shown)
