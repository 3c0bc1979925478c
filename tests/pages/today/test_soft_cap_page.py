from dataclasses import replace

import numpy as np
import pytest
from claims import for_all
from page_reader import Open, charts, microscope, texts

from core.models.altered import Attention
from core.models.checkpoint import Checkpoint

TEXT = "The cat sat on the mat because it was warm"


def number(printed: str) -> float:
    return float(printed.replace("\\", ""))


def longer(attention: Attention, factor: float) -> Attention:
    weights = attention.weights
    return replace(attention, weights=replace(weights, W_Q=weights.W_Q * np.float32(factor)))


def test_a_first_look_caps_longer_queries_in_one_row(open_page: Open, decoder: Checkpoint) -> None:
    at = open_page("soft_cap", lang="en")
    assert not at.exception
    free = longer(decoder.attention(TEXT, 4), 4)
    held = free.with_options(soft_cap=5.0)
    shown = charts(at)
    for chart, key in ((shown[0], "scaled"), (shown[1], "weights")):
        expected = free.trace()[key].tensor[0, 3, 10]
        assert chart["data"][0]["y"] == pytest.approx(expected, rel=1e-4, abs=1e-6)
    trace = held.trace()
    for chart, key in ((shown[0], "capped"), (shown[1], "weights")):
        expected = trace[key].tensor[0, 3, 10]
        assert chart["data"][1]["y"] == pytest.approx(expected, rel=1e-4, abs=1e-6)
    said = texts(at)
    for change in (
        lambda attention: attention,
        lambda attention: longer(attention, 4),
        lambda attention: longer(attention, 4).with_options(soft_cap=5.0),
    ):
        told = decoder.log_probabilities(TEXT, change)
        assert f"{np.exp(-told.mean()):.2f}" in said
    measured = at.table[0].value
    for row, found in ((1, free), (2, held)):
        p = found.trace()["weights"].tensor[0, 3, 10].astype(float)
        p = p[p > 0]
        assert number(measured.iloc[row, 1]) == pytest.approx(p.max(), abs=0.006)
        entropy = -(p * np.log2(p)).sum()
        assert number(measured.iloc[row, 2]) == pytest.approx(entropy, abs=0.006)


@for_all(
    ("limit", "stage", "en"),
    [("soft_cap", "capped", "none can pass 5"), ("qk_norm", "Q_normed", "factor 4 cancels out"),
     ("sink", "sinks", "one more logit of 4"), ("temperature", "scaled", "divided by 4"),
     ("none", "weights", "No brake is on")],
)  # fmt: skip
def test_each_limit_is_described_and_has_its_stage_in_the_microscope(
    open_page: Open, limit: str, stage: str, en: str
) -> None:
    at = open_page("soft_cap", lang="en", limits=limit)
    assert not at.exception
    assert en in texts(at)
    assert stage in microscope(at).header["stages"]


def test_all_limits_can_be_on_at_once(open_page: Open) -> None:
    at = open_page("soft_cap", lang="zh", limits="soft_cap,qk_norm,sink,temperature")
    assert not at.exception
    said = texts(at)
    assert [
        one for one in ("软上限：", "QK norm：", "注意力汇：", "温度：") if one not in said
    ] == []
    assert {"capped", "Q_normed", "sinks"} <= microscope(at).header["stages"].keys()


def test_the_sink_has_a_bar_of_what_it_takes(open_page: Open) -> None:
    at = open_page("soft_cap", lang="en", limits="sink", sink="8", factor="1")
    free, held = charts(at)[1]["data"]
    assert charts(at)[1]["layout"]["xaxis"]["ticktext"][-1] == "(sink)"
    assert sum(held["y"]) == pytest.approx(1, abs=1e-6)
    assert held["y"][-1] > 0.9
    assert free["y"][-1] == 0


def test_longer_queries_do_nothing_under_qk_norm(open_page: Open) -> None:
    rows = [
        charts(open_page("soft_cap", lang="en", limits="qk_norm", factor=factor))[1]["data"][1]["y"]
        for factor in ("1", "32")
    ]
    assert rows[0] == pytest.approx(rows[1], abs=1e-3)


def test_the_curves_over_the_factor_pass_through_the_row_that_is_shown(open_page: Open) -> None:
    at = open_page("soft_cap", lang="en", limits="soft_cap,temperature", factor="8")
    entropy, gradient = charts(at)[-2:]
    measured = at.table[0].value
    for chart, column in ((entropy, 2), (gradient, 4)):
        for line, row in zip(chart["data"], (1, 2), strict=True):
            found = np.interp(np.log(8), np.log(line["x"]), line["y"])
            assert found == pytest.approx(number(measured.iloc[row, column]), abs=0.02)


def test_what_was_not_trained_is_not_called_trained(open_page: Open) -> None:
    shown = microscope(open_page("soft_cap", lang="en", limits="qk_norm"))
    assert "γ = 1, caps and sinks were not trained" in shown.told()
    rules = {key: stage["rule"] for key, stage in shown.header["stages"].items()}
    assert rules["W_K"] == {"rule": "given", "what": "trained"}
    assert rules["gamma_Q"]["what"] == "input"
    assert rules["W_Q"]["rule"] == "product"
    named = {key: stage["name"] for key, stage in shown.header["stages"].items()}
    assert named["trained/W_Q"] == [["span", "W"], ["sup", "Q"], ["sub", "0"]]


def test_head_and_query_are_those_of_the_microscope(open_page: Open) -> None:
    at = open_page("soft_cap", lang="zh", stage="weights", head="2", row="6")
    assert len(charts(at)[0]["data"][0]["y"]) == 6
    (box,) = [box for box in at.selectbox if box.key.startswith("query_")]
    box.set_value(2).run()
    assert microscope(at).chosen["places"]["query"] == 2
    assert len(charts(at)[0]["data"][0]["y"]) == 3


def test_controls_write_the_address(open_page: Open) -> None:
    at = open_page("soft_cap", lang="en")
    at.select_slider(key="factor").set_value(0.5).run()
    at.select_slider(key="cap").set_value(2.0).run()
    assert (at.query_params["factor"], at.query_params["cap"]) == ("0.5", "2")
    again = open_page("soft_cap", lang="en", factor="0.5", cap="2")
    assert charts(again)[0]["data"][1]["y"] == charts(at)[0]["data"][1]["y"]
