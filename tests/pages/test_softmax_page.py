import math
import re

import pytest
from claims import for_all
from page_reader import Open, grids, texts
from streamlit.testing.v1 import AppTest


def drawn(at: AppTest, title: str) -> list[dict]:
    """The matrices of this title, in the order of the page."""
    return [grid for grid in grids(at) if grid["title"] == title]


def printed(at: AppTest, title: str, number: int = 0) -> list[list[str]]:
    return drawn(at, title)[number]["printed"]


def softmax(scores: list[float]) -> list[float]:
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return [e / math.fsum(exponentials) for e in exponentials]


def test_a_first_look_shows_the_sum_from_scores_to_weights(open_page: Open) -> None:
    at = open_page("softmax", lang="zh")
    assert not at.exception
    assert printed(at, "x = scores") == [["3.00"], ["1.50"], ["0.50"], ["2.00"]]
    assert printed(at, "x − max") == [["0.00"], ["−1.50"], ["−2.50"], ["−1.00"]]
    assert printed(at, "exp(x − max)") == [["1.000"], ["0.223"], ["0.082"], ["0.368"]]
    assert drawn(at, "exp(x − max)")[0]["below"] == ["Σ = 1.673"]
    expected = [[f"{weight:.3f}"] for weight in softmax([3, 1.5, 0.5, 2])]
    assert printed(at, "weights") == expected
    shown = texts(at)
    assert "“猫”的分数最大" in shown
    assert "2.72" in shown  # e^(3 − 2)


def test_a_slider_changes_every_weight_and_the_link(open_page: Open) -> None:
    at = open_page("softmax", lang="en")
    at.slider(key="score_2").set_value(5.25).run()
    assert at.query_params["scores"] == "3,1.5,5.25,2"
    shown = [float(cell) for (cell,) in printed(at, "weights")]
    assert shown == pytest.approx(softmax([3, 1.5, 5.25, 2]), abs=5e-4)
    assert "“sat” has" in texts(at)


@for_all("temperature", ["0.05", "0.5", "20"])
def test_temperature_divides_the_scores_and_changes_the_entropy(
    open_page: Open, temperature: str
) -> None:
    at = open_page("softmax", lang="zh", temperature=temperature)
    assert not at.exception
    weights = softmax([score / float(temperature) for score in (3, 1.5, 0.5, 2)])
    shown = [float(cell) for (cell,) in printed(at, "weights")]
    assert shown == pytest.approx(weights, abs=5e-4)
    bits = -math.fsum(p * math.log2(p) for p in weights if p > 0)
    (shown,) = re.findall(r"熵是 ([\d.]+) 比特", texts(at)) or ["0"]
    assert float(shown) == pytest.approx(bits, abs=0.005)


def test_the_number_of_keys_adds_or_removes_scores(open_page: Open) -> None:
    at = open_page("softmax", lang="en")
    at.number_input(key="key_count").set_value(6).run()
    assert at.query_params["scores"] == "3,1.5,0.5,2,0,-0.5"
    assert len(printed(at, "weights")) == 6
    assert "log₂ 6 = 2.58" in texts(at)
    at.number_input(key="key_count").set_value(2).run()
    assert at.query_params["scores"] == "3,1.5"
    assert printed(at, "weights") == [["0.818"], ["0.182"]]


@for_all("over", ["key", "query", "both"])
def test_row_sums_that_are_not_1_are_marked(open_page: Open, over: str) -> None:
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


def test_scores_of_a_thousand_overflow_unless_the_maximum_is_subtracted(
    open_page: Open,
) -> None:
    at = open_page("softmax", lang="zh")
    assert printed(at, "exp(x + c)") == [["∞"]] * 4
    assert printed(at, "weights", 2) == [["nan"]] * 4
    assert printed(at, "weights", 3) == printed(at, "weights", 0)
    assert "709.8" in texts(at)


@for_all(
    ("scores", "says"),
    [
        # e⁰ / (e⁰ + e⁰) = ½, and ½ · ½ = ¼; 1 / (1 + e⁻⁹) leaves 0.000123.
        ("1,1", "0.25 times as much"), ("9,0", "0.00012 times as much"), ("9,0", "is saturated"),
    ],
)  # fmt: skip
def test_a_saturated_row_is_said_to_learn_nothing(open_page: Open, scores: str, says: str) -> None:
    assert says in texts(open_page("softmax", lang="en", scores=scores))
