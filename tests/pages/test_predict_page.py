from functools import partial
from urllib.parse import urlencode

import pytest
from blob_reader import unpacked
from claims import for_all
from page_reader import Open, component_data, headed, path_of, texts
from streamlit.testing.v1 import AppTest

from pages.understand.predict.controls import STAGES
from views import link
from views.navigation import PAGES
from views.text import words_beside

WORDS = words_beside(PAGES["predict"])

FOUND = "共 3 格：猜出 1 格"


def result(at: AppTest) -> dict:
    """The last matrix of the page: the one with what is covered."""
    (data,) = component_data(at, "grids")
    return data["grids"][-1]


def guess(at: AppTest, text: str) -> AppTest:
    at.text_input(key="typed").set_value(text)
    return at.button(key="check").click().run()


def covered(at: AppTest) -> list[tuple[int, int]]:
    flags = result(at)["covered"]
    return [(i, j) for i, row in enumerate(flags) for j, flag in enumerate(row) if flag]


def test_a_first_look_covers_one_row_and_shows_its_operands(open_page: Open) -> None:
    at = open_page("predict", lang="zh")
    assert not at.exception
    assert covered(at) == [(1, 0), (1, 1), (1, 2)]
    (data,) = component_data(at, "grids")
    scaled, weights = data["grids"]
    assert (scaled["title"], weights["title"]) == ("scaled", "weights")
    assert scaled["printed"][1] == ["0.750", "1.125", "1.875"]
    assert scaled["covered"] is None
    assert weights["printed"][0] == ["0.2272", "0.2918", "0.4810"]
    assert not headed(at, "revealed")
    assert WORDS["zh"].which.split("{row}")[1] in texts(at)


def test_a_wrong_guess_shows_its_difference_and_a_right_one_opens_the_cell(open_page: Open) -> None:
    at = guess(open_page("predict", lang="zh"), "0.5")
    assert "0.5 大了 0.32" in texts(at)
    assert at.text_input(key="typed").value == "0.5"
    assert len(covered(at)) == 3
    at = guess(at, "0.18")  # 0.180661675657
    shown = texts(at)
    assert "对了：0.18" in shown
    assert FOUND in shown
    assert "0.5 ✗    0.18 ✓" in shown
    assert covered(at) == [(1, 1), (1, 2)]
    assert at.text_input(key="typed").value == ""
    ((opened, packed),) = headed(at, "revealed")
    assert (opened["key"], opened["index"]) == ("weights", [0, 0, 1, 0])
    assert opened["covered"] == [False, True, True]
    weights = unpacked(packed)[1]["weights"]
    assert weights[0, 0, 1, 0] == pytest.approx(0.180661675657, abs=1e-12)


def test_a_guess_that_is_no_number_is_reported_and_stays_in_its_box(open_page: Open) -> None:
    at = guess(open_page("predict", lang="zh"), "0.18")
    for text in ("", "x", "nan", "1e999", "1/0", "<b>1</b>", "$x$", "inf"):
        at = guess(at, text)
        assert not at.exception, text
        assert WORDS["zh"].unreadable.format(typed=text) in texts(at)
        assert at.text_input(key="typed").value == text
        assert covered(at) == [(1, 1), (1, 2)], text
    at = guess(at, "0.263")
    assert WORDS["zh"].unreadable.format(typed=text) not in texts(at)
    assert covered(at) == [(1, 2)]


def test_the_key_with_the_largest_weight_can_be_picked(open_page: Open) -> None:
    at = open_page("predict", lang="zh").button(key="pick_0").click().run()
    assert WORDS["zh"].not_largest.format(column="我") in texts(at)
    assert len(covered(at)) == 3
    at = at.button(key="pick_2").click().run()
    shown = WORDS["zh"].picked.format(row="爱", column="北京", value="0.5565")
    assert shown in texts(at)
    assert covered(at) == [(1, 0), (1, 1)]
    assert not any(button.key == "pick_2" for button in at.button)


def test_of_tied_keys_either_is_right(open_page: Open) -> None:
    at = open_page("predict", lang="en", preset="whole_numbers", row="3")
    for key in ("pick_1", "pick_2"):
        assert "it is a tie: 追, 球 get" in texts(at.button(key=key).click().run())
        at.button(key="cover_again").click().run()


def test_a_revealed_cell_does_not_count_as_found(open_page: Open) -> None:
    at = open_page("predict", lang="en").button(key="reveal").click().run()
    assert "0 of 3 found, 1 revealed" in texts(at)
    assert "Revealed: 0.1807." in texts(at)
    assert covered(at) == [(1, 1), (1, 2)]
    assert "0.56" not in texts(at)
    for _ in range(2):
        at = at.button(key="reveal").click().run()
    assert "Nothing is covered any more: 0 of 3 found, 3 revealed." in texts(at)
    assert covered(at) == []
    ((opened, _),) = headed(at, "revealed")
    assert not any(opened["covered"])
    at = at.button(key="cover_again").click().run()
    assert covered(at) == [(1, 0), (1, 1), (1, 2)]
    assert "0 of 3 found, 0 revealed" in texts(at)


@for_all("key", ["asked", "progress"])
def test_no_answer_moves_what_stands_below_it(open_page: Open, key: str) -> None:
    """Streamlit shows the old element beside the new one until the run has ended."""
    at = open_page("predict", lang="en")
    paths = [path_of(at.main, key), path_of(guess(at, "0.5").main, key)]
    for button in ("pick_0", "pick_2", "reveal"):
        paths.append(path_of(at.button(key=button).click().run().main, key))
    assert paths[0]
    assert len({*paths}) == 1


def test_a_sum_without_an_answer_is_where_one_with_an_answer_was(open_page: Open) -> None:
    at = open_page("predict", lang="en", cover="cells", cells="2.3-2.1")
    path = path_of(at.button(key="reveal").click().run().main, "revealed")
    assert path is not None
    assert path_of(at.button(key="leave_open").click().run().main, "revealed") == path


def test_answers_survive_another_step_and_another_language(
    open_page: Open,
) -> None:
    at = guess(open_page("predict", lang="en"), "0.18")
    at.button_group(key="stage").set_value("scores").run()
    assert len(covered(at)) == 3
    at.button_group(key="stage").set_value("weights").run()
    assert covered(at) == [(1, 1), (1, 2)]
    at.button_group(key="lang").set_value("zh").run()
    assert covered(at) == [(1, 1), (1, 2)]
    assert FOUND in texts(at)


@for_all("stage", STAGES)
def test_a_link_opens_every_step_with_its_covered_cells(open_page: Open, stage: str) -> None:
    at = open_page(
        "predict", lang="en", preset="d4_h2", causal="1", stage=stage, cover="all", head="2"
    )
    assert not at.exception
    assert result(at)["title"] == stage
    assert all(all(row) for row in result(at)["covered"])
    assert not result(at)["is_masked"] or not any(map(any, result(at)["is_masked"]))


def test_masked_cells_are_answered_by_minus_infinity(open_page: Open) -> None:
    at = open_page(
        "predict", lang="en", causal="1", stage="masked", cover="cells", cells="1.2-1.1",
        row="1", column="2",
    )  # fmt: skip
    assert "what does the mask do?" in texts(guess(at, "0"))
    assert covered(guess(at, "−∞")) == [(0, 0)]
    assert "No mask covers this cell" in texts(guess(at, "-inf"))
    assert covered(guess(at, "1/2")) == []


def test_a_step_that_the_example_does_not_have_is_reported(open_page: Open) -> None:
    at = open_page("predict", lang="en", stage="output")
    assert "has no step output; here is head_output" in texts(at)
    assert result(at)["title"] == "head_output"
    at = open_page("predict", lang="en", stage="Q")
    assert result(at)["title"] == "scores"


def test_the_worksheet_has_a_preview_and_downloads_in_both_languages(open_page: Open) -> None:
    at = open_page("predict", lang="zh", worksheet="12", causal="1", preview="sheet")
    assert not at.exception
    (frame,) = at.get("iframe")
    assert "12" in frame.proto.srcdoc.split('class="part">')[1].split("<")[0]
    assert frame.proto.srcdoc.count('class="box"></td>') == 4 * 2 * 3 + 2 * 2  # rows 2 and 3
    at.button_group(key="previewed").set_value("key").run()
    assert at.query_params["preview"] == "key"
    (frame,) = at.get("iframe")
    assert 'class="box"></td>' not in frame.proto.srcdoc
    labels = [button.proto.label for button in at.get("download_button")]
    assert labels == ["中文：练习纸", "中文：答案", "English: Worksheet", "English: Answer key"]


def test_only_a_public_address_is_printed_and_without_the_preview(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for base, printed in (("http://localhost:8501", 0), ("https://see.example.org", 1)):
        monkeypatch.setattr(link, "url_with_query", partial(_at, base))
        at = open_page("predict", lang="en", worksheet="12", preview="key")
        footer = at.get("iframe")[0].proto.srcdoc.split("<footer>")[1]
        assert footer.count("/predict?lang=en&amp;worksheet=12<") == printed
        assert footer.count("http") == printed
        assert "preview" not in footer


def _at(base: str, query: dict[str, str]) -> str:
    return f"{base}/predict?{urlencode(query)}"
