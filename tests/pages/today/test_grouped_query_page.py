import re
from collections.abc import Callable

import numpy as np
from decoder_reader import TEXT, cells, counts, maps
from page_reader import Open, charts, microscope, texts
from streamlit.testing.v1 import AppTest

from core.models.opened_model import Checkpoint


def boxes(at: AppTest, chart: int) -> int:
    return sum(shape["type"] == "rect" for shape in charts(at)[chart]["layout"]["shapes"])


def test_the_first_run_compares_the_trained_two_kv_heads_with_one(
    open_page: Open, decoder: Checkpoint, perplexity: Callable[..., str]
) -> None:
    at = open_page("grouped_query", lang="en")
    assert not at.exception
    assert [boxes(at, 0), boxes(at, 1)] == [2, 1]
    trained, chosen, difference = (maps(at, chart) for chart in range(3))
    assert trained.shape == (4, 11, 11)
    np.testing.assert_allclose(difference, chosen - trained, atol=1e-6)
    np.testing.assert_allclose(np.nansum(chosen, axis=-1), 1, rtol=1e-5)
    weights = decoder.run(TEXT, 4)["encoder/4/self/weights"].tensor[0]
    np.testing.assert_allclose(trained, np.where(np.tri(11) > 0, weights, np.nan), atol=1e-6)
    found = re.search(r"change by up to (\S+), .* from (\S+) to ([\d.]+):", texts(at))
    assert found
    change, before, after = found.groups()
    assert float(change) == round(np.nanmax(np.abs(difference)), 2)
    assert before == perplexity()
    assert float(before) < float(after)


def test_copies_of_the_trained_heads_change_no_weight_and_double_the_cache(
    open_page: Open,
) -> None:
    at = open_page("grouped_query", lang="zh", kv_heads="4", text="我爱北京", layer="2")
    assert not at.exception
    assert [boxes(at, 0), boxes(at, 1)] == [2, 4]
    np.testing.assert_allclose(maps(at, 0), maps(at, 1), atol=1e-5)
    _, _, parameters, _, cache, perplexities = cells(at, 0).T
    # 6 layers · 192 · (48 + 48) a head of K and V; 6 layers · 96 numbers · 2 bytes
    assert counts(parameters) == [442368, 221184, 110592]
    assert cache.tolist() == ["4.6 kB", "2.3 kB", "1.2 kB"]
    assert perplexities[0] == perplexities[1] != perplexities[2]


def test_the_trained_number_of_heads_has_no_second_chart(open_page: Open) -> None:
    at = open_page("grouped_query", lang="en", kv_heads="2")
    assert len(charts(at)) == 2  # and that of the cache
    assert "trained like this: 4 query heads on 2" in texts(at)


def test_the_microscope_has_the_shared_head_as_an_axis(open_page: Open) -> None:
    shown = microscope(open_page("grouped_query", lang="en", stage="scores", head="4"))
    assert "kv_head" in shown.header["stages"]["K_rotated"]["roles"]
    assert not shown.steps["scores"]
