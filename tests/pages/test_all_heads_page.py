"""The overview of all heads: computed on request, and true to the weights."""

import shutil
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claims import for_all
from page_reader import FOLDERS, Open, component_data, microscope, paragraphs
from safetensors.numpy import load_file, save_file
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from core.models.installed import VARIABLE
from core.models.opened_model import Checkpoint
from views.text import CHECKPOINT
from views.widgets.checkpoint import cached_layers

TEXT = {"bert": "爱 the Playing sun!", "gpt2": "love é lov 爱"}
KINDS = ("bert", "gpt2", "vit")
pytestmark = pytest.mark.usefixtures("offered")


@pytest.fixture
def surveys(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The inputs of all calls of ``Checkpoint.survey``, in order."""
    surveyed: list[Any] = []
    survey = Checkpoint.survey

    def noted(self: Checkpoint, given: Any, *rest: Any, **how: Any) -> Any:
        surveyed.append(given)
        return survey(self, given, *rest, **how)

    monkeypatch.setattr(Checkpoint, "survey", noted)
    return surveyed


def query(kind: str, **more: str) -> dict[str, str]:
    text = {"text": TEXT[kind]} if kind in TEXT else {}
    return {"lang": "en", "model": kind, "board": "1"} | text | more


def overview(at: AppTest) -> dict[str, Any]:
    assert not at.exception
    (found,) = component_data(at, "head_overview")
    return found


def test_nothing_is_surveyed_until_the_reader_asks_and_then_once(
    open_page: Open, surveys: list[Any]
) -> None:
    at = open_page("checkpoint", **query("gpt2", board="0"))
    assert not component_data(at, "head_overview")
    assert not surveys
    at.checkbox(key="board").check().run()
    first = overview(at)["cells"]
    assert at.query_params["board"] == "1"
    at.session_state["layer"] = 2
    at.run()
    assert overview(at)["chosen"] == "2/1"
    assert surveys == [TEXT["gpt2"]]
    # Another text is surveyed, and the last one leaves the cache.
    at.text_area(key="text").set_value("lov lov").run()
    assert overview(at)["cells"] != first
    at.text_area(key="text").set_value(TEXT["gpt2"]).run()
    assert overview(at)["cells"] == first
    assert surveys == [TEXT["gpt2"], "lov lov", TEXT["gpt2"]]


@for_all("kind", KINDS)
def test_every_cell_says_what_stands_out_in_its_head_and_the_counts_are_those_of_the_cells(
    open_page: Open, surveys: list[Any], kind: str
) -> None:
    found = overview(open_page("checkpoint", **query(kind, layer="2", head="2")))
    assert found["chosen"] == "2/2"
    heads = checkpoint.open(FOLDERS / kind).survey(surveys[-1])
    for one, cell in zip(chain(*heads), chain(*found["cells"]), strict=True):
        name, value = one.pattern
        assert cell[0] == name
        assert float(cell[1]) == pytest.approx(value, abs=0.00501)
        if name in ("one", "first"):
            assert str(one.favourite + 1) in cell[3]
    counted, kinds = Counter(cell[0] for cell in chain(*found["cells"])), found["counts"]["kinds"]
    assert {one["kind"] for one in kinds} == {*counted} == {*found["kinds"]}
    for one in kinds:
        assert str(counted[one["kind"]]) in one["text"]
        assert "{" not in one["text"]
    words = CHECKPOINT["en"].head_overview
    assert found["counts"]["before"] == words.counts.format(heads=counted.total())


def test_a_layer_that_is_not_finite_is_named_and_the_viewer_stays(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(FOLDERS / "gpt2", tmp_path / "gpt2")
    tensors = load_file(folder / "model.safetensors")
    name = next(name for name in tensors if name.endswith("h.1.mlp.c_proj.weight"))
    save_file(tensors | {name: tensors[name] * np.float32(3e38)}, folder / "model.safetensors")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    at = open_page("checkpoint", **query("gpt2", next="0"))
    assert not component_data(at, "head_overview")
    assert "layer 2" in paragraphs(at, "error")[0]
    assert microscope(at).chosen["stage"] == "weights"


@pytest.mark.parametrize("long", [True, False])
def test_the_progress_of_a_long_survey_is_shown(
    open_page: Open, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    progress_shown: list[bool] = []
    survey = Checkpoint.survey

    def noted(self: Checkpoint, given: Any, progress: Any = None, **how: Any) -> Any:
        progress_shown.append(progress is not None)
        return survey(self, given, progress, **how)

    monkeypatch.setattr(Checkpoint, "survey", noted)
    if long:
        monkeypatch.setattr(cached_layers, "LONG", 1)
    overview(open_page("checkpoint", **query("bert")))
    assert progress_shown == [long]
