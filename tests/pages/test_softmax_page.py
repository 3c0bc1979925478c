import math
import re

import pytest
from claims import for_all
from page_reader import Open, grids, texts
from streamlit.testing.v1 import AppTest

LARGEST = {"en": "“cat” has the largest score", "zh": "“猫”的分数最大"}
ENTROPY = {"en": r"Entropy is ([\d.]+) of at most", "zh": r"熵是 ([\d.]+) 比特"}


def drawn(at: AppTest, title: str) -> list[dict]:
    """The matrices of this title, in the order of the page."""
    return [grid for grid in grids(at) if grid["title"] == title]


def printed(at: AppTest, title: str, number: int = 0) -> list[list[str]]:
    return drawn(at, title)[number]["printed"]


def softmax(scores: list[float]) -> list[float]:
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [e / math.fsum(exponentials) for e in exponentials]


@for_all("lang", ["en", "zh"])
def test_a_first_look_shows_the_sum_from_scores_to_weights(open_page: Open, lang: str) -> None:
    at = open_page("softmax", lang=lang)
    assert not at.exception
    assert printed(at, "x = scores") == [["3.00"], ["1.50"], ["0.50"], ["2.00"]]
    assert printed(at, "x − max") == [["0.00"], ["−1.50"], ["−2.50"], ["−1.00"]]
    assert printed(at, "exp(x − max)") == [["1.000"], ["0.223"], ["0.082"], ["0.368"]]
    assert drawn(at, "exp(x − max)")[0]["below"] == ["Σ = 1.673"]
    expected = [[f"{weight:.3f}"] for weight in softmax([3, 1.5, 0.5, 2])]
    assert printed(at, "weights") == expected
    said = texts(at)
    assert LARGEST[lang] in said
    assert "2.72" in said  # e^(3 − 2)


@for_all("lang", ["en", "zh"])
def test_a_slider_moves_every_weight_and_is_kept_in_the_link(open_page: Open, lang: str) -> None:
    at = open_page("softmax", lang=lang)
    at.slider(key="score_2").set_value(5.25).run()
    assert at.query_params["scores"] == "3,1.5,5.25,2"
    shown = [float(cell) for (cell,) in printed(at, "weights")]
    assert shown == pytest.approx(softmax([3, 1.5, 5.25, 2]), abs=5e-4)
    assert {"en": "“sat” has", "zh": "“坐”的分数最大"}[lang] in texts(at)


@for_all("lang", ["en", "zh"])
@for_all("temperature", ["0.05", "0.5", "20"])
def test_temperature_divides_the_scores_and_changes_the_entropy(
    open_page: Open, lang: str, temperature: str
) -> None:
    at = open_page("softmax", lang=lang, temperature=temperature)
    assert not at.exception
    weights = softmax([score / float(temperature) for score in (3, 1.5, 0.5, 2)])
    shown = [float(cell) for (cell,) in printed(at, "weights")]
    assert shown == pytest.approx(weights, abs=5e-4)
    bits = -math.fsum(p * math.log2(p) for p in weights if p > 0)
    (said,) = re.findall(ENTROPY[lang], texts(at)) or ["0"]
    assert float(said) == pytest.approx(bits, abs=0.005)


def test_the_number_of_keys_adds_a_score_or_takes_one_away(open_page: Open) -> None:
    at = open_page("softmax", lang="en")
    at.number_input(key="key_count").set_value(6).run()
    assert at.query_params["scores"] == "3,1.5,0.5,2,0,-0.5"
    assert len(printed(at, "weights")) == 6
    assert "log₂ 6 = 2.58" in texts(at)
    at.number_input(key="key_count").set_value(2).run()
    assert at.query_params["scores"] == "3,1.5"
    assert printed(at, "weights") == [["0.818"], ["0.182"]]


@for_all(
    ("scores", "en", "zh"),
    [
        ("1,1,1", "All scores are equal", "所有分数都相等"),
        ("4,1,4,0", "2 keys share the largest score", "有 2 个键并列最高分"),
        ("10,-10", "more than a million", "超过一百万倍"),
    ],
)
def test_what_is_said_fits_ties_and_gulfs(open_page: Open, scores: str, en: str, zh: str) -> None:
    for lang, expected in (("en", en), ("zh", zh)):
        at = open_page("softmax", lang=lang, scores=scores, temperature="0.7")
        assert not at.exception
        assert expected in texts(at)


@for_all("over", ["key", "query", "both"])
def test_the_switch_shows_which_row_sums_are_no_longer_1(open_page: Open, over: str) -> None:
    at = open_page("softmax", lang="zh", over=over)
    grid = drawn(at, "weights")[1]
    wrong = [row[0] for row in grid["marked"]]
    assert wrong == ["≠ 1" in text for text in grid["after"]] == [over != "key"] * 3
    if over == "query":
        assert grid["after"] == ["Σ = 0.51 ≠ 1", "Σ = 0.75 ≠ 1", "Σ = 1.73 ≠ 1"]
        assert grid["below"] == ["Σ = 1.00"] * 3
        assert "36.78" in texts(at)  # more than 30, the largest value
    if over == "key":
        assert "25.88" in texts(at)


def test_scores_of_a_thousand_overflow_honestly_and_not_with_the_maximum_off(
    open_page: Open,
) -> None:
    at = open_page("softmax", lang="zh")
    assert printed(at, "exp(x + c)") == [["∞"]] * 4
    assert printed(at, "weights", 2) == [["nan"]] * 4
    assert printed(at, "weights", 3) == printed(at, "weights", 0)
    assert "709.8" in texts(at)


@pytest.mark.parametrize(("constant", "said"), [("-1000", "0 ÷ 0"), ("10", "c = 1000")])
def test_a_constant_changes_no_weight(open_page: Open, constant: str, said: str) -> None:
    at = open_page("softmax", lang="en", constant=constant)
    assert said in texts(at)
    assert printed(at, "weights", 3) == printed(at, "weights", 0)
    naive = printed(at, "weights", 2)
    assert naive == (printed(at, "weights", 0) if constant == "10" else [["nan"]] * 4)


def test_the_language_switch_keeps_the_row(open_page: Open) -> None:
    at = open_page("softmax", lang="zh", scores="1,4.5,-2", temperature="2", over="both")
    at.button_group(key="lang").set_value("en").run()
    assert not at.exception
    assert at.query_params["scores"] == "1,4.5,-2"
    assert drawn(at, "weights")[0]["rows"] == []
    assert drawn(at, "x = scores / 2")[0]["rows"] == ["cat", "mat", "sat"]
    assert "“mat” has the largest score" in texts(at)


def test_the_code_that_is_shown_is_the_code_that_runs(open_page: Open) -> None:
    shown = "\n".join(code.value for code in open_page("softmax", lang="en").code)
    assert "def softmax(scores" in shown
    assert "def entropy(weights" in shown
