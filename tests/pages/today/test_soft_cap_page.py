from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from claims import for_all
from decoder_reader import TEXT, cells, number
from page_reader import Open, charts, microscope, texts

from core.models.altered import Attention
from core.models.opened_model import Checkpoint


def longer(attention: Attention, factor: float) -> Attention:
    weights = attention.weights
    return replace(attention, weights=replace(weights, W_Q=weights.W_Q * np.float32(factor)))


def test_the_first_run_caps_the_scores_of_longer_queries_in_one_row(
    open_page: Open, decoder: Checkpoint, perplexity: Callable[..., str]
) -> None:
    at = open_page("soft_cap", lang="en")
    assert not at.exception
    free = longer(decoder.attention(TEXT, 4), 4)
    capped = free.with_options(soft_cap=5.0)
    scores, weights = charts(at)[:2]
    for i, (attention, last) in enumerate(((free, "scaled"), (capped, "capped"))):
        for chart, key in ((scores, last), (weights, "weights")):
            expected = attention.trace()[key].tensor[0, 3, 10]
            assert chart["data"][i]["y"] == pytest.approx(expected, rel=1e-4, abs=1e-6)
        p = attention.trace()["weights"].tensor[0, 3, 10].astype(float)
        p = p[p > 0]
        _, largest, entropy, *_ = cells(at, 0)[i + 1]
        assert number(largest) == pytest.approx(p.max(), abs=0.006)
        assert number(entropy) == pytest.approx(-(p * np.log2(p)).sum(), abs=0.006)
    for change in (
        lambda attention: attention,
        lambda attention: longer(attention, 4),
        lambda attention: longer(attention, 4).with_options(soft_cap=5.0),
    ):
        assert perplexity(change) in texts(at)


@for_all(
    ("limit", "stage", "en"),
    [("soft_cap", "capped", "none can pass 5"), ("qk_norm", "Q_normed", "factor 4 cancels out"),
     ("sink", "sinks", "(a score before softmax) of 4"), ("temperature", "scaled", "divided by 4"),
     ("none", "weights", "No brake is on")],
)  # fmt: skip
def test_each_limit_is_described_and_has_its_stage_in_the_microscope(
    open_page: Open, limit: str, stage: str, en: str
) -> None:
    at = open_page("soft_cap", lang="en", limits=limit)
    assert not at.exception
    assert en in texts(at)
    assert stage in microscope(at).header["stages"]


def test_the_sink_has_a_bar_of_its_weight(open_page: Open) -> None:
    at = open_page("soft_cap", lang="en", limits="sink", sink="8", factor="1")
    free, limited = charts(at)[1]["data"]
    assert charts(at)[1]["layout"]["xaxis"]["ticktext"][-1] == "(sink)"
    assert sum(limited["y"]) == pytest.approx(1, abs=1e-6)
    assert limited["y"][-1] > 0.9
    assert free["y"][-1] == 0


def test_the_curves_over_the_factor_pass_through_the_measures_of_the_row(open_page: Open) -> None:
    at = open_page("soft_cap", lang="en", limits="soft_cap,temperature", factor="8")
    entropy, gradient = charts(at)[-2:]
    measured = cells(at, 0)
    for chart, column in ((entropy, 2), (gradient, 4)):
        for line, row in zip(chart["data"], (1, 2), strict=True):
            found = np.interp(np.log(8), np.log(line["x"]), line["y"])
            assert found == pytest.approx(number(measured[row, column]), abs=0.02)


def test_controls_write_the_link(open_page: Open) -> None:
    at = open_page("soft_cap", lang="en")
    at.select_slider(key="factor").set_value(0.5).run()
    at.select_slider(key="cap").set_value(2.0).run()
    assert (at.query_params["factor"], at.query_params["cap"]) == ("0.5", "2")
    again = open_page("soft_cap", lang="en", factor="0.5", cap="2")
    assert charts(again)[0]["data"][1]["y"] == charts(at)[0]["data"][1]["y"]
