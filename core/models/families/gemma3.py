"""Gemma 3, of text.

"Gemma 3 Technical Report" (Gemma Team, 2025), section 2: RMSNorm before and behind each part, a
norm of queries and keys, five layers with a window for each without one, and of these two kinds
each its own base of rotary positions.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Any

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import (
    FULL,
    SLIDING,
    activation,
    check_all_rotated,
    check_kv_heads,
    epsilon,
    flag,
    integer,
    layer_types,
    rotary,
    table,
    wrong_value,
)
from core.models.families.llama import tensor_names as llama_names
from core.rotary import Rotary

EVERY = 6  # of so many layers the last one has no window
GELU_TANH = {"gelu_pytorch_tanh": "gelu_tanh"}
THETAS = {FULL: ("rope_theta", 1_000_000.0), SLIDING: ("rope_local_base_freq", 10_000.0)}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    layers = integer(stated, "num_hidden_layers", 26)
    heads = integer(stated, "num_attention_heads", 8)
    d_model, d_k = integer(stated, "hidden_size", 2304), integer(stated, "head_dim", 256)
    if d_k % 2:
        raise wrong_value("head_dim", d_k, "2 n")
    if stated.get("query_pre_attn_scalar", d_k) != d_k:
        raise wrong_value("query_pre_attn_scalar", stated["query_pre_attn_scalar"], str(d_k))
    check_all_rotated(stated)
    has_bias = flag(stated, "attention_bias", False)
    return ModelConfig(
        model_type,
        layers,
        heads,
        d_model,
        d_ff=integer(stated, "intermediate_size", 9216),
        positions=integer(stated, "max_position_embeddings", 131_072),
        epsilon=epsilon(stated, "rms_norm_eps", 1e-6),
        activation=activation(stated, "hidden_activation", "gelu_pytorch_tanh", GELU_TANH),
        causal=True,
        pre_norm=True,
        rms=True,
        gated=True,
        vocabulary=integer(stated, "vocab_size", 262_208),
        embedding_scale=sqrt(d_model),
        gamma_offset=1.0,
        qkv_bias=has_bias,
        output_bias=has_bias,
        mlp_bias=False,
        norm_bias=False,
        kv_heads=check_kv_heads(integer(stated, "num_key_value_heads", 4), heads),
        d_k=d_k,
        qk_norm=True,
        tied=flag(stated, "tie_word_embeddings", True),
        rotary=_rotary(stated, FULL, d_k),
        local_rotary=_rotary(stated, SLIDING, d_k),
        windows=_windows(stated, layers),
    )


def _windows(stated: Mapping[str, Any], layers: int) -> tuple[tuple[int, int] | None, ...]:
    """The window of each layer, None for all tokens: a token sees itself and those before it."""
    every = integer(stated, "sliding_window_pattern", EVERY)
    types = layer_types(stated, (FULL, SLIDING), layers) or tuple(
        SLIDING if (layer + 1) % every else FULL for layer in range(layers)
    )
    window = (integer(stated, "sliding_window", 4096) - 1, -1)
    return tuple(window if one == SLIDING else None for one in types)


def _rotary(stated: Mapping[str, Any], kind: str, d_k: int) -> Rotary:
    """The rotary positions of the layers of a kind; only those of all tokens may be scaled."""
    name, default = THETAS[kind]
    of_kind = table(table(stated, "rope_parameters"), kind)
    scaling = table(stated, "rope_scaling") if kind == FULL else {}
    theta = {"rope_theta": stated.get(name, default)}
    return rotary("rope_parameters" if of_kind else "rope_scaling", theta | scaling | of_kind, d_k)


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors: those of Llama, and the norms behind each part."""
    return replace(
        llama_names(config),
        norms=("input_layernorm", "pre_feedforward_layernorm"),
        post_norms=("post_attention_layernorm", "post_feedforward_layernorm"),
    )


FIXED = {
    "attn_logit_softcapping": None,
    "final_logit_softcapping": None,
    "use_bidirectional_attention": False,
}
FAMILY = Family(("gemma3_text",), config, tensor_names, FIXED)
