"""The next token of a text of one's own model, and the page where no folder is named."""

import shutil
from pathlib import Path

import pytest
from page_reader import FOLDERS, Open, microscope, model_map
from streamlit.testing.v1 import AppTest

from core.models import checkpoint, installed
from core.models.installed import VARIABLE
from views.text import CHECKPOINT, numbers
from views.widgets.checkpoint.next_token import without_says

TEXT = "lov 爱"
# What is said without a head: the probability before and after, and what else is the likeliest.
WITHOUT = [
    (0.40, 0.08, "", "Without this head “热” falls from 40\u00a0% to 8\u00a0%."),
    (0.40, 0.08, "冷", "… falls from 40\u00a0% to 8\u00a0%, and “冷” comes first."),
    (0.07, 0.04, "", "… falls from 7\u00a0% to 4\u00a0%."),
    (0.07, 0.09, "", "… hardly changes: 7\u00a0% → 9\u00a0%."),
    (0.15, 0.16, "，", "… hardly changes: 15\u00a0% → 16\u00a0%, and “，” comes first."),
    (0.90, 0.88, "", "… hardly changes: 90\u00a0% → 88\u00a0%."),
    (
        0.76,
        0.93,
        "",
        "Here this head works against it: without it “热” rises from 76\u00a0% to 93\u00a0%.",
    ),
]


def tokens(at: AppTest) -> list[str]:
    assert not at.exception
    return [one.label for one in at.button if str(one.key).startswith("next_")]


def parts_of_map(at: AppTest) -> list[str]:
    return [box["path"] for box in model_map(at)["boxes"]]


def test_the_likeliest_tokens_stand_with_their_probabilities_and_one_press_appends_one(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="qwen3", text=TEXT)
    model = checkpoint.open(FOLDERS / "qwen3")
    made = model.predict(TEXT)
    shown = tokens(at)
    assert len(shown) == 6
    chances = [float(label.rpartition(" · ")[2].rstrip("%\u202f\u00a0 ")) for label in shown]
    expected = [100 * made.probabilities[number] for number in made.likeliest[:6]]
    assert chances == pytest.approx(expected, abs=0.51)
    at.button(key="next_0").click().run()
    assert not at.exception
    assert at.text_area(key="text").value == model.append_token(TEXT, made.likeliest[0])


def test_what_a_missing_head_does_is_said_as_it_was_measured_with_both_numbers() -> None:
    for before, after, other, expected in WITHOUT:
        for code in ("en", "zh"):
            says = without_says(CHECKPOINT[code].following.without, "热", before, after, other)
            shares = [numbers.per_cent(share, 0) for share in (before, after)]
            assert [share in says for share in (*shares, other)] == [True] * 3, says
            if code == "en":
                start = "Without this head “热”" if expected[0] == "…" else ""
                assert says == expected.replace("…", start), (before, after, other)


def test_behind_the_last_layer_the_prediction_is_a_part_that_opens(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="llama", text=TEXT, layer="2", part="prediction")
    assert parts_of_map(at)[-1] == "prediction"
    shown = microscope(at)
    assert shown.chosen["stage"] == "probabilities"
    made = checkpoint.open(FOLDERS / "llama").predict(TEXT)
    assert shown.arrays["probabilities"][0, 0, 0] == pytest.approx(made.probabilities.max())
    at = open_page("checkpoint", lang="en", model="llama", text=TEXT, layer="1", part="prediction")
    assert "prediction" not in parts_of_map(at)
    assert microscope(at).chosen["stage"] == "weights"


def test_who_does_not_want_it_sees_no_prediction_and_a_bert_makes_none(
    open_page: Open, offered: None
) -> None:
    at = open_page("checkpoint", lang="en", model="qwen3", text=TEXT, layer="3", next="0")
    assert tokens(at) == []
    assert "prediction" not in parts_of_map(at)
    at = open_page("checkpoint", lang="en", model="bert", next="1")
    assert tokens(at) == []
    assert [box.key for box in at.checkbox if box.key == "next"] == []


def test_where_no_folder_is_named_a_model_of_the_project_is_open(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    shutil.copytree(FOLDERS / "llama", tmp_path / "models" / "decoder")
    monkeypatch.setattr(installed, "FOLDER", tmp_path / "models")
    at = open_page("checkpoint", lang="en")
    assert len(tokens(at)) == 6
    (closed,) = [box for box in at.expander if "your own" in box.label]
    assert "hf download" in closed.code[0].value
