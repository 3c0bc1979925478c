from typing import Any

import numpy as np
import pytest
from decoder_reader import TEXT
from page_reader import Open, charts, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models.opened_model import Checkpoint


def turning(at: AppTest) -> dict[str, Any]:
    (data,) = component_data(at, "rotary")
    found: dict[str, Any] = data
    return found


def test_the_browser_gets_a_query_and_a_key_before_rotation(
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
    rotated = pairs * keys.conj() * np.exp(6j * np.array(data["freq"]))
    assert rotated.real.sum() / np.sqrt(48) == pytest.approx(float(scaled[2, 8, 2]), abs=1e-4)


def test_positions_and_pair_come_from_the_link_and_can_be_reset(open_page: Open) -> None:
    at = open_page("rotary", lang="en", at="40,12", pair="7", query="11", key="5")
    data = turning(at)
    assert (data["at"], data["pair"], data["names"]) == ([40, 12], 6, ["␣warm", "␣on"])
    (back,) = [button for button in at.button if "own places" in button.label]
    back.click().run()
    assert turning(at)["at"] == [10, 4]
    assert "at" not in at.query_params


def test_a_shorter_sentence_has_positions_within_it(open_page: Open) -> None:
    at = open_page("rotary", lang="zh", text="我爱北京")
    assert not at.exception
    data = turning(at)
    assert 0 <= data["at"][1] <= data["at"][0] < len(charts(at)[2]["data"][0]["z"])


def test_the_microscope_starts_at_the_rotated_queries(open_page: Open) -> None:
    shown = microscope(open_page("rotary", lang="en"))
    assert shown.chosen["stage"] == "Q_rotated"
    assert {"cos", "sin", "K_rotated"} <= set(shown.header["stages"])


def test_which_numbers_pair_and_how_much_slower_each_pair_turns_is_drawn(open_page: Open) -> None:
    at = open_page("rotary", lang="en")
    assert "1 and 25, and so on" in texts(at) and "1.46" in texts(at)
    halves, neighbours = charts(at)[0]["data"][0]["z"]
    assert halves[0] == halves[24] == neighbours[0] == neighbours[1] == 1
    assert {len(row) for row in (halves, neighbours)} == {48}
    slowed = {line["name"]: line["y"] for line in charts(at)[-1]["data"]}
    assert {len(line) for line in slowed.values()} == {64}
    assert slowed["Llama 3.1"][0] == slowed["YaRN"][0] == 1
