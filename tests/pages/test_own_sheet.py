"""Numbers that a class typed on By hand go along to Predict, to the worksheet, and back."""

import pytest
from page_reader import Open, component_data, goes, texts
from streamlit.testing.v1 import AppTest

from views import link

# Ana: 2·1, Ben: 2·3; weights of Ben with √1 = 1: e^(3·1), e^(3·3)
TYPED = {"tokens": "Ana Ben", "Q": "2~3", "K": "1~3", "V": "1_0~0_1", "divisor": "root"}
LONG = "~".join("_".join(["0.123456"] * 20) for _ in range(3))  # too long for a link


def printed(at: AppTest, title: str) -> list[list[str]]:
    """The numbers of a matrix on Predict."""
    grids = [grid for data in component_data(at, "grids") for grid in data["grids"]]
    return next(grid["printed"] for grid in grids if grid["title"] == title)


def test_typed_numbers_are_asked_on_predict_printed_on_paper_and_kept_on_the_way_back(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = goes(open_page("by_hand", lang="en", stage="Q", row="2", **TYPED), "predict")
    assert at.title[0].value.endswith("“Ana Ben”")
    assert at.button_group(key="example").value == "own"
    assert dict(at.query_params).items() >= TYPED.items()
    assert printed(at, "scaled") == [["2.00", "6.00"], ["3.00", "9.00"]]
    assert "asks" not in texts(at)

    monkeypatch.setattr(
        link, "url_with_query", lambda query: f"https://a.example/?{query.get('Q')}"
    )
    at.button_group(key="previewed").set_value("sheet").run()
    paper = at.get("iframe")[0].proto.srcdoc
    assert "Attention by hand: Ana Ben" in paper
    assert "√1 = 1" in paper
    assert "https://a.example/?2~3" in paper
    at.button_group(key="previewed").set_value("key").run()
    assert "scores[Ben, Ben] = 3 × 3 = 9" in at.get("iframe")[0].proto.srcdoc

    at.button_group(key="example").set_value("whole_numbers").run()
    at = goes(at, "by_hand")
    assert at.button_group(key="example").value == "whole_numbers"
    assert "Q" not in at.query_params


def test_a_matrix_that_is_too_long_for_a_link_goes_along_too(open_page: Open) -> None:
    at = open_page("by_hand", lang="en")
    at.text_area(key="paste").set_value(LONG.replace("_", "\t").replace("~", "\n"))
    at.button(key="put").click().run()
    at = goes(at, "predict")
    assert "Q~" in at.query_params["omitted"]
    at.button_group(key="stage").set_value("scores").run()
    assert printed(at, "Q")[2][19] == "0.1235"


@pytest.mark.parametrize(("query", "says"), [
    ({"preset": "d4_h2", "paper": "shown", "head": "2"}, "head 2"),
    ({"paper": "shown", "tokens": " ".join("abcdefghijk")}, "room for at most 10"),
])  # fmt: skip
def test_a_worksheet_is_about_one_head_and_not_larger_than_paper(
    open_page: Open, query: dict[str, str], says: str
) -> None:
    at = open_page("predict", lang="en", preview="key", **query)
    assert not at.exception
    assert says in texts(at)
    assert len(at.get("iframe")) == ("head" in query)


def test_equal_weights_share_the_first_place_on_the_answer_key(open_page: Open) -> None:
    at = open_page("predict", lang="zh", preset="padded", paper="shown", preview="key",
                   Q="0~0~0~0~0~0~0~0~0~0")  # fmt: skip
    assert not at.exception
    paper = at.get("iframe")[0].proto.srcdoc
    assert "我、爱、北京并列第一，权重各是 0.3333" in paper
    assert "[PAD]" not in paper
