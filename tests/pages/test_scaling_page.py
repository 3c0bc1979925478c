import math

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, charts, texts
from streamlit.testing.v1 import AppTest

from core.experiments.scaling import WIDTHS
from views.text import numbers


def curve(at: AppTest, chart: int, line: int) -> list[float]:
    """A line of one of the five charts over d_k, which stand behind three others."""
    return charts(at)[3 + chart]["data"][line]["y"]


def drawn(seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    queries, keys = np.concatenate([random.standard_normal((2, 200, 4096)) for _ in range(10)], 1)
    return queries, keys


def test_a_first_look_compares_raw_and_divided_scores(open_page: Open) -> None:
    at = open_page("scaling", lang="zh")
    assert not at.exception
    Q, K = drawn()
    dots = (Q[:, :64] * K[:, :64]).sum(axis=1)
    spread = math.sqrt(np.square(dots).mean())
    shown = texts(at)
    assert f"{spread:.2f}" in shown
    assert "8.00" in shown
    raw, divided = charts(at)[1]["data"][0], charts(at)[2]["data"][0]
    each = range(2000)
    rows = np.array([
        [Q[i, :64] @ K[i // 200 * 200 + (i - key) % 200, :64] for key in range(8)] for i in each
    ])  # fmt: skip
    p = np.exp(rows) / np.exp(rows).sum(axis=1, keepdims=True)
    jacobians = p[:, :, None] * np.eye(8) - p[:, :, None] * p[:, None, :]
    row = rows[np.argsort(np.square(jacobians).sum(axis=(1, 2)))[999]]  # of the median gradient
    for bars, scores in ((raw, row), (divided, row / 8)):
        exponentials = np.exp(scores - scores.max())
        assert bars["y"] == pytest.approx(exponentials / exponentials.sum())


@for_all("d_k", [16, 64, 128, 1024])
def test_what_comes_back_to_a_typical_row_vanishes_undivided_where_keys_are_wide(
    open_page: Open, d_k: int
) -> None:
    at = open_page("scaling", lang="en", d_k=str(d_k))
    raw, divided = (max(charts(at)[place]["data"][0]["y"]) for place in (1, 2))
    slopes = raw * (1 - raw), divided * (1 - divided) / math.sqrt(d_k)
    assert all(numbers.short(slope) in texts(at) for slope in slopes[d_k == 1024 :])
    said = "row is stuck" in texts(at), "not stuck yet" in texts(at)
    assert said == (d_k >= 128, d_k < 128)
    assert (slopes[0] < slopes[1]) == (d_k >= 128)


@for_all("d_k", [1, 1024])
def test_d_k_widens_the_histogram_of_raw_scores_only(open_page: Open, d_k: int) -> None:
    at = open_page("scaling", lang="zh")
    at.select_slider(key="d_k").set_value(d_k).run()
    assert not at.exception
    assert at.query_params["d_k"] == str(d_k)
    both = charts(at)[0]
    upper, _, lower, _ = both["data"]
    assert both["layout"]["xaxis"]["range"] == [-100, 100]
    assert "xaxis2" not in both["layout"]
    assert (upper["yaxis"], lower["yaxis"]) == ("y", "y2")
    assert upper["width"] * 41 / 8 == pytest.approx(math.sqrt(d_k))
    assert lower["width"] * 41 / 8 == pytest.approx(1)
    Q, K = drawn()
    spread = math.sqrt(np.square((Q[:, :d_k] * K[:, :d_k]).sum(axis=1)).mean())
    shown = [title["text"].split()[-1] for title in both["layout"]["annotations"]]
    assert shown == [f"{spread:.2f}", f"{spread / math.sqrt(d_k):.2f}"]
    pointed = "更尖"
    assert (pointed in texts(at)) == (d_k == 1)


def test_the_curves_cover_every_d_k_and_mark_the_chosen_one(open_page: Open) -> None:
    at = open_page("scaling", lang="en", d_k="16")
    for number in range(5):
        for line in charts(at)[3 + number]["data"][:2]:
            assert line["x"] == list(WIDTHS)
            sizes = line["marker"]["size"]
            assert sizes.index(max(sizes)) == WIDTHS.index(16)
    assert curve(at, 0, 2) == pytest.approx([math.sqrt(width) for width in WIDTHS])
    assert curve(at, 0, 0) == pytest.approx(curve(at, 0, 2), rel=0.07)
    assert curve(at, 0, 1) == pytest.approx([1] * 13, rel=0.07)
    assert curve(at, 1, 0)[-1] > 0.9 > 0.4 > curve(at, 1, 1)[-1]
    assert curve(at, 2, 0)[-1] < 0.3 < 2 < curve(at, 2, 1)[-1]
    assert curve(at, 3, 0)[-1] > 0.85 > 0.01 > curve(at, 3, 1)[-1]


@for_all(
    ("divisor", "spread", "said"),
    [
        ("d_k", 1 / 8, "Too much: the spread is 1/√d"),
        ("sqrt_d_model", 1 / math.sqrt(8), "Too much by √h"),
    ],
)
def test_another_divisor_changes_the_histogram_and_adds_a_curve(
    open_page: Open, divisor: str, spread: float, said: str
) -> None:
    at = open_page("scaling", lang="en", divisor=divisor)
    assert not at.exception
    assert said in texts(at)
    assert charts(at)[0]["data"][2]["width"] * 41 / 8 == pytest.approx(spread)
    assert len(charts(at)[4]["data"]) == 3
    assert len(charts(open_page("scaling", lang="en"))[4]["data"]) == 2


def test_scores_overflow_half_precision_before_scaling_and_not_after(open_page: Open) -> None:
    at = open_page("scaling", lang="en")
    table = at.table[-1].value
    float16 = table["float16"].tolist()
    assert float16[0] == "∞ →\xa0∞"
    assert float16[1] == "12\u202f800"  # 40 · 40 · 64 = 102,400; divided by 8
    assert "65\u202f504" in texts(at)
    assert not at.exception
    assert "the order matters" in texts(at)
    for entry, cell, said in (
        (10, "6\u202f400 →\xa0800", "every order fits"),
        (300, "∞ →\xa0∞", "no order saves"),
    ):
        at.select_slider(key="entry").set_value(entry).run()
        assert at.query_params["entry"] == str(entry)
        assert said in texts(at)
        assert at.table[-1].value["float16"].tolist()[0] == cell
        assert ("∞" in at.table[-1].value["float16"].tolist()[1]) == (entry == 300)
