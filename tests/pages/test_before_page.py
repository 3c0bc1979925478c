import re

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, component_data, texts, unmarked
from streamlit.testing.v1 import AppTest

from core import Weights, multi_head_attention
from core.options import AttentionOptions
from core.sources import text
from views.navigation import PAGES
from views.text import words_beside

WORDS = words_beside(PAGES["before"])

TOKENS = {"en": 14, "zh": 14}


def last_row(at: AppTest) -> list[list[float]]:
    (data,) = component_data(at, "grids")
    (grid,) = data["grids"]
    return [[printed(cell) for cell in row] for row in grid["printed"]]


def printed(cell: str) -> float:
    """The number that a cell shows, ``3.1·10⁻⁵`` among them."""
    plain = cell.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    mantissa, _, power = plain.partition("·10")
    return float(mantissa) * 10.0 ** int(power or 0)


@for_all("lang", ["zh", "en"])
def test_at_first_the_influence_of_the_first_word_is_small_in_the_net_only(
    open_page: Open, lang: str
) -> None:
    at = open_page("before", lang=lang)
    assert not at.exception
    shown = texts(at)
    assert WORDS[lang].lesson.learnt in shown
    assert WORDS[lang].all_visible in shown
    net, attention = last_row(at)
    assert len(net) == TOKENS[lang]
    assert net[0] < 0.01 * net[-1]
    assert attention[0] > 0.1 * attention[-1]
    first, last = ("Keys", "lost") if lang == "en" else ("钥匙", "的")
    assert f"“{first}”" in shown
    assert f"“{last}”" in shown


def test_influence_in_attention_equals_finite_differences(open_page: Open) -> None:
    at = open_page("before", lang="en", text="keys are lost")
    _, attention = last_row(at)
    embedded = text.embed([("keys", "are", "lost")], 16, 7, position=False)
    X, weights = embedded["X"].tensor, Weights.seeded(16, 2, 7)
    step = 1e-6

    def last(moved: np.ndarray) -> np.ndarray:
        return multi_head_attention(moved, weights, AttentionOptions(causal=True))["output"].tensor[
            0, -1
        ]

    for j in range(3):
        J = np.empty((16, 16))
        for c in range(16):
            moved = np.zeros_like(X)
            moved[0, j, c] = step
            J[:, c] = (last(X + moved) - last(X - moved)) / (2 * step)
        assert attention[j] == pytest.approx(np.linalg.svd(J)[1][0], abs=0.0051)


def test_influence_grows_with_the_radius_and_without_tanh(
    open_page: Open,
) -> None:
    at = open_page("before", lang="en", radius="0.3")
    least = last_row(at)[0][0]
    at.slider(key="radius").set_value(1.5).run()
    assert at.query_params["radius"] == "1.5"
    more = last_row(at)[0][0]
    assert least < 1e-6 < more
    assert unmarked(WORDS["en"].radius_above) in unmarked(texts(at))
    at.toggle(key="tanh").set_value(False).run()
    assert at.query_params["tanh"] == "0"
    net = last_row(at)[0]
    assert net[0] > 10 * net[-1]
    assert "explodes" in texts(at)
    assert unmarked(WORDS["en"].radius_linear) in unmarked(texts(at))
    assert "Switch tanh off" not in texts(at)


@for_all("lang", ["zh", "en"])
def test_repeated_words_have_equal_influence_in_attention_only(open_page: Open, lang: str) -> None:
    at = open_page("before", lang=lang, times="3")
    net, attention = last_row(at)
    n = TOKENS[lang]
    assert len(net) == 3 * n
    for index in range(n - 1):
        assert attention[index] == attention[index + n] == attention[index + 2 * n]
        assert net[index] < net[index + n] < net[index + 2 * n]
    assert re.search(r"3 times before|出现了 3 次", texts(at))


def test_a_repeated_sentence_is_cut_at_64_tokens(open_page: Open) -> None:
    at = open_page("before", lang="en", times="8", radius="0.1")
    assert not at.exception
    assert len(last_row(at)[0]) == 64
    assert "·10⁻⁶³" in texts(at) or re.search(r"·10⁻[⁵⁶⁷]", texts(at))


def test_path_length_is_n_in_the_net_and_1_in_attention(open_page: Open) -> None:
    (table,) = open_page("before", lang="zh", text="one two three four five six seven").table
    path = table.value.iloc[0].tolist()
    assert path[1].startswith("7 ")
    assert path[2].startswith("1 ")


def test_a_button_takes_over_the_sentence_of_the_page_sentence(open_page: Open) -> None:
    at = open_page("sentence", lang="en", text="She loves the sea")
    at.query_params.clear()
    at.switch_page("../pages/understand/before/page.py").run()
    at.button(key="yours").click().run()
    assert at.text_input(key="text").value == "She loves the sea"
    assert len(last_row(at)[0]) == 4
