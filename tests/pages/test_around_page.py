import numpy as np
import pytest
from page_reader import Open, printed, texts, titled

from core import Trace, Weights, multi_head_attention
from core.options import AttentionOptions
from core.sources import text
from views.navigation import PAGES
from views.text import words_beside

WORDS = words_beside(PAGES["around"])


def computed(p: float = 0.3, draw: int = 10, sentence: str = "我爱北京") -> Trace:
    source = text.embed(text.read(sentence, "word"), 4, 7)
    weights = Weights.seeded(4, 1, 7)
    return multi_head_attention(
        source, weights, AttentionOptions(dropout=p, seed=draw, residual=True)
    )


def test_a_first_look_shows_every_step_before_and_after(open_page: Open) -> None:
    at = open_page("around", lang="zh")
    assert not at.exception
    grids, trace = titled(at), computed()
    for key in ("weights", "dropped", "X", "output", "residual", "normalised"):
        expected = trace[key].tensor
        expected = expected[0, 0] if expected.ndim == 4 else expected[0]
        np.testing.assert_allclose(printed(grids[key]), expected, atol=0.0051)
    again = printed(grids[WORDS["zh"].again])
    np.testing.assert_array_equal(again, printed(grids["normalised"]))
    assert grids["weights"]["after"] == ["Σ 1.00"] * 3
    assert "Σ 1.00" not in grids["dropped"]["after"]
    spread = WORDS["zh"].spread.format(mean="0.00", deviation="1.00")
    assert grids["normalised"]["after"] == [spread] * 3
    dropped = int((~trace["keep"].tensor).sum())
    first = WORDS["zh"].dropped_reads.split(".")[0].split("，")[0]
    assert first.format(dropped=dropped, count=9, factor="1.43").strip() in texts(at)


def test_another_seed_changes_the_dropped_weights_and_later_steps_only(
    open_page: Open,
) -> None:
    at = open_page("around", lang="en")
    before = titled(at)
    at.number_input(key="draw").set_value(11).run()
    after = titled(at)
    assert at.query_params["draw"] == "11"
    for key in ("dropped", "output", "residual", "normalised"):
        assert before[key]["printed"] != after[key]["printed"]
    for key in ("weights", "X"):
        assert before[key]["printed"] == after[key]["printed"]


def test_a_mask_that_drops_every_weight_is_described(open_page: Open) -> None:
    assert not computed(0.9, 0)["keep"].tensor.any()
    at = open_page("around", lang="zh", p="0.9", draw="0")
    assert WORDS["zh"].all_dropped.format(count=9) in texts(at)
    grids = titled(at)
    assert grids["residual"]["printed"] == grids["X"]["printed"]


@pytest.mark.parametrize("sentence", ["海", "a " * 64])
def test_the_shortest_and_the_longest_sentence_are_shown(open_page: Open, sentence: str) -> None:
    at = open_page("around", lang="en", text=sentence)
    assert not at.exception
    assert len(titled(at)["X"]["rows"]) == len(sentence.split())
