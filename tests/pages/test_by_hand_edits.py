"""The page "by hand": what is edited, what that changes, and the way back."""

import numpy as np
from by_hand_reader import EXAMPLES, agree, paste, press
from claims import for_all
from page_reader import Open, microscope, texts, titled

from pages.understand.by_hand.table import NAMES, edited


def test_an_edit_marks_what_changed_by_how_much(open_page: Open) -> None:
    at = open_page("by_hand", lang="zh")
    paste(at, "2\n7\n5")
    assert at.query_params["Q"] == "2~7~5"
    assert titled(at)["scores"]["marked"] == [[False] * 3, [True] * 3, [False] * 3]
    change = titled(at)["变化"]
    assert change["printed"][1] == ["8.00", "12.00", "20.00"]
    most = titled(at)["最大的变化"]
    changes = dict(zip(most["columns"], zip(most["printed"][0], most["below"], strict=True),
                    strict=True))  # fmt: skip
    assert changes["Q"] == ("4.00", "1/3")
    assert changes["scores"] == ("20.00", "3/9")
    assert "K" not in changes
    weights = microscope(at).arrays["weights"][0, 0, 1]
    result = weights @ [10, 20, 30]
    assert f"{result:.2f}" in texts(at)
    (before,) = EXAMPLES["wo_ai_beijing"]["divisor_8_no_mask"]["output"][1]
    assert changes["head_output"][0] == f"{result - before:.2f}"


def test_changes_can_be_compared_with_the_state_before_the_last_edit(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    paste(at, "2\n7\n5")
    paste(at, "2\n7\n6")
    assert titled(at)["scores"]["marked"][1:] == [[True] * 3, [True] * 3]
    at.button_group(key="against").set_value("last").run()
    assert titled(at)["scores"]["marked"] == [[False] * 3, [False] * 3, [True] * 3]
    assert at.query_params["against"] == "last"


def test_undo_redo_and_reset_restore_every_state(open_page: Open) -> None:
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


def test_another_example_starts_unedited_and_undo_restores_the_edited_one(
    open_page: Open,
) -> None:
    at = open_page("by_hand", lang="en")
    paste(at, "2\n7\n5")
    at.button_group(key="example").set_value("d4_h2").run()
    assert not at.exception
    agree(microscope(at).arrays["output"][0], EXAMPLES["d4_h2"]["output"])
    assert "Q" not in at.query_params
    press(at, "to_undo")
    assert at.query_params["Q"] == "2~7~5"
    assert microscope(at).arrays["scores"][0, 0, 1, 2] == 35
    assert at.button_group(key="divisor").value == "8"


def test_an_example_is_selected_while_the_sheet_equals_it(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="padded")
    chosen = at.button_group(key="example")
    assert chosen.value == "padded"
    at.text_input(key="tokens").set_value("I love Beijing").run()
    assert at.button_group(key="example").value == "own"
    press(at, "to_undo")
    assert at.button_group(key="example").value == "padded"
    press(at, "to_redo")
    at.button_group(key="example").set_value("padded").run()  # pressed again, it begins again
    assert not at.exception
    assert at.button_group(key="example").value == "padded"
    assert at.query_params["preset"] == "padded"
    assert "tokens" not in at.query_params
    assert open_page("by_hand", lang="en", Q="2~7~5").button_group(key="example").value == "own"


def test_q_k_or_v_can_be_given_and_computed_again(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", preset="d4_h2", matrix="K", stage="K")
    before = microscope(at).arrays
    press(at, "given")
    assert "W_K" not in microscope(at).arrays
    np.testing.assert_allclose(microscope(at).arrays["K"], before["K"], atol=1e-11)
    paste(at, "1 0\n0 1")
    assert microscope(at).arrays["K"][0, 0].tolist() == [[1, 0], [0, 1]]
    assert "written by hand: what it is found by" in texts(at)
    press(at, "given")
    np.testing.assert_array_equal(microscope(at).arrays["K"], before["K"])
    paste(at, "1 2\n3 4")
    assert microscope(at).arrays["K"][0, 0].tolist() == [[1, 2], [3, 4]]
    np.testing.assert_allclose(microscope(at).arrays["K"][0, 1], before["K"][0, 1], atol=1e-11)


def test_tokens_can_be_renamed_added_and_removed(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    at.text_input(key="tokens").set_value("I love Beijing [PAD]").run()
    viewer = microscope(at)
    assert viewer.label("scores", "key") == "Beijing"
    assert viewer.arrays["weights"].shape == (1, 1, 4, 4)
    assert not viewer.arrays["weights"][..., 3].any()
    at.text_input(key="tokens").set_value("I love").run()
    assert microscope(at).arrays["scores"][0, 0].tolist() == [[4, 6], [6, 9]]
    press(at, "to_undo")
    press(at, "to_undo")
    assert at.text_input(key="tokens").value == "我 爱 北京"
    assert microscope(at).arrays["scores"][0, 0, 2, 2] == 25


@for_all("tokens", ["  ", "a " * 17, "a\u202eb"])
def test_invalid_tokens_are_reported_and_change_nothing(open_page: Open, tokens: str) -> None:
    at = open_page("by_hand", lang="en", Q="2~7~5")
    at.text_input(key="tokens").set_value(tokens).run()
    assert not at.exception
    assert "Still showing your previous input" in texts(at)
    assert at.text_input(key="tokens").value == tokens
    assert microscope(at).arrays["Q"][0, 0, :, 0].tolist() == [2, 7, 5]
    paste(at, "1\n1\n1")
    at.text_input(key="tokens").set_value("我 爱 北京").run()
    assert "Still showing your previous input" not in texts(at)


BEGUN = [["1", "2"], ["3", "4"]]


def test_edits_change_their_cells_only():
    assert edited(BEGUN, {"1": {"2": "x"}, 0: {"1": "-5"}}) == [["-5", "2"], ["3", "x"]]
    assert BEGUN == [["1", "2"], ["3", "4"]]


def test_a_cleared_cell_is_empty_and_the_column_of_names_is_ignored():
    assert edited(BEGUN, {0: {"1": None, NAMES: "9"}}) == [["", "2"], ["3", "4"]]
