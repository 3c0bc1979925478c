"""The page of one's own model: choice of model, input and layer."""

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from model_files import wide_llama, write_gguf
from page_reader import (
    Open,
    choose_model,
    component_data,
    is_nonsense,
    microscope,
    model_map,
    models_box,
    paragraphs,
    texts,
)
from refuses import refuses
from source_tree import ROOT
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from core.models.installed import VARIABLE

TEXT = "爱 the Playing sun!"


@pytest.fixture
def models(offer: Callable[..., Path]) -> Path:
    """One small model of each kind, and a folder that cannot be opened."""
    folder = offer("bert", "gpt2", "vit", "llama", "qwen3")
    (folder / "broken").mkdir()
    (folder / "broken" / "config.json").write_text("{", "utf-8")
    return folder


def row_of_layers(at: AppTest) -> dict:
    (found,) = component_data(at, "layers")
    return found


def test_a_step_of_shared_keys_shows_the_kv_head_of_the_chosen_head(
    open_page: Open, models: Path
) -> None:
    shown = microscope(open_page("checkpoint", lang="en", model="llama", stage="K", head="5"))
    assert (shown.chosen["stage"], shown.chosen["head"]) == ("K", 4)
    assert shown.chosen["positions"]["kv_head"] == 1  # of 6 heads on 2, the fifth has the second


def test_another_layer_shows_the_same_part_at_the_same_step(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="gpt2", part="encoder/1/self", stage="output")
    at.session_state["layer"] = 2
    at.run()
    assert row_of_layers(at)["chosen"] == 2
    assert model_map(at)["chosen"] == "encoder/2/self"
    assert microscope(at).chosen["stage"] == "output"


def test_parameters_stay_while_models_of_another_kind_are_shown(
    open_page: Open, models: Path
) -> None:
    at = open_page(
        "checkpoint", lang="en", model="gpt2", text="love", layer="2", head="2", picture="lake",
        sound="drums",
    )  # fmt: skip
    choose_model(at, "vit")
    assert at.button_group(key="picture").value == "lake"
    assert (row_of_layers(at)["chosen"], microscope(at).chosen["head"]) == (2, 1)
    choose_model(at, "broken")
    assert paragraphs(at, "error")
    choose_model(at, "gpt2")
    assert at.text_area(key="text").value == "love"
    assert (row_of_layers(at)["chosen"], microscope(at).chosen["head"]) == (2, 1)
    assert not is_nonsense(at)
    assert (at.query_params["picture"], at.query_params["sound"]) == ("lake", "drums")


def test_two_sessions_show_two_models(open_page: Open, models: Path) -> None:
    opened = {"gpt2": 1, "vit": 3}
    one, other = (
        open_page("checkpoint", lang="en", model=kind, layer=str(layer), head="2")
        for kind, layer in opened.items()
    )
    before = microscope(other).arrays["weights"]
    one.session_state["layer"] = 2
    one.run()
    other.run()
    assert [row_of_layers(at)["chosen"] for at in (one, other)] == [2, 3]
    assert [at.query_params["model"] for at in (one, other)] == [*opened]
    np.testing.assert_array_equal(microscope(other).arrays["weights"], before)
    assert microscope(one).arrays["weights"].shape != before.shape


def test_parameters_of_a_link_to_a_broken_model_apply_to_the_next_one(
    open_page: Open, models: Path
) -> None:
    at = open_page(
        "checkpoint", lang="en", model="broken", text="love", layer="2", part="encoder/2/self",
        stage="scores", head="2", row="3", lock="1", special="0", below="code",
    )  # fmt: skip
    assert len(paragraphs(at, "error")) == 1
    assert not is_nonsense(at)
    choose_model(at, "gpt2")
    shown = microscope(at)
    assert at.text_area(key="text").value == "love"
    assert (shown.chosen["stage"], shown.chosen["head"], shown.chosen["locked"]) == (
        "scores",
        1,
        True,
    )
    assert row_of_layers(at)["chosen"] == 2
    assert (at.query_params["special"], at.query_params["below"]) == ("0", "code")


def test_a_model_with_fewer_layers_shows_the_same_part_of_its_last_one(
    open_page: Open, models: Path
) -> None:
    at = open_page("checkpoint", lang="en", model="vit", layer="3", part="encoder/3/feed_forward")
    choose_model(at, "bert")
    assert row_of_layers(at)["chosen"] == 2
    assert model_map(at)["chosen"] == "encoder/2/feed_forward"
    assert not is_nonsense(at)


def test_the_marks_of_tokens_are_explained_if_they_occur(open_page: Open, models: Path) -> None:
    def explained(**query: str) -> str:
        return " ".join(paragraphs(open_page("checkpoint", lang="en", **query), "quiet"))

    plain = explained(model="bert", text="the sun")
    assert "4 tokens; this model takes up to 19." in plain
    for mark in ("[UNK]", "##", "␣", "UTF-8"):
        assert mark not in plain
    marked = explained(model="bert", text="爱 ☃ Playing ☃☂")
    assert "[UNK] stands for “☃”, “☃☂”" in marked
    assert "## marks a piece" in marked
    bytes_ = explained(model="gpt2", text="love lov 爱")
    assert "␣ is a space" in bytes_
    assert "E7 88 B1 are the UTF-8 bytes of “爱”" in bytes_


def test_too_many_tokens_give_an_error_and_layers_can_be_chosen(
    open_page: Open, models: Path
) -> None:
    at = open_page("checkpoint", lang="en", model="bert", text="the sun")
    at.text_area(key="text").set_value("sun " * 18).run()
    wrong = paragraphs(at, "error")
    assert wrong[0].startswith("This model’s tokenizer cuts the text into 20 tokens")
    assert not any("ine 1" in line for line in wrong)
    assert at.text_area(key="text").value == "sun " * 18
    at.session_state["layer"] = 2
    at.run()
    assert paragraphs(at, "error") == wrong
    assert row_of_layers(at)["chosen"] == 2
    alone = checkpoint.open(models / "bert").run("the sun", 2)["encoder/2/self/weights"].tensor
    assert (microscope(at).arrays["weights"] == alone).all()


def test_without_a_folder_the_models_of_the_project_are_offered_as_trained(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    at = open_page("checkpoint", lang="en")
    assert not at.exception
    models = models_box(at, "decoder")
    assert models.options == ["decoder", "vit"]
    assert "decoder, a model of this project" in texts(at)
    models.set_value("vit").run()
    assert not at.exception
    assert "32 × 32" in " ".join(caption.value for caption in at.caption)


def test_without_models_two_commands_are_shown(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("core.models.installed.SHIPPED", ())
    at = open_page("checkpoint", lang="zh", model="mine", layer="3", text="我爱北京")
    assert not at.exception
    assert not paragraphs(at, "error")
    assert not is_nonsense(at)
    get, start = (code.value for code in at.code)
    assert get.startswith(".venv/bin/hf download google-bert/bert-base-chinese config.json ")
    assert start == ".venv/bin/streamlit run app.py -- --models models"
    shown = texts(at).replace("\\", "")
    for file in ("config.json", "model.safetensors", "tokenizer.json", "pytorch_model.bin"):
        assert file in shown
    at.button_group(key="example").set_value("vit").run()
    assert "preprocessor_config.json" in at.code[0].value
    assert "tokenizer.json" not in at.code[0].value


def test_the_commands_are_those_of_the_documentation(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    written = (Path(__file__).parents[2] / "docs/own-models.md").read_text("utf-8")
    for example in ("bert", "gpt2", "vit"):
        at = open_page("checkpoint", example=example)
        assert at.expander[0].proto.expanded
        for code in at.code:
            assert code.value in written
    assert not open_page("checkpoint").expander[0].proto.expanded


def test_elements_stay_at_their_index_in_a_run_without_computation(
    open_page: Open, models: Path
) -> None:
    """Streamlit's browser mounts an element again if its path changes, and loses its state."""

    def paths(block, path=()):
        for index, one in block.children.items():
            if hasattr(one, "children"):
                yield from paths(one, (*path, index))
            elif one.type == "bidi_component":
                yield one.proto.component_name, (*path, index)

    at = open_page("checkpoint", lang="en", model="gpt2", text="love lov", board="1")
    first = [*paths(at.main)]
    assert {"head_overview", "layers", "run"} <= {name for name, _ in first}
    assert [*paths(at.run().main)] == first


def test_a_gguf_file_is_offered_and_says_how_its_weights_are_stored(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = wide_llama(tmp_path / "written")
    (tmp_path / "models" / "own").mkdir(parents=True)
    write_gguf(folder, tmp_path / "models" / "fine.gguf")
    write_gguf(folder, tmp_path / "models" / "own" / "tiny.gguf", "Q4_1")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "models"))
    at = open_page("checkpoint", lang="en")
    assert list(models_box(at, "decoder").options)[:2] == ["fine.gguf", "own/tiny.gguf"]
    assert "stored as" not in microscope(at).header["sheets"]["origin"], "float32 is not rounded"
    at = choose_model(at, "own/tiny.gguf")
    expected = (
        "Most weights of the layers are stored as Q4_1: 4 bits a number, in blocks of 32 that "
        "share their scale. What is computed with are these rounded values."
    )
    assert microscope(at).header["sheets"]["origin"].endswith(expected)


def test_where_transformers_is_installed_a_button_compares_every_layer(
    open_page: Open, models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command itself is tested in ``tests/against``."""
    printed = "import sys; print('layer …\\n    1  4.2e-07  3.7e-08\\n    2  2.9e-07  4.5e-08')"
    monkeypatch.setattr("pages.see.checkpoint.verified.COMMAND", (sys.executable, "-c", printed))
    without = open_page("checkpoint", lang="en", model="bert")
    assert "verify" not in {button.key for button in without.button}
    monkeypatch.setattr("pages.see.checkpoint.verified.find_spec", lambda name: name)
    at = open_page("checkpoint", lang="en", model="bert")
    at.button(key="verify").click().run()
    found = paragraphs(at, "quiet")
    most, layers = next((one, other) for one, other in pairwise(found) if one.startswith("Largest"))
    assert most == "Largest difference from transformers: hidden states 4.2e-07, weights 4.5e-08."
    assert "1: 4.2e-07 · 3.7e-08, 2: 2.9e-07 · 4.5e-08." in layers
    refused = "import sys; print('no', file=sys.stderr); sys.exit(2)"
    monkeypatch.setattr("pages.see.checkpoint.verified.COMMAND", (sys.executable, "-c", refused))
    at.button(key="verify").click().run()
    assert "Not compared: no" in paragraphs(at, "quiet")


def test_a_file_is_prepared_as_the_models_input(models: Path) -> None:
    photo = ROOT / "assets" / "samples" / "cat.webp"
    vit = checkpoint.open(models / "vit")
    assert vit.processor is not None
    assert vit.read(photo).shape == (*vit.processor.shape, 3)
    (models / "text.txt").write_text(TEXT, "utf-8")
    assert checkpoint.open(models / "bert").read(models / "text.txt") == TEXT
    assert repr(vit).startswith("<Checkpoint vit: vit, 3 layers, ")
    assert repr(vit).endswith("a token is a patch>")
    with refuses("no_such_folder", folder="nope"):
        checkpoint.open("nope")
