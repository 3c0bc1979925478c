"""By hand, a token can be a row or a column."""

from claims import for_all
from page_reader import Open, microscope, texts

COLUMNS = {"zh": "每个查询占一列", "en": "a column for each query"}


@for_all("lang", ["zh", "en"])
def test_columns_turn_the_figure_and_the_formula_and_say_so(open_page: Open, lang: str) -> None:
    at = open_page("by_hand", lang=lang, stage="scores", convention="columns")
    assert not at.exception
    shown = microscope(at).header["drawings"]["scores"]["planes"]
    assert [plane["stage"] for plane in shown] == ["K", "Q", "scores"]
    assert (shown[-1]["rows"]["role"], shown[-1]["columns"]["role"]) == ("key", "query")
    assert COLUMNS[lang] in texts(at)


def test_stepper_map_shapes_and_code_follow_the_columns(open_page: Open) -> None:
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


def test_rows_are_the_paper_s_way_and_the_first(open_page: Open) -> None:
    at = open_page("by_hand", lang="en", stage="scores")
    shown = microscope(at).header["drawings"]["scores"]["planes"]
    assert [plane["stage"] for plane in shown] == ["Q", "K", "scores"]
    assert COLUMNS["en"] not in texts(at)


def test_the_numbers_and_the_chosen_cell_stay_when_the_figure_turns(open_page: Open) -> None:
    query = {"lang": "en", "stage": "scores", "row": "3", "column": "1", "lock": "1"}
    rows, columns = (
        microscope(open_page("by_hand", **query, convention=name)) for name in ("rows", "columns")
    )
    assert rows.chosen["places"] == columns.chosen["places"]
    for name in rows.arrays:
        assert rows.arrays[name].tobytes() == columns.arrays[name].tobytes()
