import numpy as np
import pytest
from page_reader import Open, printed, texts, titled

from core import Trace, Weights, multi_head_attention
from core.options import AttentionOptions
from core.sources import text
from pages.understand.around.cards import cosines
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


def test_the_mean_of_many_dropout_masks_is_near_the_weights(open_page: Open) -> None:
    grids = titled(open_page("around", lang="en"))
    mean = printed(grids["mean of 200 draws"])
    assert np.abs(mean - printed(grids["weights"])).max() < 0.1
    assert np.abs(printed(grids["dropped"]) - printed(grids["weights"])).max() > 0.1


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


def test_without_dropout_the_weights_are_passed_on_unchanged(open_page: Open) -> None:
    at = open_page("around", lang="zh", p="0.0")
    assert not at.exception
    grids = titled(at)
    assert grids["dropped"]["printed"] == grids["weights"]["printed"]
    assert WORDS["zh"].not_dropped in texts(at)


def test_a_mask_that_drops_every_weight_is_described(open_page: Open) -> None:
    assert not computed(0.9, 0)["keep"].tensor.any()
    at = open_page("around", lang="zh", p="0.9", draw="0")
    assert WORDS["zh"].all_dropped.format(count=9) in texts(at)
    grids = titled(at)
    assert grids["residual"]["printed"] == grids["X"]["printed"]


def test_layer_norm_is_invariant_to_shift_and_factor_while_epsilon_is_small(
    open_page: Open,
) -> None:
    at = open_page("around", lang="en", factor="100.0", shift="-10")
    assert not at.exception
    grids = titled(at)
    moved = printed(grids["residual × 100 − 10"])
    np.testing.assert_allclose(moved, 100 * printed(grids["residual"]) - 10, atol=1)
    assert grids["LayerNorm of that"]["printed"] == grids["normalised"]["printed"]
    assert "the same rows" in texts(at)
    at.select_slider(key="factor").set_value(0.001).run()
    grids = titled(at)
    assert grids["LayerNorm of that"]["printed"] != grids["normalised"]["printed"]
    assert "1.0·10⁻⁵" in texts(at)


@pytest.mark.parametrize("sentence", ["海", "a " * 64])
def test_the_shortest_and_the_longest_sentence_are_shown(open_page: Open, sentence: str) -> None:
    at = open_page("around", lang="en", text=sentence)
    assert not at.exception
    assert len(titled(at)["X"]["rows"]) == len(sentence.split())


def test_a_row_of_zeros_has_no_cosine() -> None:
    assert cosines(np.array([np.nan, 0.0, 1.0]), WORDS["en"]) == ["cos —", "cos 0.00", "cos 1.00"]
