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


def test_minus_infinity_gives_masked_keys_no_weight():
    weights = masks.weights_by("minus_infinity", SCALED, ALLOWED)
    assert not weights[~ALLOWED].any()
    for i in range(QUERY):
        visible = [j for j in range(KEY) if ALLOWED[i, j]]
        by_hand = shares([SCALED[i, j] for j in visible])
        np.testing.assert_allclose(weights[i, visible], by_hand, rtol=1e-12)


def test_minus_infinity_is_what_attention_itself_does():
    Q, K = np.sqrt(KEY) * SCALED[None, None], np.eye(KEY)[None, None]
    trace = scaled_dot_product_attention(Q, K, K, AttentionOptions(allowed=EMPTY))
    weights = masks.weights_by("minus_infinity", trace["scaled"].tensor[0, 0], EMPTY)
    np.testing.assert_array_equal(weights, trace["weights"].tensor[0, 0])


def test_masking_with_zero_leaks_weight():
    scaled = np.array([[math.log(3), 5.0], [math.log(3), 5.0]])
    allowed = np.array([[True, False], [True, True]])
    weights = masks.weights_by("zero", scaled, allowed)
    np.testing.assert_allclose(weights[0], [3 / 4, 1 / 4], rtol=1e-15)  # e^ln 3 against e^0 = 1
    np.testing.assert_allclose(masks.leaked_weight(weights, allowed), [1 / 4, 0], rtol=1e-15)


def test_minus_1e9_equals_minus_infinity_unless_a_row_is_fully_masked():
    weights = masks.weights_by("minus_1e9", SCALED, ALLOWED)
    np.testing.assert_array_equal(weights, masks.masked_before(SCALED, ALLOWED))


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


def test_masking_after_softmax_with_renormalisation_equals_masking_before():
    np.testing.assert_allclose(
        masks.weights_by("after_shared", SCALED, EMPTY),
        masks.weights_by("minus_infinity", SCALED, EMPTY),
        rtol=1e-12,
    )


def test_renormalising_underflows_for_a_much_larger_masked_score():
    scaled, allowed = np.array([[0.0, math.log(3), 800.0]]), np.array([[True, True, False]])
    before = masks.weights_by("minus_infinity", scaled, allowed)
    np.testing.assert_allclose(before, [[1 / 4, 3 / 4, 0]], rtol=1e-15)
    assert not masks.weights_by("after_shared", scaled, allowed).any()


def test_without_masked_cells_every_way_is_softmax():
    for way in masks.WAYS:
        weights = masks.weights_by(way, SCALED, np.ones_like(ALLOWED))
        np.testing.assert_allclose(weights[1], shares(SCALED[1]), rtol=1e-12)


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
