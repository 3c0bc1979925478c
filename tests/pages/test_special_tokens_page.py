"""Hidden special tokens of one's own model, and the sentence about their share."""

import json
import math
import shutil
from pathlib import Path

import pytest
from claims import for_all
from page_reader import FOLDERS, Open, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models import checkpoint
from core.models.installed import VARIABLE

TEXT = {"bert": "爱 the Playing sun!", "gpt2": "love é lov 爱"}
HIDDEN = {"bert": (0, 7), "gpt2": (0,), "vit": (0,)}
LABELS = {"bert": "Show special tokens", "gpt2": "Show the first token", "vit": "Show [CLS]"}


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(FOLDERS))


def query(kind: str, **more: str) -> dict[str, str]:
    text = {"text": TEXT[kind]} if kind in TEXT else {}
    part = {"layer": "2", "part": "encoder/2/self"}
    return {"lang": "en", "model": kind, "stage": "weights", "head": "2"} | part | text | more


def hidden(at: AppTest) -> tuple[int, ...]:
    assert not at.exception
    return tuple(microscope(at).header["hidden"])


def sentence(at: AppTest) -> str:
    return next(line for line in texts(at).splitlines() if "of all attention" in line)


@for_all("kind", HIDDEN)
def test_they_are_shown_at_first_and_the_switch_hides_them_and_says_so_in_the_link(
    open_page: Open, kind: str
) -> None:
    at = open_page("checkpoint", **query(kind))
    assert hidden(at) == ()
    assert "special" not in at.query_params
    switch = at.checkbox(key="special")
    assert switch.value
    assert switch.label == LABELS[kind]
    switch.uncheck().run()
    assert hidden(at) == HIDDEN[kind]
    assert at.query_params["special"] == "0"
    at.checkbox(key="special").check().run()
    assert hidden(at) == ()
    assert "special" not in at.query_params


@pytest.mark.parametrize("kind", TEXT)
def test_the_sentence_says_what_they_take_in_the_chosen_head_and_what_would_be_even(
    open_page: Open, kind: str
) -> None:
    at = open_page("checkpoint", **query(kind))
    trace = checkpoint.open(FOLDERS / kind).run(TEXT[kind], 2)
    weights = trace["encoder/2/self/weights"].tensor[0, 1].tolist()
    n = len(weights)
    taken = sum(row[token] for row in weights for token in HIDDEN[kind]) / n
    allowed = [n if kind == "bert" else i + 1 for i in range(n)]
    even = sum(len(HIDDEN[kind]) / count for count in allowed) / n
    text = sentence(at)
    assert f"receive{'s' * (kind == 'gpt2')} {100 * taken:.0f}\u00a0% of" in text
    assert text.endswith(f"({100 * even:.0f}\u00a0% if spread evenly).")
    assert "In head 2, " in text
    assert ("[CLS] and [SEP]" in text) == (kind == "bert")
    assert ("No special tokens here" in text) == (kind == "gpt2")


def test_of_one_special_token_the_sentence_is_in_the_singular(
    open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = shutil.copytree(FOLDERS / "bert", tmp_path / "bert") / "tokenizer.json"
    tokenizer = json.loads(file.read_text())
    single = tokenizer["post_processor"]["single"]
    tokenizer["post_processor"]["single"] = single[:-1]  # without [SEP]
    file.write_text(json.dumps(tokenizer))
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    at = open_page("checkpoint", **query("bert"))
    assert "In head 2, [CLS] receives " in sentence(at)


def test_a_small_percentage_has_one_decimal(open_page: Open) -> None:
    at = open_page("checkpoint", **query("vit", picture="cat"))
    rows = microscope(at).arrays["weights"][0, 1]
    taken = 100 * float(rows[:, 0].mean())
    printed = f"{taken:.0f}" if taken >= 10 else f"{taken:.1f}"
    assert f"[CLS] receives {printed}\u00a0% of" in sentence(at)
    assert f"({100 / len(rows):.0f}\u00a0% if spread evenly)." in sentence(at)


def test_a_row_still_adds_up_to_1_with_what_is_hidden(open_page: Open) -> None:
    shown, veiled = (
        microscope(open_page("checkpoint", **query("bert", special=flag))) for flag in "10"
    )
    assert (shown.arrays["weights"] == veiled.arrays["weights"]).all()
    for row in veiled.arrays["weights"][0, 1].tolist():
        assert math.isclose(sum(row), 1, abs_tol=1e-6)


def test_the_colours_of_all_pictures_reach_as_far_as_the_rest(open_page: Open) -> None:
    at = open_page("checkpoint", **query("bert", special="0"))
    weights = microscope(at).arrays["weights"][0][:, 1:-1, 1:-1]
    high = microscope(at).header["stages"]["weights"]["scale"]["high"]
    assert weights.max() <= high <= 2.5 * weights.max()


def test_the_choice_outlives_another_model_another_part_and_a_reload(open_page: Open) -> None:
    at = open_page("checkpoint", **query("bert", special="0"))
    next(box for box in at.selectbox if box.label == "Model").set_value("gpt2").run()
    assert hidden(at) == (0,)
    assert at.query_params["special"] == "0"
    at.session_state["part"] = "encoder/2/feed_forward"
    at.run()
    assert not at.checkbox(key="special").value
    reloaded = open_page("checkpoint", **query("vit", special="0"))
    assert hidden(reloaded) == (0,)
    assert not reloaded.checkbox(key="special").value


def test_what_is_veiled_is_explained_only_where_something_is(open_page: Open) -> None:
    for flag, expected in (("1", False), ("0", True)):
        at = open_page("checkpoint", **query("bert", special=flag))
        assert ("a covered cell still opens" in texts(at)) == expected


def test_the_first_token_of_a_reader_is_not_named_in_the_sentence(open_page: Open) -> None:
    at = open_page("checkpoint", **query("gpt2", text="zebra love"))
    (data,) = (
        data
        for data in component_data(at, "prose")
        if any("No special tokens" in text for line in data["paragraphs"] for text, _ in line)
    )
    assert "z" not in "".join(text for text, _ in data["paragraphs"][0])


def test_an_invalid_switch_is_reported(open_page: Open) -> None:
    at = open_page("checkpoint", **query("bert", special="maybe"))
    assert hidden(at) == ()
    assert "maybe" in texts(at)
