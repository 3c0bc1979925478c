import json
import re
from decimal import Decimal

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, component_data, printed, texts
from streamlit.testing.v1 import AppTest


def figures(at: AppTest) -> dict[str, list[dict]]:
    """The small matrices by what they are about."""
    patterns, sums, *without, right, wrong = (data["grids"] for data in component_data(at, "grids"))
    return {
        "patterns": patterns, "sums": sums, "without": [g for part in without for g in part],
        "right": right, "wrong": wrong,
    }  # fmt: skip


def test_a_first_look_shows_equal_cost_for_every_number_of_heads(open_page: Open) -> None:
    at = open_page("heads", lang="zh")
    assert not at.exception
    table = [[cell.strip("*") for cell in row] for row in at.table[0].value.to_numpy()]
    assert [row[0] for row in table] == ["1", "2", "4", "8"]
    assert {tuple(row[2:7]) for row in table} == {("256", "576", "72", "72", "192")}
    assert [row[7] for row in table] == ["9", "18", "36", "72"]
    (chart,) = at.get("plotly_chart")
    bars = json.loads(chart.proto.spec)["data"]
    assert len(bars) == 3
    for part in bars:
        assert len(set(part["y"])) == 1 and len(part["y"]) == 4
    assert "3 · 8² = 192" in texts(at)


def test_each_head_has_a_pattern_and_their_distance_is_measured(open_page: Open) -> None:
    at = open_page("heads", lang="zh", text="我爱北京")
    patterns = figures(at)["patterns"]
    assert len(patterns) == 4
    shown = np.array([printed(grid) for grid in patterns])
    apart = np.abs(shown[2] - shown[3]).sum(axis=-1).mean() / 2
    assert float("0.53") == pytest.approx(apart, abs=0.02)
    assert "0.53" in texts(at)
    row, (first, second) = 0, (2, 0)  # in it heads 3 and 4 give most, to different words
    given = [f"{shown[2][row][first]:.2f}", f"{shown[3][row][second]:.2f}"]
    assert float(given[0]) + float(given[1]) > 1
    sentence = re.search(r"放大一倍.*", texts(at))
    assert sentence and all(number in sentence[0] for number in given)
    one = open_page("heads", lang="zh", heads="1")
    assert len(figures(one)["patterns"]) == 1
    assert "多选几个头" in texts(one)


@for_all(("row", "column"), [(1, 1), (3, 8), (2, 5)])
def test_the_printed_sum_of_a_cell_adds_up_as_printed(
    open_page: Open, row: int, column: int
) -> None:
    at = open_page("heads", lang="zh", row=str(row), column=str(column))
    shown = texts(at)
    found = re.search(r"output\[(.+?), (\d)\] (.+) ([=≈]) (\S+)", shown)
    assert found
    assert (found[1], found[2]) == (("我", "爱", "北京")[row - 1], str(column))
    terms = [Decimal(t.strip("()").replace("−", "-")) for t in found[3].lstrip("= ").split(" + ")]
    assert len(terms) == 4
    assert found[4] == "=" and sum(terms) == Decimal(found[5].replace("−", "-"))
    marked = np.argwhere(figures(at)["sums"][0]["marked"]).tolist()
    assert marked == [[row - 1, column - 1]]


def test_muting_a_head_empties_its_columns_and_takes_its_contribution(open_page: Open) -> None:
    at = open_page("heads", lang="en", mute="2")
    found = figures(at)
    concat, left, output, change = found["without"]
    assert np.array_equal(
        np.array(concat["is_masked"]), np.tile([False, False, True, True] + [False] * 4, (3, 1))
    )
    assert not printed(concat)[:, 2:4].any()
    np.testing.assert_allclose(printed(change), -printed(found["sums"][1]), atol=0.011)
    np.testing.assert_allclose(printed(left) - printed(output), printed(change), atol=0.03)
    assert "10⁻¹⁶" in texts(at) or "largest deviation 0.00" in texts(at)


def test_heads_can_be_muted_and_unmuted(open_page: Open) -> None:
    at = open_page("heads", lang="en")
    at.button_group(key="mute_4").set_value([1, 4]).run()
    assert at.query_params["mute"] == "1,4"
    assert figures(at)["without"][1]["title"] == "output without head 1, head 4"
    at.button_group(key="mute_4").set_value([]).run()
    assert at.query_params["mute"] == "0"
    assert not figures(at)["without"]
    assert "No head is muted" in texts(at)
    assert list(open_page("heads", lang="en", mute="0").button_group(key="mute_4").value) == []


def test_controls_change_the_numbers_and_stay_in_the_link(open_page: Open) -> None:
    at = open_page("heads", lang="en")
    before = figures(at)["patterns"][0]["printed"]
    at.number_input(key="seed").set_value(8).run()
    assert figures(at)["patterns"][0]["printed"] != before
    at.button_group(key="heads_1_2_4_8").set_value(2).run()
    assert at.query_params["heads"] == "2"
    assert len(figures(at)["patterns"]) == 2
    at.text_input(key="text").set_value("she sings").run()
    assert figures(at)["patterns"][0]["rows"] == ["she", "sings"]
    assert at.query_params["seed"] == "8"


def test_heads_that_do_not_divide_are_reported_until_d_model_fits(open_page: Open) -> None:
    at = open_page("heads", lang="en", heads="3")
    assert not at.exception
    sentence = "cannot be split evenly"
    assert sentence in texts(at)
    assert len(figures(at)["patterns"]) == 4
    at.number_input(key="d_model").set_value(9).run()
    assert sentence not in texts(at)
    assert len(figures(at)["patterns"]) == 3
