"""The conformance cases of the ONNX operator Attention, as the onnx package ships them.

The operator: https://onnx.ai/onnx/operators/onnx__Attention.html
"""

import warnings

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

LEFT_FOR_LATER = {
    "grouped heads": [
        "3d_gqa",
        "3d_gqa_attn_mask",
        "3d_gqa_causal",
        "3d_gqa_scaled",
        "4d_gqa",
        "4d_gqa_attn_mask",
        "4d_gqa_causal",
        "4d_gqa_scaled",
    ],
    "soft cap": [
        "3d_diff_heads_sizes_softcap",
        "3d_gqa_softcap",
        "3d_softcap",
        "4d_diff_heads_sizes_softcap",
        "4d_gqa_softcap",
        "4d_softcap",
        "4d_softcap_neginf_mask",
        "4d_softcap_neginf_mask_poison",
        "4d_with_qk_matmul_softcap",
    ],
    "window": [
        "3d_local_window",
        "bidirectional_window",
        "local_window",
        "local_window_ext_cache_rank2_mask",
        "local_window_ext_cache_rank3_head_mask",
        "local_window_ext_cache_rank4_batch_mask",
        "local_window_gqa_rank4_mask",
        "local_window_rank1_boolean_mask",
        "local_window_with_past",
    ],
    "cache": [
        "3d_diff_heads_with_past_and_present",
        "3d_gqa_with_past_and_present",
        "3d_with_past_and_present",
        "3d_with_past_and_present_qk_matmul",
        "3d_with_past_and_present_qk_matmul_bias",
        "3d_with_past_and_present_qk_matmul_softcap",
        "3d_with_past_and_present_qk_matmul_softmax",
        "4d_causal_with_past_and_present",
        "4d_diff_heads_with_past_and_present",
        "4d_diff_heads_with_past_and_present_mask3d",
        "4d_diff_heads_with_past_and_present_mask4d",
        "4d_gqa_with_past_and_present",
        "4d_with_past_and_present",
        "4d_with_past_and_present_qk_matmul",
        "4d_with_past_and_present_qk_matmul_bias",
        "4d_with_past_and_present_qk_matmul_bias_3d_mask",
        "4d_with_past_and_present_qk_matmul_bias_3d_mask_causal",
        "4d_with_past_and_present_qk_matmul_bias_4d_mask",
        "4d_with_past_and_present_qk_matmul_bias_4d_mask_causal",
    ],
    "cache filled to a length of its own in each sample": [
        "4d_causal_nonpad_attn_mask_composition",
        "4d_causal_nonpad_batch_prefill",
        "4d_causal_nonpad_continued_prefill",
        "4d_causal_nonpad_negative_offset_structural_empty",
        "4d_diff_heads_mask4d_padded_kv",
        "4d_gqa_causal_nonpad_decode",
    ],
    "half precision": [
        "24_qk_matmul_output_mode3_softmax_precision",
        "3d_causal_bf16",
        "4d_attn_mask_causal_bf16",
        "4d_causal_bf16",
        "4d_causal_fp16",
        "4d_causal_padded_kv_bf16",
        "4d_fp16",
        "4d_gqa_causal_nonpad_decode_fp16",
        "4d_gqa_with_past_and_present_fp16",
        "4d_padded_kv_bf16",
        "local_window_ext_cache_float16_mask",
    ],
}
LATER = [name for names in LEFT_FOR_LATER.values() for name in names]
TESTED = [
    "23_boolmask_fullymasked_row_nan_robustness",
    "23_fullymasked_qk_matmul_output_mode3_zero",
    "24_fullymasked_qk_matmul_output_mode3_zero",
    "3d",
    "3d_attn_mask",
    "3d_causal",
    "3d_diff_heads_sizes",
    "3d_diff_heads_sizes_attn_mask",
    "3d_diff_heads_sizes_causal",
    "3d_diff_heads_sizes_scaled",
    "3d_scaled",
    "3d_transpose_verification",
    "4d",
    "4d_attn_mask",
    "4d_attn_mask_3d",
    "4d_attn_mask_3d_causal",
    "4d_attn_mask_4d",
    "4d_attn_mask_4d_causal",
    "4d_attn_mask_bool",
    "4d_attn_mask_bool_4d",
    "4d_causal",
    "4d_diff_heads_sizes",
    "4d_diff_heads_sizes_attn_mask",
    "4d_diff_heads_sizes_causal",
    "4d_diff_heads_sizes_scaled",
    "4d_scaled",
    "4d_with_qk_matmul",
    "4d_with_qk_matmul_bias",
    "4d_with_qk_matmul_softmax",
    "causal_boolmask_nan_robustness",
    "local_window_default",
]
# The operator's fourth output: the product of Q and K, both times √scale; the same after the soft
# cap, of which there is none; the same with masks and bias; and after softmax.
SCORE_OUTPUTS = {0: "scaled", 1: "scaled", 2: "masked", 3: "weights"}
UNDERSTOOD = {
    "scale",
    "is_causal",
    "q_num_heads",
    "kv_num_heads",
    "qk_matmul_output_mode",
    "left_window_size",
    "right_window_size",
}


def test_every_case_there_is_is_tested_or_left_for_later():
    assert sorted(TESTED + LATER) == sorted(CASES)


@for_all("group", LEFT_FOR_LATER)
def test_what_is_left_for_later_is_not_plain_attention(group):
    for name in LEFT_FOR_LATER[group]:
        assert not is_plain(CASES[name]), name


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


def is_plain(case):
    attributes, inputs, _ = parts(case)
    windows = {attributes.get(f"{side}_window_size", -1) for side in ("left", "right")}
    heads = [inputs[name].shape[1] for name in "QK"]
    if inputs["Q"].ndim == 3:
        heads = [attributes["q_num_heads"], attributes["kv_num_heads"]]
    return (
        set(attributes) <= UNDERSTOOD
        and set(inputs) <= {"Q", "K", "V", "attn_mask"}
        and inputs["Q"].dtype == np.float32
        and windows == {-1}
        and heads[0] == heads[1]
    )


def by_head(packed, heads):
    """(batch, n, heads · width) as (batch, head, n, width); four axes as they are."""
    if packed.ndim == 4:
        return packed
    return np.stack(np.split(packed, heads, axis=2), axis=1)


@for_all("name", TESTED)
def test_conforms_to_the_onnx_operator(name):
    attributes, inputs, outputs = parts(CASES[name])
    assert is_plain(CASES[name])
    Q, K, V = (by_head(inputs[x], attributes.get("q_num_heads")) for x in "QKV")
    mask = inputs.get("attn_mask")
    boolean = mask is not None and mask.dtype == bool
    trace = scaled_dot_product_attention(
        Q,
        K,
        V,
        AttentionOptions(
            allowed=mask if boolean else None,
            bias=None if boolean else mask,
            causal=bool(attributes.get("is_causal", 0)),
            scale=attributes.get("scale"),
        ),
    )
    expected = by_head(outputs.pop("Y"), attributes.get("q_num_heads"))
    close = {"rtol": 1e-5, "atol": 1e-6}
    np.testing.assert_allclose(trace["head_output"].tensor, expected, **close)
    for scores in outputs.values():
        key = SCORE_OUTPUTS[attributes.get("qk_matmul_output_mode", 0)]
        np.testing.assert_allclose(trace[key].tensor, scores, **close)
    assert trace["head_output"].tensor.dtype == np.float32
