"""Llama-like decoders: Llama, Mistral, Qwen2 and Qwen3.

"LLaMA: Open and Efficient Foundation Language Models" (Touvron et al., 2023). Since version 5 of
``transformers`` with ``rope_parameters``, before that with ``rope_theta`` and ``rope_scaling``.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import (
    FULL,
    SILU,
    SLIDING,
    activation,
    check_all_rotated,
    check_heads,
    check_kv_heads,
    epsilon,
    flag,
    integer,
    layer_types,
    rotary,
    table,
    wrong_value,
)
from core.rotary import Rotary

FIRST_SLIDING = 28  # layer of Qwen, by default


class Defaults(NamedTuple):
    """The defaults of ``transformers``.

    kv_heads: 0 for as many as query heads. d_k: 0 for d_model / h.
    """

    positions: int
    kv_heads: int
    d_k: int
    window: int | None


DEFAULTS = {
    "llama": Defaults(2048, 0, 0, None),
    "mistral": Defaults(131072, 8, 0, 4096),
    "qwen2": Defaults(32768, 32, 0, 4096),
    "qwen3": Defaults(32768, 32, 128, 4096),
}


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    defaults = DEFAULTS[model_type]
    heads, d_model = integer(stated, "num_attention_heads"), integer(stated, "hidden_size")
    # null means that the value follows from others; a missing name means the default
    known = {name: value for name, value in stated.items() if value is not None}
    has_kv = "num_key_value_heads" in stated or not defaults.kv_heads
    kv_heads = integer(known, "num_key_value_heads", heads if has_kv else defaults.kv_heads)
    check_kv_heads(kv_heads, heads)
    has_width = "head_dim" in stated or not defaults.d_k
    if "head_dim" not in known and has_width:
        check_heads(d_model, heads)
    d_k = integer(known, "head_dim", d_model // heads if has_width else defaults.d_k)
    if d_k % 2:
        raise wrong_value("head_dim", d_k, "2 n")
    has_bias = model_type in ("llama", "qwen3") and flag(stated, "attention_bias", False)
    layers = integer(stated, "num_hidden_layers")
    return ModelConfig(
        model_type,
        layers,
        heads,
        d_model,
        d_ff=integer(stated, "intermediate_size"),
        positions=integer(stated, "max_position_embeddings", defaults.positions),
        epsilon=epsilon(stated, "rms_norm_eps", 1e-6),
        activation=activation(stated, "hidden_act", "silu", SILU),
        causal=True,
        pre_norm=True,
        rms=True,
        gated=True,
        vocabulary=integer(stated, "vocab_size"),
        qkv_bias=has_bias or model_type == "qwen2",
        output_bias=has_bias,
        mlp_bias=False,
        norm_bias=False,
        kv_heads=kv_heads,
        d_k=d_k,
        qk_norm=model_type == "qwen3",
        tied=flag(stated, "tie_word_embeddings", False),
        rotary=_rotary(stated, d_k),
        windows=_windows(model_type, stated, layers),
    )


def _windows(
    model_type: str, stated: Mapping[str, Any], layers: int
) -> tuple[tuple[int, int] | None, ...]:
    """The sliding window of each layer, to the left of the query; None for full causal attention.

    Mistral has it in all layers; Qwen in those that ``layer_types`` names, or else in those from
    ``max_window_layers`` on.
    """
    default = DEFAULTS[model_type].window
    slides = model_type == "mistral" or (
        model_type in ("qwen2", "qwen3") and flag(stated, "use_sliding_window", False)
    )
    types = layer_types(stated, (FULL, SLIDING) if slides else (FULL,), layers)
    if not slides or stated.get("sliding_window", default) is None:
        return (None,) * layers
    window = (integer(stated, "sliding_window", default) - 1, -1)
    if model_type == "mistral":
        return (window,) * layers
    if not types:
        first = integer(stated, "max_window_layers", FIRST_SLIDING, least=0)
        types = tuple(SLIDING if layer >= first else FULL for layer in range(layers))
    return tuple(window if one == SLIDING else None for one in types)


def _rotary(stated: Mapping[str, Any], d_k: int) -> Rotary:
    """The rotary positions."""
    name = "rope_parameters" if stated.get("rope_parameters") is not None else "rope_scaling"
    rope = table(stated, name)
    check_all_rotated(stated)
    return rotary(name, {"rope_theta": stated.get("rope_theta", 10_000.0)} | rope, d_k)


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    return TensorNames(
        prefix="model.",
        layer="layers.{}.",
        linear={
            **{letter: f"self_attn.{letter.lower()}_proj" for letter in "QKVO"},
            **{part: f"mlp.{part}_proj" for part in ("gate", "up", "down")},
        },
        norms=("input_layernorm", "post_attention_layernorm"),
        inputs={"E": "embed_tokens.weight"},
        qk_norms=("self_attn.q_norm", "self_attn.k_norm"),
        final_norm="norm",
        head="lm_head.weight",
    )


FAMILY = Family(tuple(DEFAULTS), config, tensor_names, {"mlp_bias": False})
