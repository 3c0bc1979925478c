"""ModernBERT.

"Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder for Fast, Memory Efficient, and
Long Context Finetuning and Inference" (Warner et al., 2024), section 2.1. Since version 5 of
``transformers`` with ``layer_types`` and ``rope_parameters``, before that with
``global_attn_every_n_layers`` and ``global_rope_theta``.
"""

from collections.abc import Mapping
from typing import Any

from core.models.config import Family, ModelConfig, TensorNames
from core.models.config_values import (
    ACTIVATIONS,
    FULL,
    SILU,
    SLIDING,
    activation,
    epsilon,
    flag,
    integer,
    is_number,
    layer_types,
    rotary,
    sizes,
    table,
    wrong_value,
)

THETAS = {FULL: ("global_rope_theta", 160_000.0), SLIDING: ("local_rope_theta", 10_000.0)}
GATES = {name: known for name, known in ACTIVATIONS.items() if name != "relu"} | SILU


def config(model_type: str, stated: Mapping[str, Any]) -> ModelConfig:
    """The configuration, by ``config.json``."""
    found = sizes(stated)
    heads, d_model = found["heads"], found["d_model"]
    d_k = d_model // heads
    if d_k % 2:
        raise wrong_value("num_attention_heads", heads, f"{d_model} / (2 n)")
    if stated.get("head_dim") not in (None, d_k):
        raise wrong_value("head_dim", stated["head_dim"], str(d_k))
    has_bias = flag(stated, "attention_bias", False)
    return ModelConfig(
        model_type,
        **found,
        positions=integer(stated, "max_position_embeddings", 8192),
        epsilon=epsilon(stated, "norm_eps", 1e-5),
        activation=activation(stated, "hidden_activation", "gelu", GATES),
        pre_norm=True,
        first_norm=False,
        gated=True,
        vocabulary=integer(stated, "vocab_size"),
        qkv_bias=has_bias,
        output_bias=has_bias,
        mlp_bias=flag(stated, "mlp_bias", False),
        norm_bias=flag(stated, "norm_bias", False),
        rotary=rotary(*_rope(stated, FULL), d_k),
        local_rotary=rotary(*_rope(stated, SLIDING), d_k),
        windows=_windows(stated, found["layers"]),
    )


def _windows(stated: Mapping[str, Any], layers: int) -> tuple[tuple[int, int] | None, ...]:
    """The window of each layer: half of ``local_attention`` on either side; None for all tokens."""
    half = integer(stated, "local_attention", 128) // 2
    if stated.get("sliding_window") not in (None, half):
        raise wrong_value("sliding_window", stated["sliding_window"], str(half))
    types = layer_types(stated, (FULL, SLIDING), layers)
    every = integer(stated, "global_attn_every_n_layers", 3)
    types = types or tuple(SLIDING if layer % every else FULL for layer in range(layers))
    return tuple((half, half) if one == SLIDING else None for one in types)


def _rope(stated: Mapping[str, Any], kind: str) -> tuple[str, Mapping[str, Any]]:
    """The name of the settings, and the settings, of rotary positions for a kind of layers."""
    parameters = stated.get("rope_parameters")
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, dict) or not {*parameters} <= {*THETAS}:
        raise wrong_value("rope_parameters", parameters, ", ".join(THETAS))
    name = f"rope_parameters.{kind}"
    of_kind, scaling = table({name: parameters.get(kind)}, name), table(stated, "rope_scaling")
    name, rope = "rope_scaling" if scaling else name, of_kind | scaling
    return name, rope if "rope_theta" in rope else rope | {"rope_theta": _theta(stated, kind)}


def _theta(stated: Mapping[str, Any], kind: str) -> float:
    """The base of the frequencies, as files of before version 5 call it."""
    name, default = THETAS[kind]
    theta = stated.get(name, default)
    if theta is None and kind == SLIDING:  # it is then that of the other layers
        return _theta(stated, FULL)
    if not is_number(theta) or not theta > 1:
        raise wrong_value(name, theta, "> 1")
    return float(theta)


def tensor_names(config: ModelConfig) -> TensorNames:
    """The names of the tensors."""
    return TensorNames(
        prefix="model.",
        layer="layers.{}.",
        linear={"QKV": "attn.Wqkv", "O": "attn.Wo", "gate_up": "mlp.Wi", "down": "mlp.Wo"},
        norms=("attn_norm", "mlp_norm"),
        inputs={
            "E": "embeddings.tok_embeddings.weight",
            "gamma": "embeddings.norm.weight",
            "beta": "embeddings.norm.bias",
        },
        final_norm="final_norm",
    )


FAMILY = Family(("modernbert",), config, tensor_names)
