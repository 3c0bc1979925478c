"""Links to the page of one's own model with invalid parameters or models that are not offered."""

import gc
import shutil
import weakref
from itertools import zip_longest
from pathlib import Path

import pytest
from claims import for_all
from page_reader import (
    FOLDERS,
    Open,
    choose_model,
    microscope,
    model_map,
    models_box,
    paragraphs,
    queries_to,
    texts,
)
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from core.models.installed import VARIABLE
from core.models.opened_model import Checkpoint
from core.models.pretrained import SMOLLM2
from views.widgets.checkpoint.cached_layers import Computed

KINDS = ("bert", "gpt2", "vit")
TEXT = {"bert": {"text": "love"}, "gpt2": {"text": "love"}, "vit": {}}
NAMES = ("中文 模型", """it's "b" """.strip(), "a&b=c#d%20", "$x$ *a* :red[y]", "-{x} <b>x")


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models, and a model beside it that no link may open."""
    for kind in KINDS:
        shutil.copytree(FOLDERS / kind, tmp_path / "models" / kind)
    shutil.copytree(FOLDERS / "vit", tmp_path / "secret")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "models"))
    return tmp_path / "models"


def notices(at: AppTest) -> str:
    """The notice about invalid parameters."""
    return "".join(paragraphs(at, "notice"))


NONSENSE = {
    "layer": ("0", "x"),
    "part": ("../../etc/passwd", "encoder/99/self", "encoder/1/cross"),
    "stage": ("nope", "encoder/1/self/weights"),
    "head": ("0", "99"),
    "row": ("9999", "-1"),
    "special": ("2",),
    "board": ("2",),
    "picture": ("../../etc/passwd",),
}


@for_all("kind", KINDS)
def test_invalid_parameters_are_reported_and_the_model_is_shown(
    open_page: Open, models: Path, kind: str
) -> None:
    asked = {"lang": "en", "model": kind} | TEXT[kind]
    assert notices(open_page("checkpoint", **asked)) == ""
    together = [name for name in NONSENSE if name != "part"]  # a part speaks for its layer
    links = [
        {name: value for name, value in zip(together, values, strict=True) if value is not None}
        for values in zip_longest(*(NONSENSE[name] for name in together))
    ]
    parts = [{"part": part} for part in NONSENSE["part"]]
    for nonsense in (*links, *parts) if kind == "gpt2" else (links[0], parts[1]):
        at = open_page("checkpoint", **asked | nonsense)
        reported = notices(at)
        assert [f"{n}={v}" for n, v in nonsense.items() if f"{n}={v}" not in reported] == []
        assert microscope(at).chosen["stage"] == "weights"


def test_a_layer_after_the_last_is_the_last(open_page: Open, models: Path) -> None:
    def opened(layer: int) -> AppTest:
        part = f"encoder/{layer}/feed_forward"
        return open_page("checkpoint", lang="en", model="vit", layer=str(layer), part=part)

    at = opened(99)
    assert "layer=99" in notices(at)
    assert at.session_state["layer"] == 3
    assert model_map(at)["chosen"] == "encoder/3/feed_forward"
    assert microscope(at).packed == microscope(opened(3)).packed


@pytest.mark.parametrize("name", ["../secret", "secret", "", "bert/../vit", "BERT"])
def test_a_link_cannot_open_a_path(
    open_page: Open, models: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders: list[Path] = []

    def noted(folder: Path, *rest: str) -> Checkpoint:
        folders.append(folder)
        return opened(folder, *rest)

    opened = checkpoint.open
    monkeypatch.setattr(checkpoint, "open", noted)
    absolute = str(models.parent / name) if name == "secret" else name
    at = open_page("checkpoint", lang="en", model=absolute)
    assert "is not offered here" in notices(at)
    box = models_box(at, "bert")
    assert list(box.options) == [*KINDS, "decoder"]
    assert box.value == "bert"
    assert folders == [models / "bert"]


def test_models_with_unusual_names_can_be_opened_by_list_and_link(
    open_page: Open, models: Path
) -> None:
    for name in ("!", *NAMES):  # no link names the first
        shutil.copytree(FOLDERS / "vit", models / name)
    at = open_page("checkpoint", lang="zh", model="gpt2", text="love")
    for name in NAMES:
        choose_model(at, name)
        assert at.query_params["model"] == name
        again = open_page("checkpoint", lang="zh", model=name)
        assert notices(at) == notices(again) == ""
        assert microscope(again).packed == microscope(at).packed
        assert name in texts(again)


def test_a_session_holds_one_trace(open_page: Open, models: Path) -> None:
    at = open_page("checkpoint", lang="en", model="gpt2", text="love")
    traces = []
    for text, layer in (("lo", 1), ("lo", 2), ("é", 2)):
        at.text_area(key="text").set_value(text)
        at.session_state["layer"] = layer
        at.run()
        last = at.session_state["session"].memories[Computed].layer
        assert (last.chosen.given, last.chosen.layer) == (text, layer)
        traces.append(weakref.ref(last.value))
    del last
    gc.collect()
    assert [trace() is not None for trace in traces] == [False, False, True]


@for_all("name", ["llama", SMOLLM2.title, "bert"])
def test_a_decoder_leads_to_the_page_on_which_it_writes_on(
    open_page: Open, models: Path, name: str
) -> None:
    shutil.copytree(
        FOLDERS / ("bert" if name == "bert" else "llama"), models / name, dirs_exist_ok=True
    )
    at = open_page("checkpoint", lang="en", model=name, text="love & be")
    assert not at.exception
    asked = {"lang": "en", "model": {SMOLLM2.title: "smollm2"}.get(name, name), "text": "love & be"}
    assert queries_to(at, "writing") == ([] if name == "bert" else [asked])
