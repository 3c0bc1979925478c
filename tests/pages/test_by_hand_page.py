"""The page "by hand": its examples come out as on paper, and each step opens."""

import json
from itertools import cycle

import numpy as np
import pytest
from by_hand_reader import EXAMPLES, agree, paste, press
from claims import for_all
from page_reader import Open, microscope, texts, titled, unmarked

PRESETS = ("wo_ai_beijing", "padded", "whole_numbers", "d4_h2")
STEPS = ("X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "head_output", "output")


def test_wo_ai_beijing_has_the_numbers_of_the_worked_example(open_page: Open) -> None:
    """Of its other divisor and without a mask: tests/core/models/test_by_hand.py."""
    at = open_page("by_hand", lang="zh", divisor="8", mask="causal")
    assert not at.exception
    expected, arrays = EXAMPLES["wo_ai_beijing"]["divisor_8_causal"], microscope(at).arrays
    for key in ("scores", "weights"):
        agree(arrays[key][0, 0], expected[key])
    agree(arrays["head_output"][0, 0], expected["output"])
    stages = microscope(at).header["stages"]
    assert "masked" in stages
    assert str(1 / 8) in json.dumps(stages["scaled"]["rule"])  # the browser divides by itself


def test_backwards_the_sheet_has_the_gradients_computed_on_paper(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="whole_numbers", direction="backwards")
    arrays = microscope(at).arrays
    # The first row of the weights is ⅓ each; W_O's first column is 1, 0, 0, 1, and V's sums of
    # columns 1 and 4 are 8, 2, 2. So dscaled is (8 − 4) / 3, (2 − 4) / 3, (2 − 4) / 3.
    agree(arrays["grad/weights"][0, 0], [[8, 2, 2], [0, 0, 0], [0, 0, 0]])
    agree(arrays["grad/scaled"][0, 0, :1], [[4 / 3, -2 / 3, -2 / 3]])
    agree(arrays["grad/V"][0, 0], [[1 / 3, 0, 0, 1 / 3]] * 3)
    assert [*titled(at)][::-1] == ["dhead_output", "dweights", "dscaled", "dQ", "dK", "dV"]
    assert microscope(at).header["steps"][0]["key"] == "grad/output"
    at.selectbox(key="watched").set_value(12).run()  # the last cell of the last row
    assert not microscope(at).arrays["grad/weights"][0, 0, :2].any()
    assert at.query_params["watched"] == "12"
    at.button_group(key="direction").set_value("forwards").run()
    assert "grad/output" not in microscope(at).header["stages"]


@for_all(("step", "preset"), zip(STEPS, cycle(PRESETS), strict=False))
def test_every_step_opens_or_has_a_reason_for_its_absence(
    open_page: Open, preset: str, step: str
) -> None:
    at = open_page("by_hand", lang="zh", preset=preset, stage=step, mask="causal")
    assert not at.exception
    shown = unmarked(texts(at))
    absent = unmarked(microscope(at).steps[step])
    assert absent in shown if absent else microscope(at).chosen["stage"] == step
    assert "没有一个是随机的" in shown
    assert "随机给定" not in json.dumps(
        microscope(at).header["words"]["opened"]["given"]["parameter"], ensure_ascii=False
    )


def test_a_link_opens_the_edited_sheet(open_page: Open) -> None:
    at = open_page(
        "by_hand", lang="en", preset="d4_h2", X="1_0.5_-1_2~-0.5_1_0.3_5", mask="causal",
        divisor="1", matrix="W_K", of_head="2",
    )  # fmt: skip
    assert not at.exception
    viewer = microscope(at)
    assert viewer.arrays["X"][0, 1, 3] == 5
    assert not viewer.arrays["weights"][0, :, 0, 1].any()
    first, second = viewer.arrays["scores"][0, 0, 1]
    share = 1 / (1 + np.exp(second - first))
    assert viewer.arrays["weights"][0, 0, 1, 0] == pytest.approx(share, rel=1e-12)
    paste(at, "1 2\n3 4\n5 6\n7 8")
    assert microscope(at).arrays["W_K"][1].tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert microscope(at).arrays["W_K"][0, 0].tolist() == [0.2, -0.1]


@for_all("query", [{"Q": "1_2~3_4~5_6"}, {"K": "1~2~3~~4~5~6"}, {"W_Q": "1~2"}])
def test_a_link_whose_matrices_do_not_fit_is_reported(
    open_page: Open, query: dict[str, str]
) -> None:
    preset = "d4_h2" if "W_Q" in query else "wo_ai_beijing"
    at = open_page("by_hand", lang="en", preset=preset, **query)
    assert not at.exception
    assert "does not fit" in texts(at)
    press(at, "to_preset")
    assert "does not fit" not in texts(at)


def test_a_matrix_too_long_for_the_link_stays_in_the_session(open_page: Open) -> None:
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


@for_all(
    ("n", "stages"),
    [(4, ["scores", "weights", "V", "head_output"]), (5, ["weights", "V", "head_output"]),
     (6, ["weights", "head_output"]), (10, ["weights", "head_output"]), (11, [])],
)  # fmt: skip
def test_the_overview_has_fewer_matrices_for_more_tokens(
    open_page: Open, n: int, stages: list[str]
) -> None:
    at = open_page("by_hand", lang="en", tokens=" ".join("abcdefghijk"[:n]))
    assert list(titled(at)) == stages[::-1]  # of equal titles the first
