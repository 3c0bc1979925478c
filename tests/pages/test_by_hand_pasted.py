"""The page "by hand": pasted and uploaded tables, and which are refused."""

import numpy as np
import pytest
from by_hand_reader import paste, press
from claims import for_all
from page_reader import Open, microscope, texts
from streamlit.testing.v1 import AppTest

BAD = "2\nx7\n5"  # others: tests/core/sources/test_matrix.py


@pytest.fixture
def sheet(open_page: Open) -> AppTest:
    """One reader's page, on which one case follows the other."""
    return open_page("by_hand", lang="zh", Q="2~7~5")


def test_an_invalid_paste_is_reported_and_changes_nothing(sheet: AppTest) -> None:
    error = "Q 第 2 行第 1 列：“x7”不是数"
    paste(sheet, BAD)
    assert error in texts(sheet)
    assert sheet.text_area(key="paste").value == BAD
    assert sheet.query_params["Q"] == "2~7~5"
    assert microscope(sheet).arrays["Q"][0, 0, :, 0].tolist() == [2, 7, 5]
    sheet.button_group(key="lang").set_value("en").run()
    assert "Q, row 2, column 1: “x7” is not a number" in texts(sheet)
    assert sheet.text_area(key="paste").value == BAD
    sheet.button_group(key="lang").set_value("zh")
    paste(sheet, "2\n7\n5")
    assert error not in texts(sheet)


def upload(at: AppTest, name: str, content: bytes) -> None:
    at.file_uploader(key="csv").set_value((name, content, "text/csv")).run()
    assert not at.exception


SHEET = (
    "matrix,head,row,1,2\nQ,1,he,1,0\nQ,1,she,0,1\nK,1,he,2,3\nK,1,she,4,5\nV,1,he,6\nV,1,she,7\n"
)


def test_a_file_has_one_matrix_or_a_whole_sheet(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="d4_h2")
    upload(at, "x.csv", "1;2;3;4\r\n5;6;7;8\r\n".encode("utf-8-sig"))
    assert microscope(at).arrays["X"][0].tolist() == [[1, 2, 3, 4], [5, 6, 7, 8]]
    upload(at, "sheet.csv", SHEET.encode())
    viewer = microscope(at)
    assert "X" not in viewer.arrays
    assert viewer.arrays["scores"][0, 0].tolist() == [[2, 4], [3, 5]]
    assert viewer.names("scores", "query") == ["he", "she"]
    press(at, "to_undo")
    assert microscope(at).arrays["X"][0, 1].tolist() == [5, 6, 7, 8]


def test_invalid_token_names_of_a_file_are_replaced(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    upload(at, "sheet.csv", SHEET.replace("she", "she said/so").replace("he,", ",").encode())
    assert at.text_input(key="tokens").value == "_ she_said_so"
    upload(at, "other.csv", SHEET.replace(",he", ",h\u200be").encode())
    assert at.text_input(key="tokens").value == "1 2"
    assert microscope(at).arrays["scores"][0, 0].tolist() == [[2, 4], [3, 5]]


@for_all(
    ("content", "error"),
    [  # what a file with one matrix may not have: tests/core/sources/test_matrix.py
        (b"\0\1", "不是文本"),
        (b"1,2\n3\n", "第 2 行有 1 个数"),
        (SHEET.replace("K,1,he", "Z,1,he").encode(), "第 4 行开头的“Z”"),
        (b"matrix,head,row,1\nQ,1,a,1\n", "缺少 K"),
        (
            ("matrix,head,row,1\n" + "".join(f"{n},1,a,1\n" * 17 for n in "QKV")).encode(),
            "17 个词元",
        ),
        (SHEET.replace("V,1,she,7\n", "").encode(), "V 的形状不合"),
    ],
)
def test_an_invalid_file_is_reported_and_changes_nothing(
    sheet: AppTest, content: bytes, error: str
) -> None:
    upload(sheet, "x.csv", content)
    assert error in texts(sheet)
    assert microscope(sheet).arrays["Q"][0, 0, :, 0].tolist() == [2, 7, 5]


@for_all(
    ("matrix", "pasted", "sizes", "followed"),
    [
        # d4_h2: 2 tokens, d_model 4, 2 heads, d_k = d_v = 2; W_O is shown by head
        ("X", [[1, 2, 3, 4]] * 3, {"X": (3, 4), "W_Q": (4, 2)}, "the tokens"),
        (
            "X",
            [[1, 2, 3]],
            {"X": (1, 3), "W_Q": (3, 2), "W_O": (2, 3)},
            "the tokens, W_Q, W_K, W_V, W_O",
        ),
        ("W_Q", [[1, 2, 3]] * 4, {"W_Q": (4, 3), "W_K": (4, 3), "W_V": (4, 2)}, "W_K"),
        ("W_K", [[1]] * 5, {"X": (2, 5), "W_Q": (5, 1), "W_O": (2, 5)}, "X, W_Q, W_V, W_O"),
        ("W_V", [[1, 2, 3]] * 4, {"W_V": (4, 3), "W_O": (3, 4)}, "W_O"),
        ("W_O", [[1, 2, 3, 4]] * 2, {"W_V": (4, 1), "W_O": (1, 4)}, "W_V"),
        ("Q", [[1, 2, 3]] * 2, {"Q": (2, 3), "W_K": (4, 3), "K": (2, 3)}, "W_Q, W_K"),
    ],
)
def test_a_pasted_matrix_of_another_size_resizes_the_others(
    open_page: Open, matrix: str, pasted: list[list[int]], sizes: dict, followed: str
) -> None:
    at = open_page("by_hand", lang="en", preset="d4_h2", matrix=matrix)
    before = microscope(at).arrays
    paste(at, str(pasted))
    arrays = microscope(at).arrays
    shapes = {name: arrays[name].shape[-2:] for name in sizes}
    assert shapes == sizes
    found = arrays[matrix].reshape(-1, *np.shape(pasted))[0]
    assert found.tolist() == pasted
    assert f"{matrix} has another size now, so these changed with it: {followed}." in texts(at)
    press(at, "to_undo")
    assert "another size" not in texts(at)
    after = microscope(at).arrays
    assert all(np.array_equal(after[name], before[name]) for name in before)


def test_new_tokens_are_inserted_before_the_padding(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="padded", matrix="Q")
    real = at.text_input(key="tokens").value.split().index("[PAD]")
    paste(at, "1\n" * 12)
    tokens = at.text_input(key="tokens").value.split()
    assert tokens[real - 1 :] == [tokens[real - 1], "11", "12", *["[PAD]"] * 7]
