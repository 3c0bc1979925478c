import re
from functools import partial
from typing import Any

import numpy as np
import pytest
from page_reader import Open, charts, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models.altered import with_positions
from core.models.checkpoint import Checkpoint

TEXT = "The cat sat on the mat because it was warm"


def tables(at: AppTest, chart: int) -> list[np.ndarray]:
    return [np.array(table["z"], float) for table in charts(at)[chart]["data"]]


def turning(at: AppTest) -> dict[str, Any]:
    (data,) = component_data(at, "rotary")
    found: dict[str, Any] = data
    return found


def test_a_first_look_hands_the_browser_a_query_and_a_key_before_they_are_turned(
    open_page: Open, decoder: Checkpoint
) -> None:
    data = turning(open_page("rotary", lang="en", of_head="3"))
    trace = decoder.run(TEXT, 4)
    Q, K, scaled = (trace[f"encoder/4/self/{key}"].tensor[0] for key in ("Q", "K", "scaled"))
    assert data["names"] == ["␣it", "␣cat"]
    assert data["at"] == [8, 2]
    np.testing.assert_allclose(data["q"], Q[2, 8], atol=1e-6)
    np.testing.assert_allclose(data["k"], K[1, 2], atol=1e-6)  # heads 3 and 4 share the second
    np.testing.assert_allclose(data["freq"], 10000.0 ** (-np.arange(24) / 24))
    pairs = np.array(data["q"])[:24] + 1j * np.array(data["q"])[24:]
    keys = np.array(data["k"])[:24] + 1j * np.array(data["k"])[24:]
    turned = pairs * keys.conj() * np.exp(6j * np.array(data["freq"]))
    assert turned.real.sum() / np.sqrt(48) == pytest.approx(float(scaled[2, 8, 2]), abs=1e-4)


def test_only_positions_that_turn_or_alibis_are_the_same_along_a_diagonal(open_page: Open) -> None:
    at = open_page("rotary", lang="en")
    rotary, sinusoids, alibi, none = tables(at, 0)
    spread = [
        max(np.ptp(np.diagonal(table, -d)) for d in range(24))
        for table in (rotary, sinusoids, alibi, none)
    ]
    assert spread[0] < 1e-5
    assert spread[1] > 1
    assert spread[2] == spread[3] == 0
    assert f"with sinusoids added to X by {spread[1]:.2f}" in texts(at)
    assert len(np.unique(none[np.isfinite(none)])) == 1


def test_moving_the_whole_sentence_changes_nothing_and_other_positions_do(
    open_page: Open, decoder: Checkpoint
) -> None:
    largest = {}
    for kind in ("moved", "none", "sinusoids", "alibi"):
        at = open_page("rotary", lang="en", kind=kind)
        assert not at.exception
        trained, chosen, difference = (np.array(tables(at, chart)) for chart in (1, 2, 3))
        np.testing.assert_allclose(difference, chosen - trained, atol=1e-6)
        largest[kind] = np.nanmax(np.abs(difference))
        assert kind == "moved" or f"{largest[kind]:.2f}" in texts(at)
        told = decoder.log_probabilities(TEXT, partial(with_positions, kind=kind))
        said = [chart.proto.alt for chart in at.get("plotly_chart")]
        assert any(
            f", perplexity {np.exp(-told.mean()):.2f}" in one
            for one in said
            if "trained" not in one
        ), kind
    assert largest.pop("moved") < 1e-5
    assert min(largest.values()) > 0.5


def test_the_reader_s_positions_and_pair_are_in_the_link_and_go_back(open_page: Open) -> None:
    at = open_page("rotary", lang="en", at="40,12", pair="7", query="11", key="5")
    data = turning(at)
    assert (data["at"], data["pair"], data["names"]) == ([40, 12], 6, ["␣warm", "␣on"])
    (back,) = [button for button in at.button if "own places" in button.label]
    back.click().run()
    assert turning(at)["at"] == [10, 4]
    assert "at" not in at.query_params


def test_a_shorter_sentence_keeps_the_page(open_page: Open) -> None:
    at = open_page("rotary", lang="zh", text="我爱北京")
    assert not at.exception
    data = turning(at)
    assert 0 <= data["at"][1] <= data["at"][0] < len(charts(at)[1]["data"][0]["z"])


def test_the_microscope_begins_where_queries_are_turned(open_page: Open) -> None:
    shown = microscope(open_page("rotary", lang="en"))
    assert shown.chosen["stage"] == "Q_rotated"
    assert {"cos", "sin", "K_rotated"} <= set(shown.header["stages"])


def test_positions_that_are_turned_cost_no_parameter_and_no_cache(open_page: Open) -> None:
    value = open_page("rotary", lang="en").table[0].value
    names, parameters, multiply_adds, cache = (list(value[name]) for name in value)
    assert names[2] == "**rotary**"
    assert [int(re.sub(r"\D", "", text)) for text in parameters] == [131_072 * 4096, 0, 0, 0]
    assert int(re.sub(r"\D", "", multiply_adds[2])) == 32 * (32 + 8) * 128 * 2
    assert {text.replace("\\", "") for text in cache} == {"17.2 GB"}
