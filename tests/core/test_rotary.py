"""Rotary positions, shared heads and RMS normalisation, against plain loops."""

import math

import numpy as np
import pytest
from refuses import refuses

from core import Weights, explain, multi_head_attention
from core.options import AttentionOptions
from core.rotary import Rotary

BATCH, HEADS, KV_HEADS, N, D_MODEL, D_K, D_V = 2, 6, 2, 5, 7, 4, 3
EPSILON, THETA = 1e-3, 50.0
RANDOM = np.random.default_rng(17)


def drawn(*shape):
    return RANDOM.normal(size=shape)


X = drawn(BATCH, N, D_MODEL)
WEIGHTS = Weights(
    W_Q=drawn(D_MODEL, HEADS * D_K),
    W_K=drawn(D_MODEL, KV_HEADS * D_K),
    W_V=drawn(D_MODEL, KV_HEADS * D_V),
    W_O=drawn(HEADS * D_V, D_MODEL),
    heads=HEADS,
    b_Q=drawn(HEADS * D_K),
    b_K=drawn(KV_HEADS * D_K),
    b_V=drawn(KV_HEADS * D_V),
    kv_heads=KV_HEADS,
    gamma_Q=drawn(D_K),
    gamma_K=drawn(D_K),
    epsilon=EPSILON,
)
TRACE = multi_head_attention(X, WEIGHTS, AttentionOptions(causal=True, rotary=Rotary(D_K, THETA)))


def vector(letter, b, head, i):
    """A query or key of one head, normalised and turned, number by number."""
    W, bias = getattr(WEIGHTS, f"W_{letter}"), getattr(WEIGHTS, f"b_{letter}")
    columns = range(head * D_K, (head + 1) * D_K)
    plain = [sum(X[b, i, m] * W[m, c] for m in range(D_MODEL)) + bias[c] for c in columns]
    root = math.sqrt(sum(x * x for x in plain) / D_K + EPSILON)
    gamma = getattr(WEIGHTS, f"gamma_{letter}")
    normed = [g * x / root for g, x in zip(gamma, plain, strict=True)]
    turned = []
    for j in range(D_K):
        angle = i / THETA ** (2 * (j % 2) / D_K)
        partner = normed[j + 2] if j < 2 else normed[j - 2]
        sign = -1 if j < 2 else 1
        turned.append(normed[j] * math.cos(angle) + sign * partner * math.sin(angle))
    return turned


def test_grouped_query_attention_with_rotary_positions_equals_plain_loops():
    for b, head, i in np.ndindex(BATCH, HEADS, N):
        group = head // (HEADS // KV_HEADS)
        query = vector("Q", b, head, i)
        scores = [
            sum(q * k for q, k in zip(query, vector("K", b, group, j), strict=True))
            for j in range(N)
        ]
        assert TRACE["scores"].tensor[b, head, i] == pytest.approx(scores, abs=1e-12)
        powers = [math.exp(s / math.sqrt(D_K)) if j <= i else 0 for j, s in enumerate(scores)]
        for c in range(D_V):
            column = group * D_V + c
            values = [
                sum(X[b, j, m] * WEIGHTS.W_V[m, column] for m in range(D_MODEL))
                + WEIGHTS.b_V[column]
                for j in range(N)
            ]
            mixed = sum(p * v for p, v in zip(powers, values, strict=True)) / sum(powers)
            assert TRACE["head_output"].tensor[b, head, i, c] == pytest.approx(mixed, abs=1e-12)


def test_the_angle_is_the_position_times_the_frequency():
    term = explain(TRACE, "sin", (3, 1)).made_by
    position, frequency = term.parts[0].parts
    assert (term.symbol, position.value, frequency.value) == ("sin", 3, pytest.approx(50**-0.5))
    assert TRACE["cos"].tensor[3, 1] == pytest.approx(math.cos(3 / math.sqrt(50)))


def test_float32_stays_float32():
    trace = multi_head_attention(
        X.astype(np.float32), WEIGHTS, AttentionOptions(rotary=Rotary(D_K))
    )
    assert {stage.tensor.dtype for key, stage in trace.items() if key != "position_ids"} == {
        np.dtype(np.float32)
    }


@pytest.mark.parametrize("d_k", [0, 1, 5])
def test_an_odd_d_k_is_refused_for_rotary_positions(d_k):
    with refuses("out_of_range"):
        Rotary(d_k)


def test_incompatible_arguments_are_refused():
    with pytest.raises(ValueError, match="memory"):
        multi_head_attention(X, WEIGHTS, AttentionOptions(rotary=Rotary(D_K)), memory=X)
    with refuses("out_of_range", name="kv_heads"):
        Weights(drawn(7, 24), drawn(7, 16), drawn(7, 16), None, 6, kv_heads=4)
    with refuses("shape_mismatch", name="W_Q"):
        Weights(drawn(7, 20), drawn(7, 8), drawn(7, 8), None, 6, kv_heads=2)
    with refuses("shape_mismatch", name="gamma_K"):
        Weights(drawn(7, 24), drawn(7, 8), drawn(7, 8), None, 6, kv_heads=2, gamma_K=drawn(8))
