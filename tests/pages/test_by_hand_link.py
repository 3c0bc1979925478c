"""The page "by hand": its matrices in the link, and nonsense there."""

import numpy as np
import pytest
from by_hand_reader import paste, press
from claims import for_all
from page_reader import Open, microscope, texts


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


@for_all("query", [{"Q": "1_2~3_4~5_6"}, {"K": "1~2~3~~4~5~6"}, {"W_Q": "1~2"}])
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


@for_all("X", ["1~2~3", "-1", "1_2~3_4"])
def test_an_X_without_its_matrices_is_reported_with_the_missing_one(
    open_page: Open, X: str
) -> None:
    at = open_page("by_hand", lang="en", X=X)
    assert not at.exception
    assert "W_Q is missing" in texts(at)
