"""The conformance cases of ONNX: Attention, RotaryEmbedding, RMSNormalization, LayerNormalization.

The operators: https://onnx.ai/onnx/operators/
"""

import warnings
from typing import Any

import ml_dtypes
import numpy as np
from claims import for_all

from core import ops, scaled_dot_product_attention
from core.options import AttentionOptions

with warnings.catch_warnings():
    # The cases of an operator are made on import, some with intended overflows; onnx's own
    # loader imports those of all operators.
    warnings.simplefilter("ignore")
    import onnx
    from onnx.backend.test.case import node
    from onnx.backend.test.case.node import (
        attention,
        layernormalization,
        rmsnormalization,
        rotaryembedding,
    )

OPERATORS = (attention, layernormalization, rmsnormalization, rotaryembedding)  # their cases exist


def cases(operator: str) -> dict[str, Any]:
    """The cases of an operator, such as ``attention``, by their names without it.

    A case named …_expanded is the one without that ending, its operator written out in others.
    """
    return {
        case.name.removeprefix(f"test_{operator}").removeprefix("_") or "plain": case
        for case in node._NodeTestCases
        if case.name.startswith(f"test_{operator}") and "_expanded" not in case.name
    }


def parts(case: Any) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The operator's attributes, and its inputs and outputs by name."""
    (operator,) = case.model.graph.node
    ((inputs, outputs),) = case.data_sets
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in operator.attribute}
    return (
        attributes,
        dict(zip([name for name in operator.input if name], inputs, strict=True)),
        dict(zip([name for name in operator.output if name], outputs, strict=True)),
    )


ATTENTION = cases("attention")
OTHERS = {
    name: cases(name) for name in ("rotary_embedding", "rms_normalization", "layer_normalization")
}
HALVES = {np.dtype(np.float16): "float16", np.dtype(ml_dtypes.bfloat16): "bfloat16"}
# Two units in the last place: the reference adds up in half precision, a processor need not.
CLOSE = {
    None: {"rtol": 1e-5, "atol": 1e-6},
    "float16": {"rtol": 2**-9, "atol": 2**-11},
    "bfloat16": {"rtol": 2**-6, "atol": 2**-8},
}
NUMBERS = {
    "attention": 93,
    "rotary_embedding": 8,
    "rms_normalization": 19,
    "layer_normalization": 19,
}


def by_head(packed, heads):
    """(batch, n, heads · width) as (batch, head, n, width); four axes as they are."""
    packed = packed.astype(np.float32) if packed.dtype in HALVES else packed
    if packed.ndim == 4:
        return packed
    return np.stack(np.split(packed, heads, axis=2), axis=1)


def spread(mask, key):
    """A mask that ends before the last key does not allow the keys behind it."""
    hidden = False if mask.dtype == bool else -np.inf
    widths = [(0, 0)] * (mask.ndim - 1) + [(0, key - mask.shape[-1])]
    mask = mask.astype(np.float32) if mask.dtype in HALVES else mask
    return np.pad(mask, widths, constant_values=hidden)


def options_of(attributes, inputs, key, precision):
    mask = inputs.get("attn_mask")
    mask = None if mask is None else spread(mask, key)
    is_boolean = mask is not None and mask.dtype == bool
    window = tuple(attributes.get(f"{side}_window_size", -1) for side in ("left", "right"))
    past = [
        inputs[name].astype(np.float32) for name in ("past_key", "past_value") if name in inputs
    ]
    return AttentionOptions(
        allowed=mask if is_boolean else None,
        bias=None if is_boolean else mask,
        causal=bool(attributes.get("is_causal", 0)),
        window=None if window == (-1, -1) else window,
        scale=attributes.get("scale", "root"),
        soft_cap=attributes.get("softcap") or None,
        lengths=inputs.get("nonpad_kv_seqlen"),
        past=tuple(past) or None,
        precision=precision,
    )


def test_all_cases_of_the_package_are_found():
    found = {"attention": ATTENTION} | OTHERS
    assert {name: len(some) for name, some in found.items()} == NUMBERS


@for_all("name", ATTENTION)
def test_attention_conforms_to_the_operator(name):
    attributes, inputs, outputs = parts(ATTENTION[name])
    precision = HALVES.get(inputs["Q"].dtype)
    heads = {"Q": attributes.get("q_num_heads"), "K": attributes.get("kv_num_heads")}
    Q, K, V = (by_head(inputs[x], heads["Q" if x == "Q" else "K"]) for x in "QKV")
    key = K.shape[2] + (inputs["past_key"].shape[2] if "past_key" in inputs else 0)
    options = options_of(attributes, inputs, key, precision)
    trace = scaled_dot_product_attention(Q, K, V, options)
    close = CLOSE[precision]
    # The operator's fourth output: the product of Q and K, both times √scale; the same after the
    # soft cap; with masks and bias; and after softmax.
    scores = ("scaled", "capped", "masked", "weights")[attributes.get("qk_matmul_output_mode", 0)]
    found = {
        "Y": "head_output",
        "present_key": "present_K",
        "present_value": "present_V",
        "qk_matmul_output": scores if scores in trace else "scaled",
    }
    for output, expected in outputs.items():
        expected = by_head(expected, heads["Q" if output == "Y" else "K"])
        made = trace[found[output]].tensor
        assert made.dtype == np.float32
        np.testing.assert_allclose(made, expected, **close, err_msg=output)


def normalised_as(X, attributes):
    """X, the axes that are normalised together as one."""
    axis = attributes.get("axis", -1) % X.ndim
    return X.reshape(*X.shape[:axis], -1)


@for_all("name", OTHERS["layer_normalization"])
def test_layer_norm_conforms_to_the_operator(name):
    attributes, inputs, outputs = parts(OTHERS["layer_normalization"][name])
    X = normalised_as(inputs["X"], attributes)
    found = ops.layer_norm(
        X, attributes.get("epsilon", 1e-5), inputs["W"].reshape(-1), inputs["B"].reshape(-1)
    )
    np.testing.assert_allclose(found.reshape(outputs["Y"].shape), outputs["Y"], **CLOSE[None])


@for_all("name", OTHERS["rms_normalization"])
def test_rms_norm_conforms_to_the_operator(name):
    attributes, inputs, outputs = parts(OTHERS["rms_normalization"][name])
    X = normalised_as(inputs["X"], attributes)
    found = ops.rms_norm(X, attributes.get("epsilon", 1e-5), inputs["W"].reshape(-1))
    np.testing.assert_allclose(found.reshape(outputs["Y"].shape), outputs["Y"], **CLOSE[None])


@for_all("name", OTHERS["rotary_embedding"])
def test_rotary_positions_conform_to_the_operator(name):
    attributes, inputs, outputs = parts(OTHERS["rotary_embedding"][name])
    X = by_head(inputs["input"], attributes.get("num_heads"))
    cos, sin = (inputs[f"{table}_cache"] for table in ("cos", "sin"))
    if "position_ids" in inputs:
        cos, sin = (table[inputs["position_ids"]] for table in (cos, sin))
    found = ops.rotate(X, cos[:, None], sin[:, None], bool(attributes.get("interleaved", 0)))
    expected = by_head(outputs["output"], attributes.get("num_heads"))
    np.testing.assert_allclose(found, expected, **CLOSE[None])
