import math
import re

import numpy as np
from page_reader import Open, charts, microscope, texts, unmarked
from streamlit.testing.v1 import AppTest

from core.models.checkpoint import Checkpoint


def tables(at: AppTest, chart: int) -> np.ndarray:
    """The heads of one of the charts: (head, query, key), nan where a cell is empty."""
    return np.array([table["z"] for table in charts(at)[chart]["data"]], float)


def boxes(at: AppTest, chart: int) -> int:
    return sum(shape["type"] == "rect" for shape in charts(at)[chart]["layout"]["shapes"])


def test_a_first_look_sets_one_shared_head_beside_the_trained_two(
    open_page: Open, decoder: Checkpoint
) -> None:
    at = open_page("grouped_query", lang="en")
    assert not at.exception
    assert [boxes(at, 0), boxes(at, 1)] == [2, 1]
    trained, chosen, difference = (tables(at, chart) for chart in range(3))
    assert trained.shape == (4, 11, 11)
    np.testing.assert_allclose(difference, chosen - trained, atol=1e-6)
    np.testing.assert_allclose(np.nansum(chosen, axis=-1), 1, rtol=1e-5)
    expected = decoder.run("The cat sat on the mat because it was warm", 4)
    seen = np.where(np.tri(11) > 0, expected["encoder/4/self/weights"].tensor[0], np.nan)
    np.testing.assert_allclose(trained, seen, atol=1e-6)
    said = re.search(r"change by up to (\S+), .* from (\S+) to ([\d.]+):", texts(at))
    assert said
    change, before, after = map(float, said.groups())
    assert change == round(np.nanmax(np.abs(difference)), 2)
    logs = decoder.log_probabilities("The cat sat on the mat because it was warm")
    assert before == round(math.exp(-logs.mean()), 2) < after


def test_copies_of_the_trained_heads_change_nothing_and_cost_twice_the_cache(
    open_page: Open,
) -> None:
    at = open_page("grouped_query", lang="zh", kv_heads="4", text="我爱北京", layer="2")
    assert not at.exception
    assert [boxes(at, 0), boxes(at, 1)] == [2, 4]
    np.testing.assert_allclose(tables(at, 0), tables(at, 1), atol=1e-5)
    rows = at.table[0].value
    columns = [list(rows[name]) for name in rows]
    parameters, cache = (columns[i] for i in (2, 4))
    # 6 layers · 192 · (48 + 48) a head of K and V; 6 layers · 96 numbers · 2 bytes
    assert [int(re.sub(r"\D", "", text)) for text in parameters] == [442368, 221184, 110592]
    assert cache == ["4.6 kB", "2.3 kB", "1.2 kB"]
    assert columns[5][0] == columns[5][1] != columns[5][2]  # perplexity


def test_the_trained_number_is_shown_alone(open_page: Open) -> None:
    at = open_page("grouped_query", lang="en", kv_heads="2")
    assert len(charts(at)) == 2  # and that of the cache
    assert "trained like this: 4 query heads on 2" in texts(at)


def test_the_named_model_has_its_cache_at_its_longest_text(open_page: Open) -> None:
    at = open_page("grouped_query", lang="en")
    rows = at.table[1].value
    cache = [str(text).replace("\\", "") for text in rows["Cache"]]
    assert cache == ["68.7 GB", "17.2 GB", "2.1 GB"]  # 64, 16 and 2 GiB
    said = unmarked("\n".join(caption.value for caption in at.caption))
    assert "Llama 3.1 8B: 32 layers, 32 query heads, dk = 128" in said


def test_the_microscope_opens_a_score_through_the_shared_head(open_page: Open) -> None:
    shown = microscope(open_page("grouped_query", lang="en", stage="scores", head="4"))
    assert "kv_head" in shown.header["stages"]["K_rotated"]["roles"]
    assert not shown.steps["scores"]
