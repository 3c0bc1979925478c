"""The conformance cases of the ONNX operator Attention, as the onnx package ships them.

The operator: https://onnx.ai/onnx/operators/onnx__Attention.html
"""

import warnings

import ml_dtypes
import numpy as np
from claims import for_all

from core import scaled_dot_product_attention
from core.options import AttentionOptions

with warnings.catch_warnings():
    # The cases of an operator are made on import, some with overflows that are meant; onnx's own
    # loader imports those of all operators.
    warnings.simplefilter("ignore")
    import onnx
    from onnx.backend.test.case import node
    from onnx.backend.test.case.node import attention as attention

    # A case named …_expanded is the one without that ending, its operator written out in others.
    CASES = {
        case.name.removeprefix("test_attention_"): case
        for case in node._NodeTestCases
        if case.name.startswith("test_attention") and not case.name.endswith("_expanded")
    }

HALVES = {np.dtype(np.float16): "float16", np.dtype(ml_dtypes.bfloat16): "bfloat16"}
# Two units in the last place: the reference adds up in half precision, a processor need not.
CLOSE = {
    None: {"rtol": 1e-5, "atol": 1e-6},
    "float16": {"rtol": 2**-9, "atol": 2**-11},
    "bfloat16": {"rtol": 2**-6, "atol": 2**-8},
}
NUMBER_OF_CASES = 93  # of onnx 1.23


def parts(case):
    """The operator's attributes, and its inputs and outputs by name."""
    (node,) = case.model.graph.node
    ((inputs, outputs),) = case.data_sets
    attributes = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return (
        attributes,
        dict(zip([name for name in node.input if name], inputs, strict=True)),
        dict(zip([name for name in node.output if name], outputs, strict=True)),
    )


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
        scale=attributes.get("scale"),
        soft_cap=attributes.get("softcap") or None,
        lengths=inputs.get("nonpad_kv_seqlen"),
        past=tuple(past) or None,
        precision=precision,
    )


def test_all_cases_of_the_package_are_found():
    assert len(CASES) >= NUMBER_OF_CASES


@for_all("name", CASES)
def test_conforms_to_the_onnx_operator(name):
    attributes, inputs, outputs = parts(CASES[name])
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
