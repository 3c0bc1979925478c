import math
import re

import pytest
from claims import for_all
from page_reader import Open, microscope, paragraphs, text_box, texts

from views.text import LANGUAGES

TITLES = {"zh": "每个词问每个词", "en": "every token asks every token"}


def test_the_first_run_shows_the_scores_of_the_sample_with_one_cell_selected(
    open_page: Open,
) -> None:
    at = open_page("sentence", lang="zh", text="我爱北京")
    assert not at.exception
    assert "每个词问每个词" in texts(at)
    shown = microscope(at)
    assert (shown.chosen["stage"], shown.chosen["head"]) == ("scores", 0)
    assert (shown.label("scores", "query"), shown.label("scores", "key")) == ("爱", "北京")
    query, key = shown.arrays["Q"][0, 0, 1].tolist(), shown.arrays["K"][0, 0, 2].tolist()
    total = math.fsum(q * k for q, k in zip(query, key, strict=True))
    assert shown.arrays["scores"][0, 0, 1, 2] == pytest.approx(total, abs=1e-12)


def test_every_parameter_of_the_link_sets_its_widget_and_the_trace(open_page: Open) -> None:
    at = open_page(
        "sentence", lang="en", text="a b c d", mode="custom", d_model="12", heads="3", seed="5",
        mask="causal", temperature="2.0", dropout="0.3", residual="1", position="0",
        stage="weights", head="3", row="4", column="2",
    )  # fmt: skip
    assert not at.exception
    assert text_box(at).value == "a b c d"
    assert at.number_input(key="d_model").value == 12
    assert at.number_input(key="heads").value == 3
    assert at.slider(key="temperature").value == 2.0
    assert at.checkbox(key="position").value is False
    shown = microscope(at)
    assert (shown.chosen["stage"], shown.chosen["head"]) == ("weights", 2)
    assert (shown.label("weights", "query"), shown.label("weights", "key")) == ("d", "b")
    assert shown.header["heads"] == 3


@for_all(
    ("text", "zh", "en"),
    [
        (" \n ", "还没有文字", "There is no text yet"),
        ("字" * 40_001, "40001", "40001"),
        ("a\u202eb", "U+202E", "U+202E"),
        ("\n".join("abcdefghi"), "9 行", "9 lines"),
        ("a " * 513, "513 个词元", "513 tokens"),
    ],
)
def test_invalid_text_gives_one_error_and_stays_in_the_box(
    open_page: Open, text: str, zh: str, en: str
) -> None:
    at = open_page("sentence", lang="zh")
    text_box(at).set_value(text).run()
    assert not at.exception
    assert zh in texts(at)
    at.button_group(key="lang").set_value("en").run()
    assert en in texts(at)
    assert text_box(at).value == text
    text_box(at).set_value("我爱北京").run()
    assert TITLES["en"] in texts(at)


def test_an_error_keeps_the_step_of_the_link(open_page: Open) -> None:
    at = open_page("sentence", lang="en", stage="concat", d_model="9", heads="2")
    assert "cannot be split evenly" in texts(at)
    assert not re.search(r"stage=concat", texts(at))
    at.number_input(key="d_model").set_value(10).run()
    assert microscope(at).chosen["stage"] == "concat"
    assert "heads side by side" in texts(at)


def test_a_model_too_large_for_the_limit_is_refused_before_it_is_computed(open_page: Open) -> None:
    from core.limits import LIMITS

    at = open_page("sentence", lang="en", d_model="99999")
    assert "d_model=99999" in texts(at)
    at.number_input(key="d_model").set_value(LIMITS.d_model + 1).run()
    assert f"d_model = {LIMITS.d_model + 1} is out of range" in texts(at)


def test_range_errors_name_the_present_number(open_page: Open) -> None:
    wrong = {}
    for page, key, label, typed in (
        ("sentence", "d_model", "d_model", (7, -4, 0)), ("heads", "d_model", "d_model", (17, -4)),
        ("break_it", "heads", "heads h", (9, -1)), ("sizes", "d_model", "d_model", (7, -4)),
        ("scaling", "seed", "seed", (-4, 10_000)), ("masks", "seed", "seed", (-4, 10_000)),
    ):  # fmt: skip
        at = open_page(page, lang="en")
        boxes = len(at.number_input)
        for number in typed:
            at.number_input(key=key).set_value(number).run()
            error = paragraphs(at, "error")[0]
            named = re.search(rf"{label} = {number}\b".replace("-", "−"), error, re.I)
            if not named or len(at.number_input) < boxes:
                wrong[page, number] = error
    assert wrong == {}


def test_blank_lines_are_no_samples(open_page: Open) -> None:
    at = open_page("sentence", lang="en", text="a b\n\nc\n")
    captions = [caption.value for caption in at.caption]
    assert any("2 lines are 2 samples" in caption for caption in captions)
    at = open_page("sentence", lang="en", text="a b\n")
    assert not any("samples" in caption.value for caption in at.caption)


@pytest.mark.parametrize("query", [{"heads": "3"}, {"text": " "}])
def test_a_link_that_cannot_be_computed_shows_an_example(
    open_page: Open, query: dict[str, str]
) -> None:
    at = open_page("sentence", lang="en", stage="weights", row="3", **query)
    assert "Below is an example." in texts(at)
    shown = microscope(at)
    assert shown.chosen["stage"] == "weights"
    assert shown.label("weights", "query") == "sat"


def test_custom_tokens_have_a_hint_what_to_type(open_page: Open) -> None:
    hint = "打一个空格或"
    at = open_page("sentence", lang="zh", model="seeded")
    assert not any(hint in caption.value for caption in at.caption)
    at.button_group(key="mode").set_value("custom").run()
    assert any(hint in caption.value for caption in at.caption)


def test_a_row_without_keys_names_the_head_mask(open_page: Open) -> None:
    link = {"mask": "window", "window": "1", "heads": "4", "head_mask": "2,4", "head": "2"}
    at = open_page("sentence", lang="en", text="我爱北京", stage="weights", **link)
    assert not at.exception
    shown = microscope(at)
    weights = shown.arrays["weights"][0]
    assert [bool(head.any()) for head in weights] == [True, False, True, False]
    far = [[False, False, True], [False] * 3, [True, False, False]]
    assert (weights[0] == 0).tolist() == far
    name = LANGUAGES["en"].stages["head_mask"].name
    assert re.search(rf"[:：]\s?{name}[.。]", shown.reads())
    at.number_input(key="heads").set_value(2).run()
    assert not at.exception
    assert at.query_params["head_mask"] == "2"
