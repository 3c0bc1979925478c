"""The page "by hand" with tokens as columns: table, overview, changes, figure and formula."""

import numpy as np
from by_hand_reader import EXAMPLES, agree, paste
from page_reader import Open, component_data, microscope, texts, titled
from streamlit.testing.v1 import AppTest

from pages.understand.by_hand.table import NAMES

COLUMNS = {"lang": "en", "convention": "columns"}
SCORES = [["4.00", "14.00", "10.00"], ["6.00", "21.00", "15.00"], ["10.00", "35.00", "25.00"]]


def cells(at: AppTest) -> dict[str, list[str]]:
    """The table of the sheet."""
    (table,) = (found.value for found in at.dataframe)
    read: dict[str, list[str]] = table.to_dict("list")
    return read


def test_with_tokens_as_columns_the_overview_shows_v_times_a(open_page: Open) -> None:
    (strip,) = component_data(open_page("by_hand", **COLUMNS), "grids")
    shown = {grid["title"]: grid for grid in strip["grids"]}
    assert list(shown) == ["head_output", "V", "weights", "scores"]
    assert [grid["sign"] for grid in shown.values()] == ["=", "×", "←", ""]
    assert shown["V"]["printed"] == [["10.00", "20.00", "30.00"]]
    assert shown["weights"]["roles"] == ["key", "query"]
    weights = EXAMPLES["wo_ai_beijing"]["divisor_8_no_mask"]["weights"]
    printed = np.array(shown["weights"]["printed"], float)
    np.testing.assert_allclose(printed, np.transpose(weights), atol=5e-3)


def test_what_changed_is_marked_in_the_column_of_the_query(open_page: Open) -> None:
    at = open_page("by_hand", **COLUMNS, Q="2~7~5")
    assert titled(at)["scores"]["printed"] == SCORES
    assert titled(at)["scores"]["marked"] == [[False, True, False]] * 3
    change = titled(at)["change"]
    assert [row[1] for row in change["printed"]] == ["8.00", "12.00", "20.00"]
    assert (change["roles"], change["columns"]) == (["key", "query"], ["我", "爱", "北京"])
    assert "“爱” changes most: row 1 goes" in texts(at)


def test_the_table_has_a_column_for_each_token(open_page: Open) -> None:
    at = open_page("by_hand", **COLUMNS, preset="d4_h2", matrix="W_Q")
    assert cells(at) == {
        NAMES: ["1", "2"], "1": ["0.1", "0.4"], "2": ["-0.2", "0.3"], "3": ["1", "-0.5"],
        "4": ["0.5", "0.2"],
    }  # fmt: skip
    at = open_page("by_hand", **COLUMNS)
    assert cells(at) == {NAMES: ["1"], "1": ["2"], "2": ["3"], "3": ["5"]}


def test_numbers_are_pasted_as_the_table_shows_them(open_page: Open) -> None:
    at = open_page("by_hand", **COLUMNS)
    paste(at, "2 7 5")
    assert at.query_params["Q"] == "2~7~5"
    agree(microscope(at).arrays["scores"][0, 0], np.transpose(np.array(SCORES, float)).tolist())
    paste(at, "2\n7\n6")  # one token of three numbers
    assert at.query_params["Q"] == "2_7_6"
    assert microscope(at).arrays["K"].shape == (1, 1, 1, 3)


def test_stepper_shapes_and_code_follow_the_convention(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", stage="head_output", convention="columns", preset="d4_h2")
    header = microscope(at).header
    stepper = {step["key"]: step for step in header["steps"]}
    expected = {"scores": "K⊤Q", "head_output": "VA", "output": "WO·"}
    for shown in (stepper, header["stages"]):
        assert {
            key: "".join(text for _, text in shown[key]["symbol"]) for key in expected
        } == expected
    assert stepper["Q"]["sizes"] == [["head", 2], ["d_k", 2], ["query", 2]]
    title = header["stages"]["head_output"]["title"][0]
    assert [node[1] for node in title[1]] == [["V"], ["A"]]
    assert header["sheets"]["code"]["in_columns"]
    sizes = {row["key"]: row["sizes"] for row in header["sheets"]["shapes"]["rows"]}
    assert sizes["Q"] == [["batch", 1], ["head", 2], ["d_k", 2], ["query", 2]]


def test_the_convention_changes_no_number_and_no_selected_cell(open_page: Open) -> None:
    query = {"lang": "en", "stage": "scores", "row": "3", "column": "1", "lock": "1"}
    rows, columns = (
        microscope(open_page("by_hand", **query, convention=name)) for name in ("rows", "columns")
    )
    assert rows.chosen["positions"] == columns.chosen["positions"]
    for name in rows.arrays:
        assert rows.arrays[name].tobytes() == columns.arrays[name].tobytes()
