"""The page "by hand": its examples, what is edited, what that changes, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_reader import Open, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

EXAMPLES = json.loads(
    (Path(__file__).parents[1] / "core" / "data" / "worked_examples.json").read_text("utf-8")
)
PRESETS = ("wo_ai_beijing", "padded", "whole_numbers", "d4_h2")
STEPS = ("X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "head_output", "output")


def agree(found: np.ndarray, expected: list[list[float | None]]) -> None:
    known = [[-np.inf if x is None else x for x in row] for row in expected]
    np.testing.assert_allclose(found, known, rtol=0, atol=1e-9)


def paste(at: AppTest, text: str) -> None:
    at.text_area(key="paste").set_value(text)
    at.button(key="put").click().run()
    assert not at.exception


def press(at: AppTest, key: str) -> None:
    at.button(key=key).click().run()
    assert not at.exception


def drawn(at: AppTest, title: str) -> dict[str, Any]:
    """The small matrix of this title."""
    (found,) = (g for data in component_data(at, "grids") for g in data["grids"]
                if g["title"] == title)  # fmt: skip
    return found


def titles(at: AppTest) -> set[str]:
    return {grid["title"] for data in component_data(at, "grids") for grid in data["grids"]}


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("divisor", ["8", "1"])
@pytest.mark.parametrize("mask", ["none", "causal"])
def test_wo_ai_beijing_is_reckoned_to_the_last_digit(
    open_page: Open, lang: str, divisor: str, mask: str
) -> None:
    at = open_page("by_hand", lang=lang, divisor=divisor, mask=mask)
    assert not at.exception
    expected = EXAMPLES["wo_ai_beijing"][
        f"divisor_{divisor}_{'no_mask' if mask == 'none' else mask}"
    ]
    arrays = microscope(at).arrays
    for key in ("scores", "weights"):
        agree(arrays[key][0, 0], expected[key])
    agree(arrays["head_output"][0, 0], expected["output"])
    assert ("masked" in microscope(at).header["stages"]) == (mask == "causal")
    rule = json.dumps(microscope(at).header["stages"]["scaled"]["rule"])
    assert str(1 / int(divisor)) in rule  # the browser divides by itself


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_padded_sentence_has_the_numbers_of_the_bare_one(open_page: Open, lang: str) -> None:
    at = open_page("by_hand", lang=lang, preset="padded")
    arrays = microscope(at).arrays
    expected = EXAMPLES["wo_ai_beijing"]["divisor_8_no_mask"]
    agree(arrays["weights"][0, 0, :3, :3], expected["weights"])
    assert not arrays["weights"][0, 0, :, 3:].any()
    agree(arrays["head_output"][0, 0, :3], expected["output"])
    assert "25.88" in texts(at)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_whole_numbers_come_out_as_on_paper(open_page: Open, lang: str) -> None:
    at = open_page("by_hand", lang=lang, preset="whole_numbers")
    arrays = microscope(at).arrays
    agree(arrays["scores"][0, 0], [[4, 4, 4], [2, 0, 4], [2, 4, 4]])
    agree(arrays["output"][0, :1], [[4, 4, 4, 4]])
    assert "[4, 4, 4]" in texts(at)


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_two_heads_go_through_concat_and_w_o(open_page: Open, lang: str) -> None:
    arrays = microscope(open_page("by_hand", lang=lang, preset="d4_h2")).arrays
    for i, head in enumerate(EXAMPLES["d4_h2"]["heads"]):
        for key, name in {
            "scores": "scores",
            "weights": "weights",
            "head_output": "output",
        }.items():
            agree(arrays[key][0, i], head[name])
    agree(arrays["output"][0], EXAMPLES["d4_h2"]["output"])


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("step", STEPS)
def test_every_step_opens_by_hand_or_says_why_it_is_not_there(
    open_page: Open, lang: str, preset: str, step: str
) -> None:
    at = open_page("by_hand", lang=lang, preset=preset, stage=step, mask="causal")
    assert not at.exception
    said = texts(at)
    absent = microscope(at).steps[step]
    assert absent in said if absent else microscope(at).chosen["stage"] == step
    assert {"zh": "没有一个是随机的", "en": "none is random"}[lang] in said
    assert {"zh": "随机给定", "en": "at random"}[lang] not in json.dumps(
        microscope(at).header["words"]["opened"]["given"]["parameter"], ensure_ascii=False
    )


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("sheet", ["map", "shapes", "code", "figure"])
@pytest.mark.parametrize("preset", ["wo_ai_beijing", "d4_h2"])
def test_all_that_stands_below_can_be_opened(
    open_page: Open, lang: str, sheet: str, preset: str
) -> None:
    for stage in ("Q", "scaled"):
        at = open_page("by_hand", lang=lang, preset=preset, below=sheet, stage=stage)
        assert not at.exception


def test_the_story_is_told_with_the_numbers_of_the_sheet(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    for part in ("3 × 5 = 15", "the weight 0.56", "0.1065·10 + 0.1990·20 + 0.6945·30 = 25.88"):
        assert part in texts(at)
    at = open_page("by_hand", lang="en", mask="causal")
    for part in ("stays 10.00", "0.41 + 0.59 and becomes 15.93", "as without a mask"):
        assert part in texts(at)
    assert "translator" not in texts(at)
    zh = texts(open_page("by_hand", lang="zh"))
    assert "0.1065·10 + 0.1990·20 + 0.6945·30 = 25.88" in zh
    assert "Beijing" in zh


def test_divided_by_one_the_story_does_not_speak_of_a_rest(open_page: Open) -> None:
    said = texts(open_page("by_hand", lang="en", divisor="1"))
    assert "almost nothing is left to share" in said
    assert "keeps who loves it" not in said


def test_nothing_is_marked_where_nothing_was_edited(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    assert titles(at) == {"scores", "weights", "V", "head_output"}
    assert not any(g["marked"] and np.any(g["marked"]) for data in component_data(at, "grids")
                   for g in data["grids"])  # fmt: skip


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_edit_marks_what_changed_by_how_much(open_page: Open, lang: str) -> None:
    at = open_page("by_hand", lang=lang)
    paste(at, "2\n7\n5")
    assert at.query_params["Q"] == "2~7~5"
    assert drawn(at, "scores")["marked"] == [[False] * 3, [True] * 3, [False] * 3]
    change = drawn(at, {"zh": "变化", "en": "change"}[lang])
    assert change["printed"][1] == ["8.00", "12.00", "20.00"]
    most = drawn(at, {"zh": "最大的变化", "en": "largest change"}[lang])
    told = dict(zip(most["columns"], zip(most["printed"][0], most["below"], strict=True),
                    strict=True))  # fmt: skip
    assert told["Q"] == ("4.00", "1/3")
    assert told["scores"] == ("20.00", "3/9")
    assert "K" not in told
    weights = microscope(at).arrays["weights"][0, 0, 1]
    result = weights @ [10, 20, 30]
    assert f"{result:.2f}" in texts(at)
    (before,) = EXAMPLES["wo_ai_beijing"]["divisor_8_no_mask"]["output"][1]
    assert told["head_output"][0] == f"{result - before:.2f}"


def test_what_changed_may_be_set_against_the_state_before_the_last_edit(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    paste(at, "2\n7\n5")
    paste(at, "2\n7\n6")
    assert drawn(at, "scores")["marked"][1:] == [[True] * 3, [True] * 3]
    at.button_group(key="against").set_value("last").run()
    assert drawn(at, "scores")["marked"] == [[False] * 3, [False] * 3, [True] * 3]
    assert at.query_params["against"] == "last"


def test_undo_redo_and_reset_go_through_every_edit(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    assert at.button(key="to_undo").disabled
    assert at.button(key="to_preset").disabled
    for third in ("6", "7", "8"):
        paste(at, f"2\n3\n{third}")
    at.button_group(key="lang").set_value("zh").run()
    for third in ("7", "6"):
        press(at, "to_undo")
        assert at.query_params["Q"] == f"2~3~{third}"
    press(at, "to_redo")
    assert at.query_params["Q"] == "2~3~7"
    assert microscope(at).arrays["Q"][0, 0, 2, 0] == 7
    press(at, "to_preset")
    assert "Q" not in at.query_params
    press(at, "to_undo")
    assert at.query_params["Q"] == "2~3~7"
    assert microscope(at).arrays["scores"][0, 0, 2, 2] == 35


def test_another_example_begins_unedited_and_undo_brings_the_edited_one_back(
    open_page: Open,
) -> None:
    at = open_page("by_hand", lang="en")
    paste(at, "2\n7\n5")
    at.button_group(key="preset").set_value("d4_h2").run()
    assert not at.exception
    agree(microscope(at).arrays["output"][0], EXAMPLES["d4_h2"]["output"])
    assert "Q" not in at.query_params
    press(at, "to_undo")
    assert at.query_params["Q"] == "2~7~5"
    assert microscope(at).arrays["scores"][0, 0, 1, 2] == 35
    assert at.button_group(key="divisor").value == "8"


def test_a_link_opens_the_edited_sheet(open_page: Open) -> None:
    at = open_page(
        "by_hand", lang="en", preset="d4_h2", X="1_0.5_-1_2~-0.5_1_0.3_5", mask="causal",
        divisor="1", matrix="W_K", of_head="2",
    )  # fmt: skip
    assert not at.exception
    seen = microscope(at)
    assert seen.arrays["X"][0, 1, 3] == 5
    assert not seen.arrays["weights"][0, :, 0, 1].any()
    first, second = seen.arrays["scores"][0, 0, 1]
    share = 1 / (1 + np.exp(second - first))
    assert seen.arrays["weights"][0, 0, 1, 0] == pytest.approx(share, rel=1e-12)
    paste(at, "1 2\n3 4\n5 6\n7 8")
    assert microscope(at).arrays["W_K"][1].tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert microscope(at).arrays["W_K"][0, 0].tolist() == [0.2, -0.1]


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_computed_matrix_is_written_by_hand_and_computed_again(
    open_page: Open, lang: str
) -> None:
    at = open_page("by_hand", lang=lang, preset="d4_h2", matrix="K", stage="K")
    before = microscope(at).arrays
    press(at, "given")
    assert "W_K" not in microscope(at).arrays
    np.testing.assert_allclose(microscope(at).arrays["K"], before["K"], atol=1e-11)
    paste(at, "1 0\n0 1")
    assert microscope(at).arrays["K"][0, 0].tolist() == [[1, 0], [0, 1]]
    assert {"zh": "是手写的", "en": "written by hand: what it is found by"}[lang] in texts(at)
    press(at, "given")
    np.testing.assert_array_equal(microscope(at).arrays["K"], before["K"])
    paste(at, "1 2\n3 4")
    assert microscope(at).arrays["K"][0, 0].tolist() == [[1, 2], [3, 4]]
    np.testing.assert_allclose(microscope(at).arrays["K"][0, 1], before["K"][0, 1], atol=1e-11)


BAD: dict[str, tuple[str, str, str]] = {
    "text": (
        "2\nx7\n5",
        "Q 第 2 行第 1 列：“x7”不是数",
        "Q, row 2, column 1: “x7” is not a number",
    ),
    "nan": ("2\n3\nNaN", "Q 第 3 行第 1 列：“NaN”不是数", "Q, row 3, column 1: “NaN” is not"),
    "infinite": ("inf\n3\n5", "第 1 行第 1 列：“inf”", "row 1, column 1: “inf”"),
    "huge": ("2\n1e308\n5", "Q 第 2 行第 1 列：1e308 太大", "row 2, column 1: 1e308 is too large"),
    "empty": ("", "一个数也没有", "There are no numbers for Q"),
    "cell": ("1,2\n3,", "Q 第 2 行第 2 列是空的", "Q, row 2, column 2 is empty"),
    "shape": ("1 2\n3 4", "Q 要 3 行、每行 1 个数", "Q is 3 × 1 (rows × columns)"),
    "ragged": ("1\n2 3\n4", "Q 第 2 行有 2 个数", "Q, row 2 has 2 numbers"),
    "markup": ("<b>\n**1**\n$x$", "“<b>”不是数", "“<b>” is not a number"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_hostile_paste_gets_one_sentence_and_loses_nothing(
    open_page: Open, lang: str, case: str
) -> None:
    text, zh, en = BAD[case]
    at = open_page("by_hand", lang=lang)
    paste(at, "2\n7\n5")
    paste(at, text)
    assert {"zh": zh, "en": en}[lang] in texts(at)
    assert at.text_area(key="paste").value == text
    assert at.query_params["Q"] == "2~7~5"
    assert microscope(at).arrays["Q"][0, 0, :, 0].tolist() == [2, 7, 5]
    at.button_group(key="lang").set_value({"zh": "en", "en": "zh"}[lang]).run()
    assert {"zh": en, "en": zh}[lang] in texts(at)
    assert at.text_area(key="paste").value == text
    paste(at, "1\n2\n3")
    assert en not in texts(at)
    assert zh not in texts(at)
    assert microscope(at).arrays["Q"][0, 0, :, 0].tolist() == [1, 2, 3]


def upload(at: AppTest, name: str, content: bytes) -> None:
    at.file_uploader(key="csv").set_value((name, content, "text/csv")).run()
    assert not at.exception


SHEET = (
    "matrix,head,row,1,2\nQ,1,he,1,0\nQ,1,she,0,1\nK,1,he,2,3\nK,1,she,4,5\nV,1,he,6\nV,1,she,7\n"
)


def test_a_file_may_hold_one_matrix_or_a_whole_sheet(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="d4_h2")
    upload(at, "x.csv", "1;2;3;4\r\n5;6;7;8\r\n".encode("utf-8-sig"))
    assert microscope(at).arrays["X"][0].tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    upload(at, "sheet.csv", SHEET.encode())
    seen = microscope(at)
    assert "X" not in seen.arrays
    assert seen.arrays["scores"][0, 0].tolist() == [[2, 4], [3, 5]]
    assert seen.header["names"][seen.header["stages"]["scores"]["names"][2]] == ["he", "she"]
    press(at, "to_undo")
    assert microscope(at).arrays["X"][0, 1].tolist() == [5, 6, 7, 8]


def test_names_of_a_file_that_are_no_tokens_become_some(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    upload(at, "sheet.csv", SHEET.replace("she", "she said/so").replace("he,", ",").encode())
    assert at.text_input(key="tokens").value == "_ she_said_so"
    upload(at, "other.csv", SHEET.replace(",he", ",h\u200be").encode())
    assert at.text_input(key="tokens").value == "1 2"
    assert microscope(at).arrays["scores"][0, 0].tolist() == [[2, 4], [3, 5]]


@pytest.mark.parametrize(
    ("content", "zh", "en"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00", "不是文本", "not text"),
        (b"1," * 60_000, "上限是", "the limit is"),
        (b"1,2\n3\n", "第 2 行有 1 个数", "row 2 has 1 numbers"),
        (b"", "一个数也没有", "no numbers"),
        (SHEET.replace("K,1,he", "Z,1,he").encode(), "第 4 行开头的“Z”", "Line 4 begins with “Z”"),
        ((SHEET + "K,1,it,6\n").encode(), "K 第 3 行有 1 个数", "K, row 3 has 1 numbers"),
        (b"matrix,head,row,1\nQ,1,a,1\n", "缺少 K", "K is missing"),
        (
            ("matrix,head,row,1\n" + "".join(f"{n},1,a,1\n" * 17 for n in "QKV")).encode(),
            "17 个词元",
            "17 tokens",
        ),
        (SHEET.replace("V,1,she,7\n", "").encode(), "V 的形状不合", "V does not fit"),
    ],
)
def test_a_hostile_file_gets_one_sentence_and_loses_nothing(
    open_page: Open, content: bytes, zh: str, en: str
) -> None:
    for lang, expected in (("zh", zh), ("en", en)):
        at = open_page("by_hand", lang=lang, Q="2~7~5")
        upload(at, "x.csv", content)
        assert expected in texts(at)
        assert microscope(at).arrays["Q"][0, 0, :, 0].tolist() == [2, 7, 5]


def test_tokens_are_renamed_added_and_taken_away(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    at.text_input(key="tokens").set_value("I love Beijing [PAD]").run()
    seen = microscope(at)
    assert seen.label("scores", "key") == "Beijing"
    assert seen.arrays["weights"].shape == (1, 1, 4, 4)
    assert not seen.arrays["weights"][..., 3].any()
    at.text_input(key="tokens").set_value("I love").run()
    assert microscope(at).arrays["scores"][0, 0].tolist() == [[4, 6], [6, 9]]
    press(at, "to_undo")
    press(at, "to_undo")
    assert at.text_input(key="tokens").value == "我 爱 北京"
    assert microscope(at).arrays["scores"][0, 0, 2, 2] == 25


@pytest.mark.parametrize("tokens", ["  ", "a " * 17, "a\u202eb"])
def test_tokens_that_are_none_get_a_sentence_and_lose_nothing(open_page: Open, tokens: str) -> None:
    at = open_page("by_hand", lang="en", Q="2~7~5")
    at.text_input(key="tokens").set_value(tokens).run()
    assert not at.exception
    assert "last input that could be computed" in texts(at)
    assert at.text_input(key="tokens").value == tokens
    assert microscope(at).arrays["Q"][0, 0, :, 0].tolist() == [2, 7, 5]
    paste(at, "1\n1\n1")
    at.text_input(key="tokens").set_value("我 爱 北京").run()
    assert "last input that could be computed" not in texts(at)


@pytest.mark.parametrize(
    "query",
    [
        {"Q": "1_x~2"}, {"Q": "<script>"}, {"X": "1~~2"}, {"preset": "none"}, {"divisor": "0"},
        {"mask": "all"}, {"against": "you"}, {"tokens": "a " * 30}, {"V": "1e308~1~1"},
        {"matrix": "Z"}, {"of_head": "99", "preset": "d4_h2", "matrix": "W_Q"}, {"of_head": "0"},
    ],
)  # fmt: skip
def test_nonsense_in_a_link_is_told_or_put_right(open_page: Open, query: dict[str, str]) -> None:
    at = open_page("by_hand", lang="en", **query)
    assert not at.exception
    if "99" not in query.values():
        assert "made no sense" in texts(at)
    assert microscope(at).arrays["scores"].size


@pytest.mark.parametrize("query", [{"Q": "1_2~3_4~5_6"}, {"Q": "1~2~3~~4~5~6"}, {"W_Q": "1~2"}])
def test_a_link_whose_matrices_do_not_fit_gets_a_sentence(
    open_page: Open, query: dict[str, str]
) -> None:
    preset = "d4_h2" if "W_Q" in query else "wo_ai_beijing"
    at = open_page("by_hand", lang="en", preset=preset, **query)
    assert not at.exception
    assert "does not fit" in texts(at)
    press(at, "to_preset")
    assert "does not fit" not in texts(at)


def test_a_matrix_too_long_for_the_link_is_kept_all_the_same(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="d4_h2", tokens="a b c d e f g")
    paste(at, "\n".join("0.123456789012 -0.5 -0.123456789013 -1.23456789012" for _ in range(7)))
    assert "X" not in at.query_params
    at.button_group(key="lang").set_value("zh").run()
    press(at, "to_undo")
    assert microscope(at).arrays["X"][0, 0, 0] == 1
    press(at, "to_redo")
    assert microscope(at).arrays["X"][0, 5].tolist() == [
        0.123456789012, -0.5, -0.123456789013, -1.23456789012,
    ]  # fmt: skip
    assert any("太长" in caption.value for caption in at.caption)


@pytest.mark.parametrize("preset", ["wo_ai_beijing", "padded", "whole_numbers", "d4_h2"])
@pytest.mark.parametrize("tokens", ["a b c", "[PAD] [PAD] [PAD]", "我 爱 上海", "x y"])
def test_other_words_on_any_example_leave_the_page_standing(
    open_page: Open, preset: str, tokens: str
) -> None:
    at = open_page("by_hand", lang="en", preset=preset, tokens=tokens)
    assert not at.exception
    assert microscope(at).chosen["stage"] == "scores"


@pytest.mark.parametrize("X", ["1~2~3", "-1", "1_2~3_4"])
def test_an_X_without_its_matrices_is_told_which_one_is_missing(open_page: Open, X: str) -> None:
    at = open_page("by_hand", lang="en", X=X)
    assert not at.exception
    assert "W_Q is missing" in texts(at)
