import re

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, component_data, texts
from streamlit.testing.v1 import AppTest

from pages.understand.before.charts import exponents, influence_by_distance, triangle
from views.navigation import PAGES
from views.text import words_beside

WORDS = words_beside(PAGES["before"])
LENGTHS = np.array([[2.0, 0.0, 0.0], [0.5, 1.0, 0.0], [3e-5, 0.02, 1.5]])
NAMES = ("<b>我</b>", "b", "b")


def drawn(lengths: np.ndarray = LENGTHS, names: tuple[str, ...] = NAMES):
    return triangle(lengths, names, exponents(lengths), "light", x="word", y="step", height=300)


def test_nothing_is_drawn_above_the_diagonal():
    z = drawn().data[0].z
    assert np.isnan(z[np.triu_indices(3, 1)]).all()
    assert np.isfinite(z[np.tril_indices(3)]).all()


def test_colours_follow_the_logarithm():
    trace = drawn().data[0]
    assert trace.z[1, 0] == pytest.approx(np.log10(0.5))
    assert (trace.zmin, trace.zmax) == (-5, 0)
    assert trace.z[0, 0] == 0  # 2 has the colour of 1 and more
    bar = trace.colorbar
    assert (bar.ticktext[0], bar.ticktext[-1]) == ("≥ 1", "≤ 10⁻⁵")


@for_all(
    ("values", "ends"),
    [
        ([1e-40, 0.9], (-6, 0)),
        ([1e25, 0.9], (-2, 6)),
        ([0.5, 0.9], (-2, 0)),
        ([0.0, 0.9], (-6, 0)),
        ([0.9, 20.0], (-2, 1)),
    ],
)
def test_the_exponents_of_the_scale_are_bounded(values: list[float], ends: tuple[int, int]):
    assert exponents(np.array([[values[0], 0.0], [values[0], values[1]]])) == ends


def test_the_first_row_is_at_the_top_and_equal_words_have_a_tick_each():
    layout = drawn().layout
    assert layout.yaxis.range == (3.5, 0.5)
    assert list(layout.xaxis.tickvals) == [1, 2, 3]


def test_the_curve_runs_over_the_distance_from_the_last_word():
    last = {"net": LENGTHS[-1], "attention": np.array([0.1, 0.2, 0.0])}
    figure = influence_by_distance(last, NAMES, "dark", x="back", y="left", height=300)
    net, attention = figure.data
    assert list(net.x) == [0, 1, 2]
    np.testing.assert_allclose(net.y, [1.5, 0.02, 3e-5])
    assert attention.y[0] > 0  # a logarithmic axis has no 0
    assert figure.layout.yaxis.type == "log"
    assert "&lt;b&gt;" in net.hovertext[2]


def last_row(at: AppTest) -> list[list[float]]:
    (data,) = component_data(at, "grids")
    (grid,) = data["grids"]
    return [[printed(cell) for cell in row] for row in grid["printed"]]


def printed(cell: str) -> float:
    """The number that a cell shows, ``3.1·10⁻⁵`` among them."""
    plain = cell.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    mantissa, _, power = plain.partition("·10")
    return float(mantissa) * 10.0 ** int(power or 0)


def test_at_first_the_influence_of_the_first_word_is_small_in_the_net_only(open_page: Open) -> None:
    at = open_page("before", lang="zh")
    assert not at.exception
    shown = texts(at)
    assert WORDS["zh"].lesson.learnt in shown
    assert WORDS["zh"].all_visible in shown
    net, attention = last_row(at)
    assert len(net) == 14
    assert net[0] < 0.01 * net[-1]
    assert attention[0] > 0.1 * attention[-1]
    assert "“钥匙”" in shown
    assert "“的”" in shown


def test_a_repeated_sentence_is_cut_at_64_tokens(open_page: Open) -> None:
    at = open_page("before", lang="en", times="8", radius="0.1")
    assert not at.exception
    assert len(last_row(at)[0]) == 64
    assert "·10⁻⁶³" in texts(at) or re.search(r"·10⁻[⁵⁶⁷]", texts(at))


def test_a_button_takes_over_the_sentence_of_the_page_sentence(open_page: Open) -> None:
    at = open_page("sentence", lang="en", text="She loves the sea")
    at.query_params.clear()
    at.switch_page("../pages/understand/before/page.py").run()
    at.button(key="yours").click().run()
    assert at.text_input(key="text").value == "She loves the sea"
    assert len(last_row(at)[0]) == 4
