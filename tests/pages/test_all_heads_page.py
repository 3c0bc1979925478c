"""The overview of all heads: computed on request, and true to the weights."""

import math
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claims import for_all
from page_reader import FOLDERS, Open, component_data, microscope, paragraphs
from safetensors.numpy import load_file, save_file
from streamlit.testing.v1 import AppTest

from core.experiments.head_patterns import HALF, NEARLY_ALL
from core.models import checkpoint
from core.models.installed import VARIABLE
from core.models.opened_model import Checkpoint
from views.text import CHECKPOINT
from views.widgets.checkpoint import cached_layers

TEXT = {"bert": "爱 the Playing sun!", "gpt2": "love é lov 爱"}
KINDS = ("bert", "gpt2", "vit")
SPECIAL = {"bert": (0, 7), "gpt2": (), "vit": (0,)}


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(FOLDERS))


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


def pattern(weights: np.ndarray, first: int, special: tuple[int, ...]) -> tuple[str, float]:
    """The pattern of one head, computed row by row; rows before ``first`` have one key only."""
    rows = [(i, [float(w) for w in row]) for i, row in enumerate(weights) if i >= first]
    n, causal = len(weights), first > 0

    def mean(values: list[float]) -> float:
        return sum(values) / len(values)

    entropies = [
        -sum(w * math.log(w) for w in row if w > 0) / math.log(i + 1 if causal else n)
        for i, row in rows
    ]
    if mean(entropies) >= NEARLY_ALL:
        return "broadly", mean(entropies)
    columns = [mean([row[j] for _, row in rows]) for j in range(n)]
    best = columns.index(max(columns))
    found = {
        "itself": mean([row[i] for i, row in rows]),
        "previous": mean([row[i - 1] for i, row in rows if i > 0]),
        "following": mean([row[i + 1] for i, row in rows if i + 1 < n]),
        "special": sum(columns[j] for j in special),
        "one" if best else "first": columns[best],
    }
    name = max(found, key=lambda kind: found[kind])
    return (
        (name, found[name]) if found[name] >= HALF else ("mixed", mean([max(r) for _, r in rows]))
    )


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_surveyed_until_the_reader_asks_and_then_once(
    open_page: Open, surveys: list[Any], kind: str
) -> None:
    at = open_page("checkpoint", **query(kind, board="0"))
    assert not component_data(at, "head_overview")
    assert not surveys
    at.checkbox(key="board").check().run()
    assert len(overview(at)["cells"]) == checkpoint.open(FOLDERS / kind).layers
    assert at.query_params["board"] == "1"
    at.session_state["layer"] = 2
    at.run()
    assert overview(at)["chosen"] == "2/1"
    assert len(surveys) == 1


def test_another_text_is_surveyed_and_the_last_one_leaves_the_cache(
    open_page: Open, surveys: list[Any]
) -> None:
    at = open_page("checkpoint", **query("gpt2"))
    first = overview(at)["cells"]
    at.text_area(key="text").set_value("lov lov").run()
    assert overview(at)["cells"] != first
    at.text_area(key="text").set_value(TEXT["gpt2"]).run()
    assert overview(at)["cells"] == first
    assert surveys == [TEXT["gpt2"], "lov lov", TEXT["gpt2"]]


@for_all("kind", KINDS)
def test_every_cell_says_what_stands_out_in_the_weights_of_that_head(
    open_page: Open, kind: str
) -> None:
    at = open_page("checkpoint", **query(kind, layer="2", head="2"))
    model, found = checkpoint.open(FOLDERS / kind), overview(at)
    assert found["chosen"] == "2/2"
    given = TEXT.get(kind)
    for layer in (1, 2):
        shown = microscope(open_page("checkpoint", **query(kind, layer=str(layer)))).arrays
        weights = shown["weights"][0]
        if given is not None:
            alone = model.run(given, layer)[f"encoder/{layer}/self/weights"].tensor[0]
            np.testing.assert_allclose(weights, alone, atol=1e-6)
        for head, cell in zip(weights, found["cells"][layer - 1], strict=True):
            name, value = pattern(head, int(kind == "gpt2"), SPECIAL[kind])
            assert cell[0] == name
            assert float(cell[1]) == pytest.approx(value, abs=0.00501)
            if name in ("one", "first"):
                assert str(int(head[int(kind == "gpt2") :].mean(axis=0).argmax()) + 1) in cell[3]


@for_all("kind", KINDS)
def test_the_counts_are_those_of_the_cells_and_name_the_kinds_in_words(
    open_page: Open, kind: str
) -> None:
    found, words = (
        overview(open_page("checkpoint", **query(kind, lang="zh"))),
        CHECKPOINT["zh"].head_overview,
    )
    cells = [cell[0] for row in found["cells"] for cell in row]
    counted = Counter(cells)
    assert {one["kind"] for one in found["counts"]["kinds"]} == set(cells) == set(found["kinds"])
    for one in found["counts"]["kinds"]:
        assert str(counted[one["kind"]]) in one["text"]
        assert "{" not in one["text"]
    assert found["counts"]["before"] == words.counts.format(heads=len(cells))


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
