"""Shapes and costs counted from the sizes alone equal those of real tensors and the reference."""

import itertools
import json
from pathlib import Path

import numpy as np
from attention_inputs import (
    BATCH,
    D_K,
    D_MEMORY,
    D_MODEL,
    D_V,
    HEADS,
    KEY,
    QUERY,
    biased_weights,
    numbers,
)
from claims import for_all

from core import Weights, cost, multi_head_attention
from core.limits import COMPUTED, COMPUTED_WORK
from core.models.standard import STANDARD, computed, from_input, part_that_fits
from core.models.worked import D4_H2
from core.options import AttentionOptions
from core.rotary import Rotary
from core.shapes import (
    AttentionShape,
    Shape,
    attention,
    attention_cost,
    of_trace,
    shared_out,
    total,
)

SHAPES = json.loads((Path(__file__).parent / "data" / "worked_examples.json").read_text("utf-8"))[
    "shapes"
]
PRIMES = [
    AttentionShape(2, 3, 35, 5, 7),
    AttentionShape(3, 5, 14, 2, 7),
    AttentionShape(5, 2, 33, 3, 11),
    AttentionShape(1, 1, 1, 1, 1),
    AttentionShape(2, 3, 35, 1, 7),  # a head narrower than d_model / h
]


def by_key(shapes):
    return {shape.key: shape for shape in shapes}


@for_all("sizes", PRIMES)
@for_all("modality", ["text", "image", "sound"])
def test_shapes_counted_from_the_input_are_those_of_the_tensors(modality, sizes):
    real, seconds = computed(modality, sizes)
    counted = from_input(modality, sizes)
    if counted[0].key not in ("image", "tokens"):
        counted = attention(sizes)
    assert counted == real
    assert seconds > 0


@for_all(("ours", "theirs"), [("text", "text"), ("image", "image"), ("sound", "audio")])
def test_the_standard_sizes_have_the_shapes_of_the_reference(ours, theirs):
    expected, known = SHAPES[theirs], by_key(from_input(ours, STANDARD[ours].sizes))
    for key in "QKV":
        assert list(known[key].sizes) == expected["q_k_v"]
    for key in ("scores", "scaled", "weights"):
        assert list(known[key].sizes) == expected["scores"]
    assert list(known["head_output"].sizes) == expected["weighted"]
    assert list(known["concat"].sizes) == expected["concat"]
    assert list(known["output"].sizes) == expected.get("output", expected["concat"])
    assert by_key(attention(STANDARD["question"].sizes))["weights"].sizes == (1, 8, 100, 100)


def test_all_standard_sizes_are_computed_except_for_three_recordings():
    parts = {
        name: part_that_fits(one.modality, one.sizes, COMPUTED.trace_bytes, COMPUTED_WORK)
        for name, one in STANDARD.items()
    }
    for name in ("text", "image", "question"):
        assert parts[name] == STANDARD[name].sizes
    assert parts["sound"] == AttentionShape(1, 1000, 512, 8, 64)


def needed(sizes):
    spent = total(from_input("sound", sizes))
    return spent.bytes + 16 * spent.parameters


def test_the_total_of_no_stage_is_nothing():
    assert total([]) == cost.Cost(0, 0, 0)


def test_the_part_that_fits_in_memory_is_the_largest():
    sizes = AttentionShape(7, 11, 35, 5, 7)
    for samples in range(1, 7):
        room = needed(AttentionShape(samples, 11, 35, 5, 7))
        assert part_that_fits("sound", sizes, room, 10**9).batch == samples
        assert part_that_fits("sound", sizes, room - 1, 10**9).batch == (samples - 1 or 1)
    one_head = AttentionShape(1, 11, 35, 1, 7)
    assert part_that_fits("sound", sizes, needed(one_head), 10**9) == one_head
    assert part_that_fits("sound", sizes, needed(one_head) - 1, 10**9) is None


def test_the_part_that_fits_is_also_limited_by_multiply_adds():
    sizes = AttentionShape(7, 11, 35, 5, 7)
    work = total(from_input("sound", AttentionShape(2, 11, 35, 5, 7))).multiply_adds
    assert part_that_fits("sound", sizes, 10**9, work).batch == 2
    assert part_that_fits("sound", sizes, 10**9, work - 1).batch == 1


def test_shapes_of_a_trace_are_those_of_its_stages():
    known = by_key(of_trace(D4_H2.trace()))
    assert known["Q"] == Shape("Q", ("batch", "head", "query", "d_k"), (1, 2, 2, 2), 4, False, 8)
    assert known["W_O"].learnt


@for_all("heads", [1, 2, 3, 6])
def test_the_comparison_of_heads_agrees_with_the_rules_of_a_real_trace(heads):
    foretold = attention_cost(7, 30, heads)
    trace = multi_head_attention(numbers(1, 7, 30, seed=51), Weights.seeded(30, heads, 5))
    counted = cost.per_stage(trace)
    assert foretold.parameters == cost.trace_cost(trace).parameters
    assert foretold.projections == sum(counted[key].multiply_adds for key in "QKV")
    assert foretold.scores == counted["scores"].multiply_adds
    assert foretold.weighted_sum == counted["head_output"].multiply_adds
    assert foretold.output == counted["output"].multiply_adds
    assert foretold.weights == trace["weights"].tensor.size
    assert attention(shared_out(1, 7, 30, heads), dtype=np.float64) == of_trace(trace)


SIZES = AttentionShape(BATCH, QUERY, D_MODEL, HEADS, D_K)
MEMORY = KEY, D_MEMORY
GIVEN = [(), (KEY,), (HEADS, 1, KEY), (BATCH, 1, 1, 1), (BATCH, HEADS, QUERY, KEY)]


ALL = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")


@for_all(("dtype", "crossed"), [(np.float32, True), (np.float64, False)])
def test_counted_shapes_are_those_of_the_trace_for_all_options(dtype, crossed):
    key, width = (KEY, D_MEMORY) if crossed else (QUERY, D_MODEL)
    memory = numbers(BATCH, key, width, seed=61, dtype=dtype) if crossed else None
    X = numbers(BATCH, QUERY, D_MODEL, seed=62, dtype=dtype)
    weights = biased_weights(width, dtype)
    switches = itertools.product([False, True], repeat=7)
    for key_mask, causal, allowed, bias, head_mask, dropout, residual in switches:
        options = AttentionOptions(
            key_mask=np.ones((BATCH, key), dtype=bool) if key_mask else None,
            causal=causal,
            allowed=np.ones((BATCH, 1, QUERY, key), dtype=bool) if allowed else None,
            bias=np.zeros((HEADS, 1, key)) if bias else None,
            head_mask=np.arange(HEADS) > 0 if head_mask else None,
            dropout=0.5 if dropout else 0,
            residual=residual,
        )
        trace = multi_head_attention(X, weights, options, memory=memory)
        counted = attention(
            SIZES,
            options,
            d_v=D_V,
            dtype=dtype,
            memory=(key, width) if crossed else None,
            parameters=ALL,
        )
        assert counted == of_trace(trace), list(trace)


@for_all("shape", GIVEN)
@for_all("option", ["allowed", "bias"])
def test_counted_masks_and_biases_have_the_given_shape(shape, option):
    array = np.ones(shape, dtype=bool if option == "allowed" else np.float64)
    options = AttentionOptions(**{option: array})
    trace = multi_head_attention(
        numbers(BATCH, QUERY, D_MODEL, seed=63),
        biased_weights(D_MEMORY),
        options,
        memory=numbers(BATCH, KEY, D_MEMORY, seed=64),
    )
    counted = attention(SIZES, options, d_v=D_V, dtype=np.float64, memory=MEMORY, parameters=ALL)
    assert counted == of_trace(trace)


@for_all("missing", ["W_O", "b_Q", "b_K", "b_V", "b_O"])
def test_missing_parameters_have_no_shape(missing):
    whole = biased_weights()
    present = {name: getattr(whole, name) for name in ALL}
    del present[missing]
    if missing == "W_O":
        del present["b_O"]
    weights = Weights(**{"W_O": None} | present, heads=HEADS)
    trace = multi_head_attention(numbers(BATCH, QUERY, D_MODEL, seed=65), weights)
    counted = attention(SIZES, d_v=D_V, dtype=np.float64, parameters=tuple(present))
    assert counted == of_trace(trace)


H, KV, WIDTH = 6, 3, 10
LATER = {
    "rotary": {"rotary": Rotary(WIDTH)},
    "rotary of a part": {"rotary": Rotary(4)},
    "ALiBi": {"alibi": np.ones(H)},
    "soft cap and sinks": {"soft_cap": 3.0, "sinks": np.ones(H)},
    "lengths": {"lengths": np.array([1, 5]), "causal": True},
    "window": {"window": (1, 0), "sink_tokens": 2, "global_tokens": (4,)},
    "temperature": {"temperature": 2.0},
    "half precision": {"precision": "float16", "residual": True},
    "empty cache": {"past": (np.ones((2, KV, 0, WIDTH)), np.ones((2, KV, 0, WIDTH)))},
    "cache": {"past": (np.ones((2, KV, 7, WIDTH)), np.ones((2, KV, 7, WIDTH))), "causal": True},
}


@for_all("name", LATER)
def test_counted_shapes_are_exact_for_later_variants(name):
    options, random = AttentionOptions(**LATER[name]), np.random.default_rng(68)
    widths = {"W_Q": H * WIDTH, "W_K": KV * WIDTH, "W_V": KV * WIDTH}
    matrices = {key: random.normal(size=(11, width)) for key, width in widths.items()}
    gammas = {key: np.ones(WIDTH) for key in ("gamma_Q", "gamma_K")}
    W_O = random.normal(size=(H * WIDTH, 11))
    weights = Weights(**matrices, **gammas, W_O=W_O, heads=H, kv_heads=KV)
    trace = multi_head_attention(random.normal(size=(2, 5, 11)), weights, options)
    counted = attention(
        AttentionShape(2, 5, 11, H, WIDTH),
        options,
        kv_heads=KV,
        dtype=np.float64,
        parameters=(*matrices, *gammas, "W_O"),
    )
    assert counted == of_trace(trace)
