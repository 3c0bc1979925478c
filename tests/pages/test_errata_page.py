import numpy as np
import pytest
from claims import for_all
from page_reader import Open, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models.errata import ERRATA

SENTENCES = {
    "q1": "at Q: 4 of 4 printed numbers disagree, by 1.5000",
    "q2": "explain 0 of the 4 wrong numbers",
    "softmax_row_2": "only x² gives exactly these digits",
    "output_row_2": "0.31 · 10 + 0.69 · 20 = 16.9",
    "output_row_3": "0.1, 0.2, 0.7, give exactly 26.0",
    "double_division": "dk = 64. Divided once more it is 8",
    "orthogonal": "up to 0.56",
    "source_causal": "gives 北京 0.48",
    "mask_zero": "gives 0.55 of its unit",
    "column_convention": "they differ by 0.",
    "parameter_count": "1\u202f048\u202f576",
    "nonlinear_combination": "the largest difference is",
    "rnn_previous_word": "reacts to 我 with 0.54",
    "subject_predicate": "scores[我, 北京] = 10",
}


@pytest.fixture
def sheet(open_page: Open) -> AppTest:
    """One reader's page, on which one case follows the other."""
    return open_page("errata", lang="en")


def grids_of(at: AppTest, title: str) -> dict[str, object]:
    """The only matrix whose title begins so."""
    (found,) = (
        grid
        for data in component_data(at, "grids")
        for grid in data["grids"]
        if grid["title"].startswith(title)
    )
    return found


@for_all("name", ERRATA)
def test_every_erratum_is_corrected_and_opens_its_cell(open_page: Open, name: str) -> None:
    at = open_page("errata", lang="en", erratum=name)
    assert not at.exception
    erratum, viewer = ERRATA[name], microscope(at)
    assert SENTENCES[name] in texts(at)
    if not erratum.printed:
        assert {"as printed", "It should be"} <= {caption.value for caption in at.caption}
    assert viewer.chosen["stage"] == erratum.stage
    stage = erratum.sheet.trace()[erratum.stage]
    if "head" in stage.roles:
        assert viewer.chosen["head"] == erratum.cell[1]
    for role, index in list(zip(stage.roles, erratum.cell, strict=True))[-2:]:
        assert viewer.chosen["positions"][{"token": "query"}.get(role, role)] == index


def test_the_wrong_numbers_are_framed_beside_the_computed_ones(open_page: Open) -> None:
    at = open_page("errata", lang="en", erratum="q1")
    printed, computed = grids_of(at, "Q · as printed"), grids_of(at, "Q · as computed")
    assert printed["printed"] == [["0.85", "−0.05"], ["−0.29", "0.74"]]
    assert computed["printed"] == [["0.0000", "1.4500"], ["−0.9500", "−0.4500"]]
    assert np.all(printed["marked"])


def test_a_rounded_number_is_not_called_wrong(open_page: Open) -> None:
    at = open_page("errata", lang="en", erratum="output_row_3")
    assert "They do not differ" in texts(at)
    assert not np.any(grids_of(at, "head_output · as printed")["marked"])


def test_a_pasted_table_is_compared_number_by_number(open_page: Open) -> None:
    at = open_page("errata", lang="en", erratum="orthogonal")
    assert "2 of 9 numbers disagree" in texts(at)
    marked = grids_of(at, "weights · as printed")["marked"]
    assert marked == [[False] * 3, [True, True, False], [False] * 3]
    right = "1 0 0\n0.41 0.59 0\n0.1065 0.2 0.7"
    at.text_area(key="pasted").set_value(right).run()
    assert "All 9 numbers agree" in texts(at)
    at.text_area(key="pasted").set_value("1 0 0\n0.41 ? 0\n? ? 0.6").run()
    assert "1 of 6 numbers disagree" in texts(at)


def test_another_example_and_step_can_be_checked_and_are_in_the_link(open_page: Open) -> None:
    at = open_page(
        "errata", lang="zh", erratum="orthogonal", book="d4_h2", printed="Q", printed_head="2",
        pasted="2.15 0.65\n-1.32 1.02",
    )  # fmt: skip
    assert not at.exception
    assert "4 个数里有 4 个" in texts(at)
    assert microscope(at).chosen["stage"] == "Q"
    at.selectbox(key="book").set_value("whole_numbers").run()
    assert not at.exception
    assert "3 × 4" in texts(at)


@for_all(
    ("pasted", "en", "zh"),
    [
        ("", "There are no numbers yet", "还没有数"),
        ("a b c", "“a” is not a number", "“a”不是数"),
        ("1 2", "3 × 3, and what was pasted is 1 × 2", "3 × 3 的矩阵"),
    ],
)
def test_an_invalid_paste_is_reported_and_stays_in_its_box(
    sheet: AppTest, pasted: str, en: str, zh: str
) -> None:
    at = sheet
    at.text_area(key="pasted").set_value(pasted)
    for lang, expected in (("en", en), ("zh", zh)):
        at.button_group(key="lang").set_value(lang).run()
        assert not at.exception
        assert expected in texts(at)
        assert at.text_area(key="pasted").value == pasted
        assert microscope(at).chosen["stage"] == "weights"


def test_a_step_that_the_example_lacks_is_replaced(
    open_page: Open,
) -> None:
    at = open_page("errata", lang="en", printed="output")
    assert not at.exception
    assert "2 of 9 numbers disagree" in texts(at)
