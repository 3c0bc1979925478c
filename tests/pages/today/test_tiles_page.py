import math
from typing import Any

import numpy as np
import pytest
from decoder_reader import TEXT, cells, number
from page_reader import Open, charts, component_data, texts
from streamlit.testing.v1 import AppTest

from core import Trace
from core.models.opened_model import Checkpoint


@pytest.fixture(scope="module")
def layer(decoder: Checkpoint) -> Trace:
    return decoder.attention(TEXT, 4).trace()


def tiles(at: AppTest) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = component_data(at, "grids")[0]["grids"]
    return found


def test_the_first_run_shows_the_second_tile_of_the_last_query(
    open_page: Open, layer: Trace
) -> None:
    at = open_page("tiles", lang="en")
    assert not at.exception
    scores = layer["scaled"].tensor[0, 0, 10].astype(float)
    shown = tiles(at)
    assert [len(tile["columns"]) for tile in shown] == [3, 3, 3, 2]
    assert [tile["marked"][0][0] for tile in shown] == [False, True, False, False]
    assert [tile["covered"][0][0] for tile in shown] == [False, False, True, True]
    read = [number(one) for tile in shown[:2] for one in tile["printed"][0]]
    assert read == pytest.approx(scores[:6], abs=0.0051)
    old, new = scores[:3].max(), scores[:6].max()
    assert new > old, "the example shows a correction"
    factor = math.exp(old - new)
    total = sum(math.exp(score - new) for score in scores[:6])
    assert f"multiplied by {factor:.3f}" in texts(at)
    assert f"= {total:.2f}" in texts(at)
    table = at.table[0].value
    assert [number(one) for one in table["m"]] == pytest.approx([old, new, scores.max()], abs=0.006)
    whole = sum(math.exp(score - scores.max()) for score in scores)
    assert number(table["l"].iloc[-1]) == pytest.approx(whole, abs=0.006)


def test_the_bars_are_the_weighted_mean_of_the_values_so_far(open_page: Open, layer: Trace) -> None:
    V = layer["V"].tensor[0, 0]
    weights = np.exp(layer["scaled"].tensor[0, 0, 10].astype(float))
    final = layer["head_output"].tensor[0, 0, 10]
    for tile, keys in (("1", 3), ("3", 9), ("4", 11)):
        bars, marks = charts(open_page("tiles", lang="en", tile=tile))[0]["data"]
        expected = weights[:keys] @ V[:keys] / weights[:keys].sum()
        assert bars["y"] == pytest.approx(expected, abs=1e-5)
        assert marks["y"] == pytest.approx(final, abs=1e-6)
    assert bars["y"] == pytest.approx(final, abs=1e-5)


def test_buttons_change_the_tile(open_page: Open) -> None:
    at = open_page("tiles", lang="en")
    at.button(key="tile_on").click().run()
    assert at.query_params["tile"] == "3"
    at.button(key="tile_on").click().run()
    assert at.button(key="tile_on").disabled
    assert "That was the last tile" in texts(at)
    at.button(key="tile_back").click().run()
    assert at.query_params["tile"] == "3"


def test_a_block_has_several_queries_and_the_map_has_all_tiles(open_page: Open) -> None:
    at = open_page("tiles", lang="en", tile_queries="4", tile_keys="4", tile="3")
    assert [len(tile["printed"]) for tile in tiles(at)] == [3, 3, 3], "queries 9, 10 and 11"
    (order,) = component_data(at, "grids")[1]["grids"]
    assert order["printed"] == [["1", "∞", "∞"], ["2", "3", "∞"], ["4", "5", "6"]]
    assert order["marked"] == [[False] * 3, [False] * 3, [False, False, True]]
    assert "3 of 9" in order["note"]


def test_backwards_tiles_run_by_keys_and_split_k_merges_parts(open_page: Open) -> None:
    at = open_page("tiles", lang="en", tile_queries="4", tile_keys="4", head="1", row="11")
    by_key = {len(data["grids"]): data["grids"] for data in component_data(at, "grids")}
    forwards, backwards = by_key[2]
    assert forwards["printed"] == [["1", "∞", "∞"], ["2", "3", "∞"], ["4", "5", "6"]]
    assert backwards["printed"] == [["1", "∞", "∞"], ["2", "4", "∞"], ["3", "5", "6"]]
    assert "Here 11 numbers are kept instead of 121" in texts(at)
    shares = [float(row[-1].replace("%", "").strip()) for row in cells(at, 1)]
    assert len(shares) == 3 and sum(shares) == pytest.approx(100, abs=1)
    assert "FlashAttention of 2022 moves more" in texts(at)
