from collections.abc import Callable
from typing import Any

import numpy as np
from decoder_reader import TEXT, maps
from page_reader import Open, charts, component_data, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models.opened_model import Checkpoint

TOKENS = 11


def heads(at: AppTest) -> np.ndarray:
    """As trained, as chosen, and the difference: (3, head, query, key)."""
    return np.stack([maps(at, chart) for chart in (1, 2, 3)])


def needed(at: AppTest) -> list[list[str]]:
    printed: list[list[str]] = component_data(at, "grids")[0]["grids"][0]["printed"]
    return printed


def test_the_first_run_shows_a_window_of_three_and_its_perplexity(
    open_page: Open, perplexity: Callable[..., str]
) -> None:
    at = open_page("sliding_window", lang="en")
    assert not at.exception
    last = needed(at)[-1]
    assert last == ["5", "5", "4", "4", "3", "3", "2", "2", "1", "1", "1"]
    assert needed(at)[0][1:] == ["∞"] * 10
    shown = texts(at)
    options: list[dict[str, Any]] = [{}, {"window": (2, -1)}, {"window": (2, -1), "sink_tokens": 1}]
    for chosen in options:
        assert perplexity(lambda attention, o=chosen: attention.with_options(**o)) in shown
    assert "66 pairs" in shown
    assert "30 with it" in shown  # 1 + 2 + 9 · 3
    assert "131\u202f041 tokens" in shown


def test_the_heatmaps_are_the_weights_of_the_decoder_and_their_difference(
    open_page: Open, decoder: Checkpoint
) -> None:
    at = open_page("sliding_window", lang="zh", text=TEXT, layer="2", window="2")
    trained = decoder.run(TEXT, 2)["encoder/2/self/weights"].tensor[0]
    narrow = decoder.attention(TEXT, 2).with_options(window=(1, -1)).trace()["weights"].tensor[0]
    trained_map, chosen_map, difference = heads(at)
    past = np.tri(TOKENS) > 0
    near = past & ~(np.tri(TOKENS, k=-2) > 0)
    for got, expected, drawn in (
        (trained_map, trained, past),
        (chosen_map, narrow, near),
        (difference, narrow - trained, past),
    ):
        np.testing.assert_allclose(got[:, drawn], expected[:, drawn], atol=1e-6)
        assert np.isnan(got[:, ~drawn]).all()
    edge = charts(at)[1]["layout"]["shapes"][0]
    assert (edge["xref"], edge["path"][:13]) == ("x", "M 0.5 1.5 V 2")
    outside = trained[:, 1:][:, (past & ~near)[1:]].sum() / (4 * (TOKENS - 1))
    assert f"{100 * outside:.0f}\u00a0%" in texts(at)


def test_the_microscope_opens_the_window_of_the_chosen_layer(open_page: Open) -> None:
    at = open_page("sliding_window", lang="en", layer="6", window="2", sinks="1")
    shown = microscope(at)
    assert shown.chosen["stage"] == "masked"
    assert {"sliding_window", "causal"} <= shown.header["stages"].keys()
    assert "layer 6 of 6" in shown.description()


def test_a_sink_and_a_global_token_need_fewer_layers(open_page: Open) -> None:
    at = open_page("sliding_window", lang="en", sinks="1")
    assert [row[0] for row in needed(at)] == ["1"] * 11
    at = open_page("sliding_window", lang="en", window="1", **{"global": "6"})
    assert needed(at)[-1][:6] == ["2", "2", "2", "2", "2", "1"]
    assert needed(at)[-1][6:10] == ["∞"] * 4


def test_the_paths_of_the_chosen_row_are_drawn(open_page: Open) -> None:
    at = open_page("sliding_window", lang="en", query="4", window="2")
    paths, nodes = charts(at)[0]["data"]
    ends = [pair for pair in zip(paths["x"], paths["y"], strict=True) if pair[1] == 6]
    assert ends == [(3, 6), (3, 6)]
    filled = [
        (x, y)
        for x, y, colour in zip(nodes["x"], nodes["y"], nodes["marker"]["color"], strict=True)
        if colour == nodes["marker"]["line"]["color"][-8]  # of the chosen token at the top
    ]
    assert {x for x, y in filled if y == 0} == {0, 1, 2, 3}
    assert {x for x, y in filled if y == 5} == {2, 3}
    marked = component_data(at, "grids")[0]["grids"][0]["marked"]
    assert [any(row) for row in marked].index(True) == 3


def test_a_window_as_wide_as_the_text_changes_no_weight(open_page: Open) -> None:
    at = open_page("sliding_window", lang="en", window="11")
    assert "leaves out nothing of this sentence" in texts(at)
    assert np.nanmax(np.abs(heads(at)[2])) == 0


def test_a_single_token_has_no_curve(open_page: Open) -> None:
    at = open_page("sliding_window", lang="zh", text="我")
    assert not at.exception
    assert len(needed(at)) == 2
