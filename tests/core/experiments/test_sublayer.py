"""Dropout on the weights, the residual connection, and norms."""

import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Trace, Weights, multi_head_attention
from core.experiments.sublayer import (
    by_order,
    cosine,
    mean_and_deviation,
    moved,
    over_draws,
    seeded_feed_forward,
)
from core.options import AttentionOptions

N, HEADS, D_K, SEED, DRAWS = 5, 3, 7, 23, 200
D_MODEL = HEADS * D_K


def trace(dropout: float = 0.3, seed: int = SEED) -> Trace:
    X = np.random.default_rng(1).normal(size=(2, N, D_MODEL))
    weights = Weights.seeded(D_MODEL, HEADS, 3)
    return multi_head_attention(
        X, weights, AttentionOptions(dropout=dropout, seed=seed, residual=True)
    )


def test_over_draws_averages_consecutive_seeds():
    found = over_draws(trace()["weights"], 0.3, SEED, 3)
    each = [trace(seed=seed)["dropped"].tensor for seed in (SEED, SEED + 1, SEED + 2)]
    np.testing.assert_allclose(found.mean, sum(each) / 3, rtol=1e-12)


def test_the_expected_deviation_is_four_standard_errors():
    weights = trace()["weights"]
    many = over_draws(weights, 0.3, SEED, DRAWS)
    distance = np.abs(many.mean - weights.tensor)
    w = weights.tensor[np.unravel_index(distance.argmax(), distance.shape)]
    assert many.expected == pytest.approx(4 * w * math.sqrt(0.3 / 0.7 / DRAWS))
    assert 0 < many.farthest < many.expected


def test_without_dropout_every_draw_is_the_weights():
    weights = trace(0)["weights"]
    found = over_draws(weights, 0, SEED, 5)
    np.testing.assert_allclose(found.mean, weights.tensor, rtol=1e-12)
    assert found.expected == 0


def test_draws_out_of_range_are_refused():
    weights = trace()["weights"]
    for dropout, draws in ((1, 5), (-0.1, 5), (0.3, 0)):
        with refuses("out_of_range"):
            over_draws(weights, dropout, SEED, draws)


def test_the_cosine_of_rows_is_that_of_plain_loops():
    one, other = (np.random.default_rng(seed).normal(size=(2, 3, 5)) for seed in (1, 2))
    found = cosine(one, other)
    for i, j in np.ndindex(2, 3):
        a, b = one[i, j].tolist(), other[i, j].tolist()
        dot = math.fsum(x * y for x, y in zip(a, b, strict=True))
        assert found[i, j] == pytest.approx(dot / math.hypot(*a) / math.hypot(*b))
    assert np.isnan(cosine(one, np.zeros_like(one))).all(), "a zero vector points nowhere"
    np.testing.assert_allclose(cosine(one, 3 * one), 1)
    np.testing.assert_allclose(cosine(one / 100, one / 100), 1)
    np.testing.assert_allclose(cosine(one, -one), -1)


def test_mean_and_deviation_are_those_of_a_row_of_whole_numbers():
    mean, deviation = mean_and_deviation(np.array([[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]]))
    assert (mean.tolist(), deviation.tolist()) == ([5], [2])


def test_a_row_is_multiplied_first_and_then_shifted():
    assert moved(np.array([[1.0, -2.0]]), 3, 5).tolist() == [[8, -1]]


WIDTH = 6
WEIGHTS = Weights.seeded(WIDTH, 2, 7)


@for_all("dropout", [0.0, 0.3])
def test_post_norm_pre_norm_and_rms_norm_by_hand(dropout):
    X = np.random.default_rng(1).normal(size=(1, N, WIDTH))
    options = AttentionOptions(dropout=dropout, seed=3, residual=True)
    found = by_order(multi_head_attention(X, WEIGHTS, options), WEIGHTS, options)

    def sublayer(x):
        again = AttentionOptions(dropout=dropout, seed=3)
        return multi_head_attention(x[None], WEIGHTS, again)["output"].tensor[0]

    def layer_norm(x):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)

    x = X[0]
    rms = x / np.sqrt(np.square(x).mean(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(found["post"], layer_norm(x + sublayer(x)), atol=1e-12)
    np.testing.assert_allclose(found["pre"], x + sublayer(layer_norm(x)), atol=1e-12)
    np.testing.assert_allclose(found["rms"], x + sublayer(rms), atol=1e-12)
    assert np.abs(found["post"].mean(axis=1)).max() < 1e-12
    assert np.abs(found["pre"].mean(axis=1)).max() > 0.05


def test_the_seeded_feed_forward_layer_is_four_times_as_wide():
    layer = seeded_feed_forward(WIDTH, 7)
    assert layer.W_1.shape == (WIDTH, 4 * WIDTH) and layer.W_2.shape == (4 * WIDTH, WIDTH)
    X = np.random.default_rng(2).normal(size=(1, N, WIDTH))
    stages = [multi_head_attention(x, WEIGHTS)["X"] for x in (X, X[:, 2:3])]
    whole, alone = ({s.key: s.tensor for s in layer.stages(stage)} for stage in stages)
    by_hand = np.maximum(X[0] @ layer.W_1, 0) @ layer.W_2
    np.testing.assert_allclose(whole["output"][0], by_hand, atol=1e-12)
    assert alone["output"][0, 0] == pytest.approx(whole["output"][0, 2])
