"""One head at a time gives the numbers of all heads at once, in less memory."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Axis, Trace, Weights, explain, multi_head_attention, rules
from core.by_head import Heads
from core.cost import trace_cost
from core.notation import axes, given
from core.options import AttentionOptions

BATCH, N, D_MODEL, HEADS, D_K, D_V = 2, 7, 11, 3, 5, 13
NAMES = tuple(f"0.0{i} s" for i in range(N))
EARLIER = {"heads_before", "heads_after"}


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def weights(biased=True):
    b = dict.fromkeys(("b_Q", "b_K", "b_V", "b_O"))
    if biased:
        widths = (HEADS * D_K, HEADS * D_K, HEADS * D_V, D_MODEL)
        b = {name: numbers(width, seed=9) for name, width in zip(b, widths, strict=True)}
    return replace(Weights.seeded(D_MODEL, HEADS, 3, D_K, D_V), **b)


def source(dtype=np.float64, padded=False):
    along = Axis("token", "n", NAMES, "frame", hops=1)
    named = axes("batch", "token", "d_model", labels={"token": along})
    stages = [given("X", numbers(BATCH, N, D_MODEL, seed=1).astype(dtype), named)]
    if padded:
        real = np.arange(N) < np.array([[N], [4]])
        stages.insert(0, given("key_mask", real, axes("batch", "key"), "mask"))
    return Trace(stages)


OPTIONS = {
    "none": {},
    "causal": {"causal": True},
    "allowed": {"allowed": np.eye(N, dtype=bool) | np.eye(N, k=-2, dtype=bool)},
    "bias": {"bias": numbers(N, N, seed=4), "temperature": 1.7},
    "scale": {"scale": 0.4},
    "dropout": {"dropout": 0.4, "seed": 6},
    "residual": {"residual": True},
    "all": {"causal": True, "dropout": 0.7, "seed": 2, "residual": True, "temperature": 0.3},
}


@for_all("dtype", [np.float32, np.float64])
@for_all("padded", [False, True])
@for_all("name", OPTIONS)
def test_one_head_equals_that_head_of_multi_head_attention(name, padded, dtype):
    x, options = source(dtype, padded), OPTIONS[name]
    full = multi_head_attention(x, weights(), AttentionOptions(**options))
    heads = in_turn(x, weights(), options)
    outputs = list(heads.outputs())
    rtol = 1e-5 if dtype == np.float32 else 1e-12
    for head in range(HEADS):
        trace = heads.head_trace(head, outputs)
        assert {*trace} - EARLIER == {*full}
        for key, stage in full.items():
            found, expected = trace[key].tensor, stage.tensor
            if "head" in stage.roles and key != "W_O":
                expected = expected.take([head], axis=stage.roles.index("head"))
            assert found.dtype == expected.dtype
            same_numbers = expected.reshape(found.shape)  # of W_O and the masks the axes differ
            np.testing.assert_allclose(found, same_numbers, rtol=rtol, atol=rtol, err_msg=key)


def in_turn(x, matrices, options):
    return Heads(x, matrices, AttentionOptions(**options))


@pytest.mark.parametrize("biased", [True, False])
def test_dropout_of_one_head_is_that_of_all_heads(biased):
    pairs = np.random.default_rng(6).random((BATCH, HEADS, N, N), dtype=np.float32)
    heads = Heads(source(), weights(biased), AttentionOptions(dropout=0.4, seed=6))
    for head in range(HEADS):
        keep = heads.head_trace(head)["keep"].tensor[:, 0]
        np.testing.assert_array_equal(keep, pairs[:, head] >= np.float32(0.4))


@for_all("head", range(HEADS))
def test_a_column_of_concat_is_read_from_its_head(head):
    heads = Heads(source(), weights())
    trace = heads.head_trace(head, heads.outputs())
    found = []
    for column in range(HEADS * D_V):
        address = explain(trace, "concat", (1, 2, column)).made_by.address
        found.append((address.stage, address.index[-1]))
    expected = [
        (stage, column)
        for stage, count in (("heads_before", head), ("head_output", 1),
                             ("heads_after", HEADS - 1 - head))
        for column in range(count * D_V)
    ]  # fmt: skip
    assert found == expected
    for key in ("heads_before", "heads_after"):
        assert key not in trace or trace[key].rule == rules.Given("earlier")


def test_the_head_axis_has_length_1_and_the_index_of_the_head():
    heads = Heads(source(), weights())
    trace = heads.head_trace(1, heads.outputs())
    assert trace.token == "frame"
    for stage in trace.values():
        if "head" in stage.roles:
            assert stage.size("head") == 1
            axis = stage.axis("head")
            assert (axis.labels, axis.first, axis.of) == (("2",), 1, HEADS)
    assert trace["weights"].axis("query").labels == trace["weights"].axis("key").labels == NAMES


def test_one_head_has_the_token_axes_of_all_heads():
    one = Heads(source(padded=True), weights()).head_trace(1)
    every = multi_head_attention(source(padded=True), weights())
    for key, role in (("X", "token"), ("Q", "query"), ("weights", "query"), ("weights", "key")):
        assert one[key].axis(role) == every[key].axis(role), key
    assert every["weights"].axis("key").kinds_of(1) == (*["frame"] * 4, *["filling"] * 3)


def test_without_outputs_the_trace_ends_at_head_output():
    heads = Heads(source(), weights())
    assert list(heads.head_trace(0))[-1] == "head_output"
    without = Heads(source(), replace(weights(), W_O=None, b_O=None))
    assert list(without.head_trace(0, without.outputs()))[-1] == "concat"


def test_the_query_key_stages_of_one_head_only_are_in_memory():
    n, many = 293, 8
    x = Trace([given("X", numbers(1, n, 64).astype(np.float32), axes("batch", "token", "d_model"))])
    matrices = Weights.seeded(64, many, 1)
    pairs = n * n * 4  # bytes of one stage of one head
    tracemalloc.start()
    heads = Heads(x, matrices)
    trace = heads.head_trace(2, heads.outputs())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 6 * pairs
    assert trace_cost(multi_head_attention(x, matrices)).bytes > 3 * many * pairs
    assert trace["weights"].tensor.shape == (1, 1, n, n)


def test_outputs_yields_one_head_at_a_time():
    outputs = Heads(source(), weights()).outputs()
    assert next(outputs).shape == (BATCH, N, D_V)
    assert len(list(outputs)) == HEADS - 1


@pytest.mark.parametrize("head", [-1, HEADS])
def test_a_head_out_of_range_is_refused(head):
    with pytest.raises(IndexError, match=f"no head {head}: there are 3"):
        Heads(source(), weights()).head_trace(head)


def test_invalid_arguments_are_refused():
    with refuses("shape_mismatch", name="X"):
        Heads(source(), Weights.seeded(12, 3, 1))
    large = Trace([given("X", np.full((1, 2, D_MODEL), 1e308), axes("batch", "token", "d_model"))])
    with refuses("not_finite"):
        Heads(large, weights())
    with refuses("out_of_range", name="temperature"):
        Heads(source(), weights(), AttentionOptions(temperature=0)).head_trace(0)
    with refuses("shape_mismatch", name="allowed"):
        allowed = np.ones((BATCH, HEADS, N, N), bool)
        next(Heads(source(), weights(), AttentionOptions(allowed=allowed)).outputs())
    with pytest.raises(ValueError, match="without sinks, precision"):
        Heads(source(), weights(), AttentionOptions(sinks=np.ones(3), precision="float16"))
