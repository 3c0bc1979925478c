import math

import numpy as np
import pytest

from core import scaled_dot_product_attention
from core.experiments import masks
from core.masks import causal, composed, without
from core.options import AttentionOptions

QUERY, KEY = 5, 7
SCALED = np.random.default_rng(29).normal(size=(QUERY, KEY))
ALLOWED = composed(QUERY, KEY, [causal(QUERY, KEY), without(QUERY, KEY, [(3, 1)])])
EMPTY = composed(QUERY, KEY, [ALLOWED, without(QUERY, KEY, [(2, j) for j in range(3)])])


def shares(row):
    total = sum(math.exp(x) for x in row)
    return [math.exp(x) / total for x in row]


def test_minus_infinity_is_what_attention_itself_does():
    Q, K = np.sqrt(KEY) * SCALED[None, None], np.eye(KEY)[None, None]
    trace = scaled_dot_product_attention(Q, K, K, AttentionOptions(allowed=EMPTY))
    weights = masks.weights_by("minus_infinity", trace["scaled"].tensor[0, 0], EMPTY)
    np.testing.assert_array_equal(weights, trace["weights"].tensor[0, 0])


def test_fully_masked_rows_by_way_of_masking():
    assert masks.fully_masked(EMPTY).tolist() == [False, False, True, False, False]
    assert not masks.weights_by("minus_infinity", SCALED, EMPTY)[2].any()
    for way in ("minus_1e9", "zero"):
        weights = masks.weights_by(way, SCALED, EMPTY)
        np.testing.assert_allclose(weights[2], [1 / KEY] * KEY, rtol=1e-15)
        assert masks.leaked_weight(weights, EMPTY)[2] == pytest.approx(1)
    for way in masks.AFTER:
        assert not masks.weights_by(way, SCALED, EMPTY)[2].any()


def test_masking_after_softmax_loses_the_masked_share():
    weights = masks.weights_by("after", SCALED, ALLOWED)
    assert not weights[~ALLOWED].any()
    for i in range(QUERY):
        whole = shares(SCALED[i])
        left = sum(whole[j] for j in range(KEY) if ALLOWED[i, j])
        assert weights[i].sum() == pytest.approx(left, rel=1e-12)
        assert left < 1


def test_mask_effect_is_that_of_the_worst_row():
    scaled = np.array([[math.log(3), 5.0], [math.log(3), 0.0]])
    allowed = np.array([[True, False], [True, True]])
    leak = masks.mask_effect("zero", scaled, allowed)
    assert leak.leak == pytest.approx(1 / 4)
    assert (leak.least, leak.most) == (pytest.approx(1), pytest.approx(1))
    assert leak.apart == pytest.approx(1 / 4)
    after = masks.mask_effect("after", scaled, allowed)
    remaining = 3 / (3 + math.exp(5))
    assert (after.leak, after.least, after.most) == (0, pytest.approx(remaining), pytest.approx(1))
    assert after.apart == pytest.approx(1 - remaining)
    none = masks.mask_effect("minus_infinity", scaled, allowed)
    assert (none.leak, none.apart) == (0, 0)


def test_many_heads_and_samples_are_masked_alike():
    scaled = np.random.default_rng(31).normal(size=(2, 3, QUERY, KEY))
    for way in masks.WAYS:
        whole = masks.weights_by(way, scaled, ALLOWED)
        np.testing.assert_array_equal(whole[1, 2], masks.weights_by(way, scaled[1, 2], ALLOWED))


def test_masking_does_not_modify_its_arguments():
    scaled, allowed = SCALED.copy(), EMPTY.copy()
    for way in masks.WAYS:
        masks.weights_by(way, scaled, allowed)
    assert np.array_equal(scaled, SCALED)
    assert np.array_equal(allowed, EMPTY)
