"""Hidden tokens: they do not count for colours, and their numbers are sent unchanged."""

import math
from dataclasses import asdict
from functools import cache

import numpy as np
import pytest
from blob_reader import unpacked
from claims import for_all
from shown_traces import TOKENS, many_patches, sentence

from core import scaled_dot_product_attention
from core.options import AttentionOptions
from views.figures.scale import scale_of
from views.scene import arrays
from views.scene.scene import scene
from views.text import LANGUAGES

STEPS = ("X", "scores", "weights")
HIDDEN = [(0,), (TOKENS - 1,), (0, TOKENS - 1), (2, 3), (1, 3, 4)]
SHARES, SCORES = ("weights", "dropped"), ("scores", "scaled", "masked")


@cache
def attended(queries, keys=None, heads=3, **options):
    draw = np.random.default_rng(1)
    Q, K = (draw.normal(size=(1, heads, n, 5)) for n in (queries, keys or queries))
    return scaled_dot_product_attention(Q, K, K, AttentionOptions(**options))


def sent(trace, hidden, key="weights", head=0):
    return unpacked(scene(trace, key, 0, head, STEPS, LANGUAGES["en"], hidden=hidden))


def largest_shown(trace, keys, hidden):
    """By plain loops over queries and keys."""
    found = 0.0
    for key in keys:
        for index, value in np.ndenumerate(trace[key].tensor):
            if not {index[-1], index[-2]} & set(hidden) and math.isfinite(value):
                found = max(found, abs(float(value)))
    return found


@for_all("hidden", HIDDEN)
def test_where_queries_meet_keys_the_colours_reach_as_far_as_what_is_shown(hidden):
    trace = sentence()
    limit = largest_shown(trace, SCORES, hidden)
    assert {scale_of(trace, key, hidden).high for key in SCORES} == {limit}
    (high,) = {scale_of(trace, key, hidden).high for key in SHARES}
    most = largest_shown(trace, SHARES, hidden)
    assert most <= high <= 2.5 * most


def test_hiding_the_token_that_takes_most_makes_the_others_colours_stronger():
    weights = np.array([[0.9, 0.06, 0.04], [0.95, 0.02, 0.03], [0.85, 0.1, 0.05]])
    Q, K = np.eye(3)[None, None], np.log(weights).T[None, None]
    trace = scaled_dot_product_attention(Q, K, K, AttentionOptions(scale=1.0))
    np.testing.assert_allclose(trace["weights"].tensor[0, 0], weights, atol=1e-6)
    whole, rest = scale_of(trace, "weights"), scale_of(trace, "weights", (0,))
    assert whole.high > rest.high
    shown = trace["weights"].tensor[0, 0, 1:, 1:]
    assert (rest.positions(shown) > whole.positions(shown)).all()


@for_all("hidden", HIDDEN)
def test_the_header_has_the_positions_and_the_scales(hidden):
    header, _ = sent(sentence(), hidden)
    assert tuple(header["hidden"]) == hidden
    for key, data in header["stages"].items():
        scale = scale_of(sentence(), key, hidden)
        assert data["scale"] == asdict(scale) | {"ticks": list(scale.ticks)}


@pytest.mark.parametrize("trace", [sentence, many_patches])
def test_every_number_is_sent_as_if_nothing_were_hidden(trace):
    (whole, numbers), (veiled, same) = sent(trace(), ()), sent(trace(), (0, 5))
    assert whole["stored"] == veiled["stored"]
    assert numbers.keys() == same.keys()
    for name in numbers:
        if not name.endswith(".thumbnails"):
            np.testing.assert_array_equal(numbers[name], same[name])


def test_a_cell_of_a_small_picture_that_stands_for_several_is_the_mean_of_those_that_are_shown():
    """Of 96 × 96 it stands for four; of those at an edge two are hidden, of a corner three."""
    trace, hidden = attended(96), (0, 95)
    found = arrays.thumbnails(trace, "weights", 0, hidden)
    levels = np.maximum(scale_of(trace, "weights", hidden).positions(trace["weights"].tensor[0]), 1)
    for head in range(3):
        for row, column in ((0, 0), (0, 7), (31, 47), (47, 47), (11, 5)):
            four = [
                int(levels[head, i, j])
                for i in (2 * row, 2 * row + 1)
                for j in (2 * column, 2 * column + 1)
                if not {i, j} & set(hidden)
            ]
            assert abs(found[head, row, column] - sum(four) / len(four)) <= 1  # Pillow rounds


def test_a_cell_of_a_small_picture_is_masked_where_more_than_half_of_what_it_shows_is():
    trace, hidden = attended(96, causal=True), (0,)
    found = arrays.thumbnails(trace, "weights", 0, hidden)[0]
    for row in range(48):
        for column in range(48):
            allowed = [
                j <= i
                for i in (2 * row, 2 * row + 1)
                for j in (2 * column, 2 * column + 1)
                if not {i, j} & set(hidden)
            ]
            assert (found[row, column] == 0) == (2 * sum(allowed) < len(allowed))


def test_thumbnails_are_sent_in_the_colours_of_their_scale():
    trace, hidden = many_patches(), (0, 5)
    _, found = sent(trace, hidden)
    small = found["weights.thumbnails"]
    assert (small == arrays.thumbnails(trace, "weights", 0, hidden)).all()
    assert (small != arrays.thumbnails(trace, "weights", 0)).any()


def test_hidden_tokens_do_not_count_for_the_scale_of_a_large_plane():
    draw = np.random.default_rng(1)
    Q, K = (draw.normal(size=(1, 2, 257, 5)) for _ in "QK")
    Q[:, :, 0] *= 10  # what is hidden has by far the largest scores
    trace = scaled_dot_product_attention(Q, K, K)
    header, _ = sent(trace, (0,), "scores", 1)
    scores = trace["scores"].tensor[0]
    high = np.abs(scores[:, 1:, 1:]).max()
    assert 2 * high < np.abs(scores).max()
    assert header["stages"]["scores"]["scale"]["high"] == pytest.approx(high)
