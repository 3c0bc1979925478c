from claims import for_all
from page_reader import Open, component_data, texts
from streamlit.testing.v1 import AppTest


def pieces(at: AppTest) -> dict:
    (data,) = component_data(at, "order")
    return data


def printed(at: AppTest) -> list[list[list[list[str]]]]:
    """The numbers of the three matrices without position, and of the three with it."""
    return [[grid["printed"] for grid in card["grids"]] for card in component_data(at, "grids")]


def flat(grid: list[list[str]]) -> set[str]:
    return {number for row in grid for number in row}


def test_a_first_look_compares_the_sentence_with_its_reverse(open_page: Open) -> None:
    at = open_page("order", lang="en", text="我爱北京")
    assert not at.exception
    assert pieces(at)["names"] == ["我", "爱", "北京"]
    assert pieces(at)["order"] == [2, 1, 0]
    without, with_position = printed(at)
    assert without[0] == without[1]
    assert flat(without[2]) == {"0.00"}
    assert with_position[0] != with_position[1]
    shown = texts(at)
    assert "stayed the same" in shown
    assert "Even 爱, which has not moved" in shown


def test_weights_are_permuted_in_rows_and_columns(open_page: Open) -> None:
    at = open_page("order", lang="zh", compared="weights", order="1,2,0")
    without, with_position = printed(at)
    assert without[0] == without[1]
    assert with_position[0] != with_position[1]
    assert "每一行、每一列" in texts(at)
    titles = [grid["title"] for grid in component_data(at, "grids")[0]["grids"]]
    assert titles[:2] == ["weights(X)", "Pᵀ weights(P X) P"]


def test_with_a_causal_mask_order_counts_without_positions(open_page: Open) -> None:
    at = open_page("order", lang="zh")
    at.checkbox(key="causal").check().run()
    assert at.query_params["causal"] == "1"
    without, _ = printed(at)
    assert without[0] != without[1]
    assert "次序却起作用了" in texts(at)


@for_all("columns", ["3", "4"])
def test_patches_of_a_picture_can_be_reordered(open_page: Open, columns: str) -> None:
    at = open_page("order", lang="zh", kind="picture", picture="boat", columns=columns)
    assert not at.exception
    n = int(columns) ** 2
    data = pieces(at)
    assert (len(data["names"]), data["columns"]) == (n, int(columns))
    assert data["photo"].startswith("data:image/webp")
    assert data["order"] == list(range(n))[::-1]
    without, with_position = printed(at)
    assert without[0] == without[1]
    assert flat(without[2]) == {"0.00"}
    assert with_position[0] != with_position[1]


def test_buttons_apply_a_preset_order_and_write_the_link(open_page: Open) -> None:
    at = open_page("order", lang="en", text="a b c d e")
    at.button(key="shuffled").click().run()
    first = at.query_params["order"]
    at.button(key="shuffled").click().run()
    assert at.query_params["order"] != first
    at.button(key="given").click().run()
    assert at.query_params["order"] == "0,1,2,3,4"
    assert "Nothing has moved yet" in texts(at)
    assert flat(printed(at)[1][2]) == {"0.00"}
    at.button(key="reversed").click().run()
    assert at.query_params["order"] == "4,3,2,1,0"


def test_an_order_of_another_length_is_replaced_by_the_reversed_one(open_page: Open) -> None:
    at = open_page("order", lang="en", text="a b c", order="1,2,0")
    assert pieces(at)["order"] == [1, 2, 0]
    at.text_input(key="text").set_value("a b c d").run()
    assert pieces(at)["order"] == [3, 2, 1, 0]
    assert "order" not in at.query_params


def test_an_unmoved_word_with_equal_output_is_not_reported_as_changed(
    open_page: Open,
) -> None:
    at = open_page("order", lang="en", text="a b a")  # its own reverse
    assert "Now order counts" in texts(at)
    assert "which has not moved" not in texts(at)
