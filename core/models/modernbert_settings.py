"""The configuration of ModernBERT.

"Smarter, Better, Faster, Longer: A Modern Bidirectional Encoder for Fast, Memory Efficient, and
Long Context Finetuning and Inference" (Warner et al., 2024), section 2.1. Names and defaults are
those of Hugging Face's ``transformers``: since version 5 with ``layer_types`` and
``rope_parameters``, before that with ``global_attn_every_n_layers`` and ``global_rope_theta``.
"""

from collections.abc import Mapping
from typing import Any

from core.errors import InputError, wrong_setting
from core.models.config_values import (
    ACTIVATIONS,
    FULL,
    SLIDING,
    activation,
    epsilon,
    flag,
    is_number,
    layer_types,
    positive_int,
    printable,
)
from core.models.folder import CONFIG
from core.models.rotary_settings import rotary

FIXED: Mapping[str, Any] = {"quantization_config": None}
THETAS = {FULL: ("global_rope_theta", 160_000.0), SLIDING: ("local_rope_theta", 10_000.0)}
GATES = {name: known for name, known in ACTIVATIONS.items() if name != "relu"}
GATES |= {"silu": "silu", "swish": "silu"}


def read(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``core.models.settings.ModelConfig``.

    Raises wrong_setting and heads_do_not_divide.
    """
    layers, heads, d_model = (
        positive_int(config, name)
        for name in ("num_hidden_layers", "num_attention_heads", "hidden_size")
    )
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    d_k = d_model // heads
    if d_k % 2:
        raise wrong_setting(CONFIG, "num_attention_heads", printable(heads), f"{d_model} / (2 n)")
    if config.get("head_dim") not in (None, d_k):
        raise wrong_setting(CONFIG, "head_dim", printable(config["head_dim"]), str(d_k))
    has_bias = flag(config, "attention_bias", False)
    return {
        "kind": kind,
        "layers": layers,
        "heads": heads,
        "d_model": d_model,
        "d_ff": positive_int(config, "intermediate_size"),
        "positions": positive_int(config, "max_position_embeddings", 8192),
        "epsilon": epsilon(config, "norm_eps", 1e-5),
        "activation": activation(config, "hidden_activation", "gelu", GATES),
        "vocabulary": positive_int(config, "vocab_size"),
        "qkv_bias": has_bias,
        "output_bias": has_bias,
        "mlp_bias": flag(config, "mlp_bias", False),
        "norm_bias": flag(config, "norm_bias", False),
        "rotary": rotary(*_rope(config, FULL), d_k),
        "local_rotary": rotary(*_rope(config, SLIDING), d_k),
        "windows": _windows(config, layers),
    }


def _windows(config: Mapping[str, Any], layers: int) -> tuple[tuple[int, int] | None, ...]:
    """The window of each layer: half of ``local_attention`` on either side; None for all tokens.

    Raises wrong_setting.
    """
    half = positive_int(config, "local_attention", 128) // 2
    if config.get("sliding_window") not in (None, half):
        raise wrong_setting(
            CONFIG, "sliding_window", printable(config["sliding_window"]), str(half)
        )
    stated = layer_types(config, (FULL, SLIDING), layers)
    every = positive_int(config, "global_attn_every_n_layers", 3)
    stated = stated or tuple(SLIDING if layer % every else FULL for layer in range(layers))
    return tuple((half, half) if one == SLIDING else None for one in stated)


def _rope(config: Mapping[str, Any], kind: str) -> tuple[str, Mapping[str, Any]]:
    """The rotary positions of the layers of a kind, and what their settings are called.

    Raises wrong_setting.
    """
    stated = config.get("rope_parameters")
    if stated is None:
        stated = {}
    if not isinstance(stated, dict) or not {*stated} <= {*THETAS}:
        raise wrong_setting(CONFIG, "rope_parameters", printable(stated), ", ".join(THETAS))
    of_kind, scaling = stated.get(kind), config.get("rope_scaling")
    for name, found in (("rope_parameters", of_kind), ("rope_scaling", scaling)):
        if found is not None and not isinstance(found, dict):
            raise wrong_setting(CONFIG, name, printable(found), "{…}")
    name = "rope_scaling" if scaling else f"rope_parameters.{kind}"
    rope = (of_kind or {}) | (scaling or {})
    return name, rope if "rope_theta" in rope else rope | {"rope_theta": _theta(config, kind)}


def _theta(config: Mapping[str, Any], kind: str) -> float:
    """The base of the frequencies, as files of before version 5 call it. Raises wrong_setting."""
    name, default = THETAS[kind]
    theta = config.get(name, default)
    if theta is None and kind == SLIDING:  # it is then that of the other layers
        return _theta(config, FULL)
    if not is_number(theta) or not theta > 1:
        raise wrong_setting(CONFIG, name, printable(theta), "> 1")
    return float(theta)
