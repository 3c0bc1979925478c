"""Around attention: dropout on the weights, the residual, and LayerNorm."""

import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Trace, Weights, multi_head_attention, ops
from core.around import LAYER_NORM_EPSILON
from core.experiments.dropout import over_draws
from core.experiments.row_statistics import cosine, mean_and_deviation, moved
from core.options import AttentionOptions

N, HEADS, D_K, SEED, DRAWS = 5, 3, 7, 23, 200
D_MODEL = HEADS * D_K


def trace(dropout: float = 0.3, seed: int = SEED) -> Trace:
    X = np.random.default_rng(1).normal(size=(2, N, D_MODEL))
    weights = Weights.seeded(D_MODEL, HEADS, 3)
    return multi_head_attention(
        X, weights, AttentionOptions(dropout=dropout, seed=seed, residual=True)
    )


def test_the_rows_of_one_draw_no_longer_sum_to_1():
    sums = trace()["dropped"].tensor.sum(axis=-1)
    assert np.abs(sums - 1).min() > 1e-6


@for_all("dropout", [0.1, 0.3, 0.7])
def test_over_many_seeds_the_mean_of_the_dropped_is_the_weights(dropout):
    weights = trace(dropout)["weights"]
    found = over_draws(weights, dropout, SEED, DRAWS)
    deviation = np.sqrt(weights.tensor**2 * dropout / (1 - dropout) / DRAWS)
    z = (found.mean - weights.tensor) / deviation
    assert np.abs(z).max() < 4.5
    assert z.std() == pytest.approx(1, abs=0.3)
    assert found.farthest == np.abs(found.mean - weights.tensor).max()


def test_the_mean_is_that_of_the_very_draws_that_the_seeds_give():
    found = over_draws(trace()["weights"], 0.3, SEED, 3)
    each = [trace(seed=seed)["dropped"].tensor for seed in (SEED, SEED + 1, SEED + 2)]
    np.testing.assert_allclose(found.mean, sum(each) / 3, rtol=1e-12)


def test_the_farthest_mean_is_set_against_four_of_its_standard_errors():
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


def test_the_residual_minus_the_output_is_x_but_for_the_last_bit():
    found = trace()
    X, output, residual = (found[key].tensor for key in ("X", "output", "residual"))
    np.testing.assert_array_equal(residual, X + output)
    ulp = np.spacing(np.maximum(np.abs(residual), np.abs(output)))
    assert (np.abs((residual - output) - X) <= ulp).all()


def test_the_residual_points_more_the_way_of_x_than_the_output_does():
    found = trace()
    X, output, residual = (found[key].tensor for key in ("X", "output", "residual"))
    assert (cosine(residual, X) > cosine(output, X)).all()


def test_layer_norm_brings_every_row_to_mean_0_and_deviation_1_but_for_epsilon():
    found = trace()
    residual, normalised = found["residual"].tensor, found["normalised"].tensor
    mean, deviation = mean_and_deviation(normalised)
    assert np.abs(mean).max() < 1e-12
    before = mean_and_deviation(residual)[1]
    expected = before / np.sqrt(before**2 + LAYER_NORM_EPSILON)
    np.testing.assert_allclose(deviation, expected, rtol=1e-12)


@for_all(("factor", "shift"), [(1, 5), (1, -40), (3, 0), (0.5, 7), (100, -100)])
def test_layer_norm_forgets_a_shift_and_a_positive_factor_but_for_epsilon(factor, shift):
    residual = trace()["residual"].tensor
    before = ops.layer_norm(residual, LAYER_NORM_EPSILON)
    after = ops.layer_norm(moved(residual, factor, shift), LAYER_NORM_EPSILON)
    variance = residual.var(axis=-1).min()
    epsilon = LAYER_NORM_EPSILON * max(1, 1 / factor**2) / variance
    np.testing.assert_allclose(after, before, rtol=0, atol=epsilon * np.abs(before).max())


def test_epsilon_shows_where_a_row_is_shrunk_to_its_size():
    residual = trace()["residual"].tensor
    before = ops.layer_norm(residual, LAYER_NORM_EPSILON)
    after = ops.layer_norm(moved(residual, 0.001, 0), LAYER_NORM_EPSILON)
    assert np.abs(after - before).max() > 0.1


def test_a_negative_factor_is_not_forgotten():
    residual = trace()["residual"].tensor
    before = ops.layer_norm(residual, LAYER_NORM_EPSILON)
    after = ops.layer_norm(moved(residual, -1, 0), LAYER_NORM_EPSILON)
    np.testing.assert_allclose(after, -before, atol=1e-12)


def test_the_cosine_of_rows_is_that_of_plain_loops():
    one, other = (np.random.default_rng(seed).normal(size=(2, 3, 5)) for seed in (1, 2))
    found = cosine(one, other)
    for i, j in np.ndindex(2, 3):
        a, b = one[i, j].tolist(), other[i, j].tolist()
        dot = math.fsum(x * y for x, y in zip(a, b, strict=True))
        assert found[i, j] == pytest.approx(dot / math.hypot(*a) / math.hypot(*b))
    assert np.isnan(cosine(one, np.zeros_like(one))).all(), "a zero vector points nowhere"
    np.testing.assert_allclose(cosine(one, 3 * one), 1)
    np.testing.assert_allclose(cosine(one, -one), -1)


def test_mean_and_deviation_are_those_of_a_row_of_whole_numbers():
    mean, deviation = mean_and_deviation(np.array([[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]]))
    assert (mean.tolist(), deviation.tolist()) == ([5], [2])


def test_a_row_is_multiplied_first_and_then_shifted():
    assert moved(np.array([[1.0, -2.0]]), 3, 5).tolist() == [[8, -1]]
