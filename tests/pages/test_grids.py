"""The data of small matrices."""

from functools import cache

import numpy as np
from page_reader import component_data
from streamlit.testing.v1 import AppTest


def one_row() -> None:
    import numpy as np

    from views.figures.scale import Scale
    from views.widgets.grids import Grid, grids

    values = np.array([[-1.0, 0.0, 2.0, -0.00001]])
    is_masked = np.array([[False, True, False, False]])
    scale = Scale("signed", -2, 2)
    signed = Grid(
        "S",
        values,
        scale,
        ("我",),
        ("a", "b", "c", "d"),
        is_masked=is_masked,
        after=("Σ",),
        sign="=",
    )
    exact = Grid("E", values, scale, digits=3, covered=~is_masked)
    large = Grid("L", np.zeros((33, 32)), Scale("share", 0, 1))
    grids([signed, exact, large], key="drawn")


@cache
def drawn() -> list[dict]:
    at = AppTest.from_function(one_row, default_timeout=60).run()
    assert not at.exception
    (data,) = component_data(at, "grids")
    assert not data["clicks"]
    return data["grids"]


def test_each_cell_has_its_number_and_its_position_on_the_scale() -> None:
    signed, exact, _ = drawn()
    assert signed["printed"] == [["−1.00", "0.00", "2.00", "−1.0·10⁻⁵"]]
    assert exact["printed"] == [["−1.000", "0.000", "2.000", "0.000"]]
    low, middle, high, near = signed["levels"][0]
    assert np.shape(exact["levels"]) == (1, 4)
    assert (low, high) == (round(255 / 4), 255)
    assert middle in (127, 128)
    assert near in (127, 128)


def test_names_marks_and_signs_go_along() -> None:
    signed, exact, _ = drawn()
    assert (signed["rows"], signed["columns"]) == (["我"], ["a", "b", "c", "d"])
    assert signed["roles"] == ["query", "key"]
    assert signed["is_masked"] == [[False, True, False, False]]
    assert (signed["covered"], signed["marked"]) == (None, None)
    assert exact["covered"] == [[True, False, True, True]]
    assert (signed["after"], signed["sign"]) == (["Σ"], "=")


def test_the_colours_are_those_of_the_figures_in_both_themes() -> None:
    from views.figures.palette import PALETTES, rgb

    signed, _, large = drawn()
    for theme, palette in PALETTES.items():
        for grid, stops in ((signed, palette.signed), (large, palette.share)):
            ramp = np.array(grid["ramps"][theme])
            assert ramp.shape == (256, 3)
            np.testing.assert_array_equal(ramp[[0, -1]], [rgb(stops[0]), rgb(stops[-1])])


def test_a_large_matrix_is_a_picture_without_numbers() -> None:
    *small, large = drawn()
    assert large["printed"] is None
    assert np.shape(large["levels"]) == (33, 32)
    assert all(grid["printed"] for grid in small)
