"""Limits on a row of scores against an attention with them; gradients against small steps."""

import math
from dataclasses import replace

import numpy as np
import pytest
from claims import for_all

from core import Weights, multi_head_attention
from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.soft_cap import ScoreLimits, extras, limited_row, normed_bound, soft_cap_slope
from core.options import AttentionOptions

SEVERAL = [
    ScoreLimits(), ScoreLimits(4.0), ScoreLimits(4.0, soft_cap=5.0), ScoreLimits(3.0, qk_norm=True),
    ScoreLimits(0.5, sink=1.5), ScoreLimits(2.0, temperature=4.0),
    ScoreLimits(6.0, soft_cap=2.0, qk_norm=True, sink=-0.5, temperature=0.5),
]  # fmt: skip
ROW = np.array([1.3, -0.4, 2.9, 0.2, -3.1])
NORMED = np.array([0.7, -0.2, 1.4, 0.3, -1.6])


def attended(limits: ScoreLimits):
    """The trace of an attention with these limits; its scores are not small."""
    rng = np.random.default_rng(5)
    weights = Weights.seeded(14, heads=2, seed=7)
    weights = replace(weights, b_Q=rng.normal(size=14), W_Q=3 * weights.W_Q)
    X = rng.normal(size=(1, 5, 14))
    changed, options = limits.apply(weights, AttentionOptions(causal=True))
    return multi_head_attention(X, changed, options)


@for_all("limits", SEVERAL)
def test_a_limited_row_is_the_row_of_the_attention_with_these_limits(limits):
    plain, normed, trace = (
        attended(one) for one in (ScoreLimits(), ScoreLimits(qk_norm=True), limits)
    )
    for head, query in ((0, 4), (1, 2), (1, 0)):
        row = limited_row(
            plain["scaled"].tensor[0, head, query, : query + 1],
            normed["scaled"].tensor[0, head, query, : query + 1],
            limits,
        )
        for key, found in (("scaled", row.scaled), ("weights", row.weights)):
            expected = trace[key].tensor[0, head, query, : query + 1]
            np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-9)
        expected = 1 - trace["weights"].tensor[0, head, query].sum()
        assert row.sink_weight == pytest.approx(expected, abs=1e-7)  # ε of RMSNorm


def weights_at(scaled, limits):
    logits = [x if limits.soft_cap is None else
              limits.soft_cap * math.tanh(x / limits.soft_cap) for x in scaled]  # fmt: skip
    total = sum(map(math.exp, logits)) + (0 if limits.sink is None else math.exp(limits.sink))
    return np.array([math.exp(x) / total for x in logits])


@for_all("limits", SEVERAL)
def test_the_gradient_is_how_much_weights_move_when_scores_do(limits):
    row, step = limited_row(ROW, NORMED, limits), 1e-6
    np.testing.assert_allclose(row.weights, weights_at(row.scaled, limits), rtol=1e-9)
    moved = []
    for key in range(len(ROW)):
        undivided = limits.temperature * row.scaled
        up, down = (
            (undivided + sign * step * np.eye(len(ROW))[key]) / limits.temperature
            for sign in (1, -1)
        )
        moved.append((weights_at(up, limits) - weights_at(down, limits)) / (2 * step))
    assert row.gradient == pytest.approx(np.linalg.norm(moved), rel=1e-6)
    if limits.soft_cap is None:
        assert row.gradient == pytest.approx(row.softmax_gradient / limits.temperature)
    else:
        assert row.gradient < row.softmax_gradient / limits.temperature


def test_entropy_and_largest_weight_by_hand():
    # Two keys of e^0 and a sink of e^0: a third each; log₂ 3 bits.
    row = limited_row(np.zeros(2), np.zeros(2), ScoreLimits(sink=0.0))
    assert row.largest == pytest.approx(1 / 3)
    assert row.sink_weight == pytest.approx(1 / 3)
    assert row.entropy == pytest.approx(math.log2(3))
    even = limited_row(np.zeros(4), np.zeros(4), ScoreLimits())
    assert (even.entropy, even.sink_weight) == (pytest.approx(2), 0)


def test_a_cap_bounds_and_its_slope_is_that_of_tanh():
    row = limited_row(ROW, NORMED, ScoreLimits(100.0, soft_cap=5.0))
    assert np.abs(row.logits).max() <= 5
    assert (np.argsort(row.logits, kind="stable") == np.argsort(ROW)).all()
    assert soft_cap_slope(np.array([0.0]), 5.0) == 1
    steps = np.array([-4.0, 1.0, 7.0])
    expected = [
        (5 * math.tanh((x + 1e-6) / 5) - 5 * math.tanh((x - 1e-6) / 5)) / 2e-6 for x in steps
    ]
    np.testing.assert_allclose(soft_cap_slope(steps, 5.0), expected, rtol=1e-6)
    assert soft_cap_slope(steps, None).tolist() == [1, 1, 1]


def test_no_normed_score_passes_the_root_of_d_k():
    trace = attended(ScoreLimits(32.0, qk_norm=True))
    assert np.abs(trace["scaled"].tensor).max() <= normed_bound(7) == math.sqrt(7)


def test_the_cost_of_each_limit_in_a_named_model():
    cost = extras(LLAMA_8B, CONTEXT)
    assert cost["soft_cap"].calls == 32 * 32 * CONTEXT * (CONTEXT + 1) // 2
    assert cost["qk_norm"].parameters == 32 * (128 + 128)
    assert cost["qk_norm"].calls == 32 * (32 + 8) * CONTEXT
    assert cost["sink"].parameters == 32 * 32
    assert cost["temperature"].parameters == cost["temperature"].calls == 0
