"""The configuration of Llama-like decoders: Llama, Mistral, Qwen2 and Qwen3.

Names and defaults are those of Hugging Face's ``transformers``: since version 5 with
``rope_parameters``, before that with ``rope_theta`` and ``rope_scaling``.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from core.errors import InputError, wrong_setting
from core.models.config_values import (
    FULL,
    SLIDING,
    epsilon,
    flag,
    layer_types,
    positive_int,
    printable,
)
from core.models.folder import CONFIG
from core.models.rotary_settings import check_whole, rotary
from core.rotary import Rotary

FIRST_SLIDING = 28  # layer of Qwen, where nothing else is said


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


def read(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``core.models.settings.ModelConfig`` for this ``model_type``.

    Raises wrong_setting and heads_do_not_divide.
    """
    defaults = DEFAULTS[kind]
    heads, d_model = (
        positive_int(config, "num_attention_heads"),
        positive_int(config, "hidden_size"),
    )
    # null means that the value follows from others; a missing name means the default
    stated = {name: value for name, value in config.items() if value is not None}
    has_kv = "num_key_value_heads" in config or not defaults.kv_heads
    kv_heads = positive_int(stated, "num_key_value_heads", heads if has_kv else defaults.kv_heads)
    if heads % kv_heads:
        divisors = ", ".join(str(n) for n in range(1, heads + 1) if heads % n == 0)
        raise wrong_setting(CONFIG, "num_key_value_heads", printable(kv_heads), divisors)
    has_width = "head_dim" in config or not defaults.d_k
    if "head_dim" not in stated and has_width and d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    d_k = positive_int(stated, "head_dim", d_model // heads if has_width else defaults.d_k)
    if d_k % 2:
        raise wrong_setting(CONFIG, "head_dim", printable(d_k), "2 n")
    has_bias = flag(config, "attention_bias", False) if kind in ("llama", "qwen3") else False
    layers = positive_int(config, "num_hidden_layers")
    return {
        "kind": kind,
        "layers": layers,
        "heads": heads,
        "d_model": d_model,
        "d_ff": positive_int(config, "intermediate_size"),
        "positions": positive_int(config, "max_position_embeddings", defaults.positions),
        "epsilon": epsilon(config, "rms_norm_eps", 1e-6),
        "activation": _activation(config),
        "vocabulary": positive_int(config, "vocab_size"),
        "qkv_bias": has_bias or kind == "qwen2",
        "output_bias": has_bias,
        "kv_heads": kv_heads,
        "d_k": d_k,
        "qk_norm": kind == "qwen3",
        "tied": flag(config, "tie_word_embeddings", False),
        "rotary": _rotary(config, d_k),
        "windows": _windows(kind, config, layers),
    }


def _activation(config: Mapping[str, Any]) -> str:
    value = config.get("hidden_act", "silu")
    if value not in ("silu", "swish"):
        raise wrong_setting(CONFIG, "hidden_act", printable(value), "silu, swish")
    return "silu"


def _windows(
    kind: str, config: Mapping[str, Any], layers: int
) -> tuple[tuple[int, int] | None, ...]:
    """The window of each layer, None for all tokens: a token sees itself and those before it.

    All layers of Mistral slide; of Qwen those that ``layer_types`` says, or from
    ``max_window_layers`` on. Raises wrong_setting.
    """
    slides = kind == "mistral" or (
        kind in ("qwen2", "qwen3") and flag(config, "use_sliding_window", False)
    )
    stated = layer_types(config, (FULL, SLIDING) if slides else (FULL,), layers)
    if not slides or config.get("sliding_window", DEFAULTS[kind].window) is None:
        return (None,) * layers
    window = (positive_int(config, "sliding_window", DEFAULTS[kind].window) - 1, -1)
    if kind == "mistral":
        return (window,) * layers
    if not stated:
        has_none = config.get("max_window_layers") == 0
        first = 0 if has_none else positive_int(config, "max_window_layers", FIRST_SLIDING)
        stated = tuple(SLIDING if layer >= first else FULL for layer in range(layers))
    return tuple(window if one == SLIDING else None for one in stated)


def _rotary(config: Mapping[str, Any], d_k: int) -> Rotary:
    """The rotary positions. Raises wrong_setting."""
    name = "rope_parameters" if config.get("rope_parameters") is not None else "rope_scaling"
    stated = config.get(name)
    if stated is not None and not isinstance(stated, dict):
        raise wrong_setting(CONFIG, name, printable(stated), "{…}")
    check_whole(config)
    plain = {"rope_theta": config.get("rope_theta", 10_000.0)}
    return rotary(name, plain | (stated or {}), d_k)
