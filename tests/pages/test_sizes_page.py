import re

import pytest
from claims import for_all
from page_reader import Open, component_data, texts
from streamlit.testing.v1 import AppTest

from core.models.standard import STANDARD

EXPECTED = {
    "text": ("(32, 8, 10, 64)", "(32, 8, 10, 10)", "338\u202f846\u202f720"),
    "image": ("(8, 12, 196, 64)", "(8, 12, 196, 196)", "5\u202f099\u202f963\u202f904"),
    "sound": ("(4, 8, 1000, 64)", "(4, 8, 1000, 1000)", "8\u202f486\u202f144\u202f000"),
    "question": ("(1, 8, 100, 64)", "(1, 8, 100, 100)", "115\u202f177\u202f600"),
}


def tuples(at: AppTest) -> list[str]:
    (four,) = component_data(at, "four")
    return [f"({', '.join(axis['size'] for axis in one['axes'])})" for one in four["tuples"]]


def framed(at: AppTest) -> set[tuple[str, str]]:
    """Which axes of which rungs are framed, because they are not of the standard size."""
    (ladder,) = component_data(at, "ladder")
    return {
        ("".join(text for text, _ in row["name"]), axis["role"])
        for row in ladder["rows"]
        for axis in row["axes"]
        if axis["changed"]
    }


@for_all("preset", STANDARD)
def test_a_standard_size_shows_its_shapes_and_cost(open_page: Open, preset: str) -> None:
    at = open_page("sizes", lang="zh", preset=preset)
    assert not at.exception
    Q, weights, work = EXPECTED[preset]
    assert tuples(at) == [Q, weights]
    assert weights in texts(at)
    (table,) = component_data(at, "shapes")
    assert table["rows"][-1]["numbers"][1] == work
    assert not framed(at)
    assert len(table["columns"]) == 7
    assert len(at.get("plotly_chart")) == 1


def test_the_operation_of_a_step_is_the_right_side_of_its_formula(open_page: Open) -> None:
    (table,) = component_data(open_page("sizes", lang="en", preset="image"), "shapes")
    shown = {
        "".join(text for text, _ in row["name"]): "".join(text for text, _ in row["operation"])
        for row in table["rows"]
    }
    assert {key: text for key, text in shown.items() if text} == {
        "patches": "image[i P + r, j P + c]",
        "flattened": "patches[r, c, k]",
        "embedding": "flattened WE",
        "X": "embedding + position",
        **{key: f"X W{key}" for key in "QKV"},
        "scores": "Q Kᵀ",
        "scaled": "scores / √dk",
        "weights": "softmax(scaled)",
        "head_output": "weights V",
        "concat": "[head_output_1, …, head_output_h]",
        "output": "concat WO",
    }


def test_one_sample_of_the_sound_is_computed_and_the_page_states_it(open_page: Open) -> None:
    at = open_page("sizes", lang="en", preset="sound")
    (table,) = component_data(at, "shapes")
    real = {"".join(text for text, _ in row["name"]): row["real"] for row in table["rows"]}
    assert real["scores"] == "✓ (1, 8, 1000, 1000)"
    assert real["mel"] == real["waveform"] == "counted"
    shown = texts(at)
    assert re.search(r"1 of 4 samples, in [\d\u202f]+ ms", shown)
    assert "459.8 MB" in shown
    assert "begins at X" in shown


def test_a_changed_size_frames_the_numbers_that_depend_on_it(open_page: Open) -> None:
    at = open_page("sizes", lang="zh")
    at.number_input(key="n").set_value(20).run()
    assert not at.exception
    assert ("weights", "key") in framed(at)
    assert ("X", "token") in framed(at)
    assert not {role for _, role in framed(at)} & {"batch", "head", "d_k", "d_model", "concat"}
    assert "n 10 → 20" in texts(at)
    assert "×4" in texts(at)
    (table,) = component_data(at, "shapes")
    factor = {"".join(text for text, _ in row["name"]): row["numbers"][-1] for row in table["rows"]}
    assert (factor["scores"], factor["Q"], factor["concat"]) == ("4", "2", "2")
    assert factor["WQ"] == "1"
    at.button(key="back").click().run()
    assert at.number_input(key="n").value == 10
    assert not framed(at)


def test_patches_that_make_no_square_start_at_x(open_page: Open) -> None:
    at = open_page("sizes", lang="en", preset="image", n="197")
    assert not at.exception
    assert "197 patches make no square" in texts(at)
    (table,) = component_data(at, "shapes")
    assert table["rows"][0]["name"] == [["X", ""]]


def test_heads_that_do_not_divide_are_reported_and_the_last_sizes_stay(open_page: Open) -> None:
    at = open_page("sizes", lang="zh", n="20")
    at.number_input(key="heads").set_value(7).run()
    assert not at.exception
    assert "512" in component_data(at, "prose")[1]["paragraphs"][0][0][0]
    assert tuples(at)[0] == "(32, 8, 20, 64)"
    at.number_input(key="heads").set_value(4).run()
    assert tuples(at)[0] == "(32, 4, 20, 128)"


@pytest.mark.parametrize(
    ("sizes", "shown"),
    [
        ({"n": "100000", "d_model": "16384", "heads": "128", "batch": "1024"}, "Only counted"),
        ({"n": "3000"}, "one of 8 heads"),
    ],
)
def test_sizes_that_are_too_large_are_calculated_and_never_computed(
    open_page: Open, sizes: dict[str, str], shown: str
) -> None:
    at = open_page("sizes", lang="en", **sizes)
    assert not at.exception
    assert shown in texts(at)
    (table,) = component_data(at, "shapes")
    assert table["rows"][-1]["numbers"][1] != "—"
