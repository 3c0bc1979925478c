"""Stored and explained numbers agree near the limits of their precision."""

import math
from typing import get_args

import numpy as np
import pytest
from claims import for_all
from near_the_limits import D_FF, D_MODEL, drawn, stage, traces
from refuses import refuses
from rounding import allowed

from core import explain, ops, rules
from core.attention import scaled_dot_product_attention
from core.layers import FeedForward, Norm
from core.models import forward
from core.models.model import Layer
from core.options import AttentionOptions


def disagreements(trace, dtype, kinds):
    for key, made in trace.items():
        kinds |= set(kinds_of(made.rule))
        for index in np.ndindex(made.tensor.shape):
            cell = explain(trace, key, index)
            value, shown = cell.value, cell.made_by.value
            if value != shown and not abs(value - shown) <= allowed(cell.made_by, dtype):
                yield f"{np.dtype(dtype)} {key}{index}: {value} is stored, {shown} explained"


def kinds_of(rule):
    yield type(rule)
    for name in rule.__dataclass_fields__:
        value = getattr(rule, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, rules.Rule):
                yield from kinds_of(part)


def test_explained_cells_equal_stored_ones_near_the_limits_of_precision():
    wrong, kinds = [], set()
    for kind, dtype, trace in traces():
        wrong += [f"{kind}: {one}" for one in disagreements(trace, dtype, kinds)]
    assert not wrong, "\n".join(wrong)
    assert kinds == set(get_args(rules.Rule))


def layer():
    shapes = ((D_MODEL, D_FF), (D_FF,), (D_FF, D_MODEL), (D_MODEL,))
    parts = [drawn(*shape, seed=20 + i).astype(np.float32) for i, shape in enumerate(shapes)]
    matrices = {name: np.eye(D_MODEL, dtype=np.float32) for name in ("W_Q", "W_K", "W_V", "W_O")}
    norm = Norm(np.ones(D_MODEL, np.float32), np.zeros(D_MODEL, np.float32), 1e-5)
    return Layer(matrices, 1, norm, FeedForward(*parts), norm, kv_heads=1, epsilon=1e-5)


@pytest.mark.parametrize(("dtype", "size"), [(np.float32, 2e19), (np.float64, 2e154)])
def test_a_row_whose_variance_overflows_is_refused_by_every_norm(dtype, size):
    row = np.array([[[1, -1, 1, -1, 1]]], dtype) * dtype(size)
    norm = Norm(np.ones(D_MODEL), np.full(D_MODEL, 0.5), 1e-5)
    for key in ("normalised", "X"):
        with refuses("not_finite", name=key):
            norm.stages(stage(row, "stream"), key)
    assert np.isnan(ops.layer_norm(row, 1e-5)).all()


@pytest.mark.parametrize("pre_norm", [True, False])
def test_a_layer_without_a_trace_also_refuses_an_overflowing_variance(pre_norm):
    row = np.array([[1, -1, 1, -1, 1]], np.float32) * np.float32(2e19)
    with np.errstate(all="ignore"):
        made = forward.layer_forward(row, layer(), causal=False, pre_norm=pre_norm)
    assert not np.isfinite(made).any()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_layer_norm_of_equal_numbers_is_0(dtype):
    for value in (0.1, 1e5 + 0.1, 1e8 + 0.1, 1e15 + 0.1):
        for width in (3, 7, 100, 768):
            row = np.full((1, width), value, dtype)
            assert np.abs(ops.layer_norm(row, 1e-5)).max() < 1e-3, (value, width)


@for_all("dtype", [np.float32, np.float64])
@for_all("least", [np.finfo(np.float32).min, None])
def test_a_bias_of_the_least_number_masks_as_hugging_face_does(dtype, least):
    """softmax(scaled + bias): nothing beside other keys, even shares where every key has it."""
    least = np.finfo(dtype).min if least is None else least
    Q, K, V = (drawn(1, 1, 3, 4, seed=seed).astype(dtype) for seed in (41, 42, 43))
    bias = np.zeros((3, 3), np.float32 if dtype == np.float32 else np.float64)
    bias[0, 1:] = bias[1, 2] = bias[2] = least
    trace = scaled_dot_product_attention(Q, K, V, AttentionOptions(bias=bias))
    shares = trace["weights"].tensor[0, 0]
    s = [[float(x) for x in row] for row in trace["scaled"].tensor[0, 0]]
    ends = [math.exp(s[1][j]) for j in (0, 1)]
    expected = [
        [1, 0, 0],
        [ends[0] / sum(ends), ends[1] / sum(ends), 0],
        [1 / 3, 1 / 3, 1 / 3],
    ]
    np.testing.assert_allclose(shares, expected, rtol=1e-6, atol=0)
    assert np.isfinite(trace["masked"].tensor).all()
