"""Variants after the paper: shared heads, windows, ALiBi, a cache, caps, sinks, half precision."""

import math
from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from claims import for_all
from hypothesis import given
from hypothesis import strategies as st
from refuses import refuses

from core import (
    Weights,
    masks,
    multi_head_attention,
    notation,
    ops,
    rules,
    scaled_dot_product_attention,
)
from core.options import AttentionOptions
from core.rotary import Rotary
from core.trace import Trace

BATCH, HEADS, KV_HEADS, N, D_K, D_V, D_MODEL = 2, 4, 2, 7, 6, 5, 11
seeds = st.integers(0, 2**32 - 1)
EXACT = {"rtol": 1e-12, "atol": 1e-13}


def projected(seed, heads=HEADS, kv_heads=KV_HEADS, query=N, key=N):
    draw = np.random.default_rng(seed).normal
    return (
        draw(size=(BATCH, heads, query, D_K)),
        draw(size=(BATCH, kv_heads, key, D_K)),
        draw(size=(BATCH, kv_heads, key, D_V)),
    )


def attend(*QKV, **options):
    return scaled_dot_product_attention(*QKV, AttentionOptions(**options))


def model(seed):
    draw = np.random.default_rng(seed).normal
    shapes = [(D_MODEL, HEADS * D_K), (D_MODEL, KV_HEADS * D_K), (D_MODEL, KV_HEADS * D_V)]
    matrices = [draw(size=shape) / 3 for shape in shapes]
    W_O = draw(size=(HEADS * D_V, D_MODEL))
    return Weights(*matrices, W_O, HEADS, kv_heads=KV_HEADS)


def sequence(seed, n=N):
    return np.random.default_rng(seed).normal(size=(BATCH, n, D_MODEL))


@given(seeds)
def test_decoding_with_a_cache_gives_what_the_whole_text_gives(seed):
    options = {
        "causal": True,
        "rotary": Rotary(D_K),
        "window": (3, -1),
        "alibi": masks.alibi_slopes(HEADS),
    }
    X, weights = sequence(seed), model(seed)
    whole = multi_head_attention(X, weights, AttentionOptions(**options))
    past = None
    for i in range(N):
        step = multi_head_attention(
            X[:, i : i + 1], weights, AttentionOptions(**options, past=past)
        )
        np.testing.assert_allclose(
            step["output"].tensor[:, 0], whole["output"].tensor[:, i], rtol=1e-12, atol=1e-13
        )
        K, V = ("present_K", "present_V") if past else ("K_rotated", "V")
        past = (step[K].tensor, step[V].tensor)
    np.testing.assert_allclose(past[0], whole["K_rotated"].tensor, **EXACT)


def composed(Q, K, V, options, b, h, i):
    """A row of weights and its output, number by number, in the documented order."""
    group, past = h // (HEADS // KV_HEADS), options.past[0].shape[2]
    keys = np.concatenate([options.past[0], K], axis=2)[b, group]
    values = np.concatenate([options.past[1], V], axis=2)[b, group]
    before, after = options.window
    logits = []
    for j, key in enumerate(keys):
        apart = j - (past + i)
        score = sum(q * k for q, k in zip(Q[b, h, i], key, strict=True)) * options.scale
        capped = options.soft_cap * math.tanh(score / options.soft_cap)
        visible = (
            (-before <= apart <= after) or j < options.sink_tokens or j in options.global_tokens
        )
        visible = visible or past + i in options.global_tokens
        logits.append(
            capped - options.alibi[h] * abs(apart) if visible and apart <= 0 else -math.inf
        )
    powers = [math.exp(logit) for logit in logits]
    total = sum(powers) + math.exp(options.sinks[h])
    weights = [power / total for power in powers]
    return weights, [
        sum(w * v[c] for w, v in zip(weights, values, strict=True)) for c in range(D_V)
    ]


def test_all_options_apply_in_the_documented_order():
    Q, K, V = projected(3)
    _, past_K, past_V = projected(4, key=4)
    options = AttentionOptions(
        causal=True,
        window=(2, 1),
        sink_tokens=1,
        global_tokens=(3, 6),
        alibi=np.array([0.5, 0.25, 0.125, 0.0]),
        past=(past_K, past_V),
        soft_cap=1.5,
        sinks=np.array([0.3, -1.0, 0.0, 2.0]),
        scale=0.7,
    )
    trace = scaled_dot_product_attention(Q, K, V, options)
    for b, h, i in np.ndindex(BATCH, HEADS, N):
        weights, output = composed(Q, K, V, options, b, h, i)
        np.testing.assert_allclose(trace["weights"].tensor[b, h, i], weights, **EXACT)
        np.testing.assert_allclose(trace["head_output"].tensor[b, h, i], output, **EXACT)


def test_with_lengths_the_last_query_is_at_the_last_key_of_its_sample():
    Q, K, V = projected(5, query=2)
    lengths = np.array([7, 3])
    visible = attend(Q, K, V, causal=True, lengths=lengths)["weights"].tensor > 0
    expected = [[[0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6]], [[0, 1], [0, 1, 2]]]
    for b, h, i in np.ndindex(BATCH, HEADS, 2):
        assert np.flatnonzero(visible[b, h, i]).tolist() == expected[b][i]


@for_all(
    ("heads", "slopes"),
    [
        (1, [2**-8]),
        (2, [2**-4, 2**-8]),
        (8, [2.0**-i for i in range(1, 9)]),
        (3, [2**-4, 2**-8, 2**-2]),
        (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3]),
    ],
)
def test_the_slopes_of_alibi_are_those_of_the_paper(heads, slopes):
    np.testing.assert_allclose(masks.alibi_slopes(heads), slopes, rtol=1e-15)


@for_all("precision", ["float16", "bfloat16"])
def test_rounding_is_that_of_the_half_precision(precision):
    kind = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}[precision]
    draw = np.random.default_rng(7)
    numbers = draw.normal(size=4000) * 10.0 ** draw.integers(-9, 5, 4000)
    bits = draw.integers(0, 2**32, 4000, dtype=np.uint32).view(np.float32)
    ties = np.array([1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 65520, -65519.9])
    for some in (
        numbers.astype(np.float32),
        bits[np.isfinite(bits)],
        ties.astype(np.float32),
        np.float32([0, -0.0]),
    ):
        with np.errstate(over="ignore"):
            expected = some.astype(kind).astype(np.float32)
        np.testing.assert_array_equal(ops.round_to(some, precision), expected)


@for_all("precision", ["float16", "bfloat16"])
def test_every_result_is_a_number_of_the_half_precision(precision):
    normed = replace(model(8), gamma_Q=np.full(D_K, 1.1), gamma_K=np.full(D_K, 0.9))
    options = AttentionOptions(
        causal=True, rotary=Rotary(D_K), alibi=np.ones(4) / 3, precision=precision, residual=True
    )
    trace = multi_head_attention(sequence(8), normed, options)
    computed = [key for key in trace if not isinstance(trace[key].rule, rules.Given)]
    for key in computed:
        tensor = trace[key].tensor
        np.testing.assert_array_equal(ops.round_to(tensor, precision), tensor, err_msg=key)
    assert {"Q_normed", "cos", "normalised"} <= set(computed)


@for_all(
    ("options", "error"),
    [
        ({"soft_cap": 0.0}, "out_of_range"),
        ({"soft_cap": math.inf}, "out_of_range"),
        ({"window": (-2, 0)}, "out_of_range"),
        ({"window": (1, 0), "sink_tokens": -1}, "out_of_range"),
        ({"past": (np.ones((2, 2)), np.ones((2, 2)))}, "shape_mismatch"),
        ({"lengths": np.array([3.0, 2.0])}, "shape_mismatch"),
        ({"lengths": np.array([3, N + 1])}, "out_of_range"),
        ({"alibi": np.ones(HEADS + 1)}, "shape_mismatch"),
        ({"alibi": np.array([np.nan, 1, 1, 1])}, "not_finite"),
        ({"sinks": np.ones((HEADS, 1))}, "shape_mismatch"),
        ({"rotary": Rotary(D_K + 2)}, "shape_mismatch"),
        (
            {"past": (np.ones((BATCH, KV_HEADS, 2, D_K)), np.ones((BATCH, KV_HEADS, 3, D_V)))},
            "shape_mismatch",
        ),
        (
            {"past": (np.ones((BATCH, HEADS, 2, D_K)), np.ones((BATCH, KV_HEADS, 2, D_V)))},
            "shape_mismatch",
        ),
        (
            {
                "past": (
                    np.full((BATCH, KV_HEADS, 2, D_K), np.inf),
                    np.ones((BATCH, KV_HEADS, 2, D_V)),
                )
            },
            "not_finite",
        ),
        ({"precision": "float16", "bias": np.full((N, N), 1e5)}, "beyond_precision"),
    ],
)
def test_options_that_do_not_fit_are_refused(options, error):
    with refuses(error):
        attend(*projected(9), **options)


@for_all(
    "options",
    [
        {"sink_tokens": 1},
        {"global_tokens": (0,)},
        {"precision": "float8"},
        {"scale": "square"},
        {"lengths": np.array([3, 2]), "past": (np.ones(1), np.ones(1))},
        {"lengths": np.array([3, 2]), "alibi": np.ones(HEADS)},
    ],
)
def test_options_that_do_not_go_together_are_refused(options):
    with pytest.raises(ValueError):
        attend(*projected(9), **options)


def test_a_key_mask_of_the_input_does_not_hide_what_is_cached():
    X, weights = sequence(10), model(10)
    whole = multi_head_attention(X, weights, AttentionOptions(causal=True))
    past = tuple(whole[key].tensor[:, :, :4] for key in "KV")
    rest, axes = X[:, 4:], notation.axes("batch", "token", "d_model")
    real = np.array([[True, True, True], [True, True, False]])
    stages = [notation.given("X", rest, axes), notation.given("key_mask", real, axes[:2], "mask")]
    trace = multi_head_attention(Trace(stages), weights, AttentionOptions(causal=True, past=past))
    np.testing.assert_array_equal(trace["key_mask"].tensor[:, :4], True)
    np.testing.assert_array_equal(trace["key_mask"].tensor[:, 4:], real)
    np.testing.assert_allclose(
        trace["output"].tensor[1, :2], whole["output"].tensor[1, 4:6], **EXACT
    )


def test_other_numbers_of_keys_than_queries_have_no_rotary_positions():
    with refuses("shape_mismatch", expected=f"{N - 1} tokens, as Q has, for rotary positions"):
        attend(*projected(9, query=N - 1), rotary=Rotary(D_K))
