import re

from page_reader import Open, component_data, texts
from streamlit.testing.v1 import AppTest

from views.navigation import PAGES
from views.text import words_beside

WORDS = words_beside(PAGES["before"])


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
