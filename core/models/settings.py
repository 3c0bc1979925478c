"""What a checkpoint's configuration says, read with care: it may say anything."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from core.errors import HeadsDoNotDivide, PatchesDoNotFit, UnknownArchitecture, WrongSetting
from core.limits import LARGEST_SIZE as MOST
from core.models.folder import CONFIG

FEW, LONGEST = 4, 40  # parts of a value, and characters, that a sentence holds
ACTIVATIONS = {
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "relu": "relu",
}
# Settings that change the computation, and the value with which it is the one that is done here.
FIXED: dict[str, dict[str, Any]] = {
    "bert": {
        "position_embedding_type": "absolute",
        "is_decoder": False,
        "add_cross_attention": False,
    },
    "vit": {"num_channels": 3},
    "gpt2": {
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "add_cross_attention": False,
    },
}
NAMES = {
    "bert": ("num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size"),
    "vit": ("num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size"),
    "gpt2": ("n_layer", "n_head", "n_embd", "n_inner"),
}


@dataclass(frozen=True)
class Sizes:
    """How large a model is, and what its layers compute.

    positions: of the longest sequence. vocabulary, segments: rows of BERT's and GPT-2's tables.
    side, patch: of a picture, in pixels. qkv_bias: whether Q, K and V have biases.
    """

    kind: str
    layers: int
    heads: int
    d_model: int
    d_ff: int
    positions: int
    epsilon: float
    activation: str
    vocabulary: int = 0
    segments: int = 0
    side: int = 0
    patch: int = 0
    qkv_bias: bool = True


def sizes(config: Mapping[str, Any]) -> Sizes:
    """The sizes that a ``config.json`` states.

    Raises UnknownArchitecture, WrongSetting, HeadsDoNotDivide and PatchesDoNotFit.
    """
    kind = config.get("model_type")
    if kind not in tuple(NAMES):
        raise UnknownArchitecture(shown(kind), tuple(NAMES))
    for name, value in FIXED[kind].items():
        if config.get(name, value) != value:
            raise WrongSetting(CONFIG, name, shown(config[name]), shown(value))
    layers, heads, d_model = (_whole(config, name) for name in NAMES[kind][:3])
    inner = NAMES[kind][3]
    d_ff = 4 * d_model if config.get(inner) is None and kind == "gpt2" else _whole(config, inner)
    if d_model % heads:
        raise HeadsDoNotDivide("d_model", d_model, heads)
    alike = {"kind": kind, "layers": layers, "heads": heads, "d_model": d_model, "d_ff": d_ff}
    if kind == "gpt2":
        return Sizes(
            **alike,
            positions=_whole(config, "n_positions"),
            epsilon=_epsilon(config, "layer_norm_epsilon", 1e-5),
            activation=_activation(config, "activation_function", "gelu_new"),
            vocabulary=_whole(config, "vocab_size"),
        )
    alike |= {
        "epsilon": _epsilon(config, "layer_norm_eps", 1e-12),
        "activation": _activation(config, "hidden_act", "gelu"),
    }
    if kind == "bert":
        return Sizes(
            **alike,
            positions=_whole(config, "max_position_embeddings"),
            vocabulary=_whole(config, "vocab_size"),
            segments=_whole(config, "type_vocab_size", 2),
        )
    side, patch = _side(config, "image_size"), _side(config, "patch_size")
    if side % patch:
        raise PatchesDoNotFit(side, patch)
    bias = config.get("qkv_bias", True)
    if not isinstance(bias, bool):
        raise WrongSetting(CONFIG, "qkv_bias", shown(bias), "true, false")
    return Sizes(**alike, positions=1 + (side // patch) ** 2, side=side, patch=patch, qkv_bias=bias)


def _whole(config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    value = config.get(name, default)
    if not is_whole(value, MOST):
        raise WrongSetting(CONFIG, name, shown(value), f"1 … {MOST}")
    return int(value)


def _side(config: Mapping[str, Any], name: str) -> int:
    """The side of a square, which may be stated as its height and width."""
    value = config.get(name)
    if not isinstance(value, list):
        return _whole(config, name)
    if len(value) != 2 or not all(is_whole(side, MOST) for side in value) or len({*value}) > 1:
        raise WrongSetting(CONFIG, name, shown(value), f"1 … {MOST}, height = width")
    return int(value[0])


def _epsilon(config: Mapping[str, Any], name: str, default: float) -> float:
    value = config.get(name, default)
    if not is_number(value) or not 1e-30 <= value <= 1:  # float32 holds no square root of less
        raise WrongSetting(CONFIG, name, shown(value), "1e-30 … 1")
    return float(value)


def _activation(config: Mapping[str, Any], name: str, default: str) -> str:
    value = config.get(name, default)
    if not isinstance(value, str) or value not in ACTIVATIONS:
        raise WrongSetting(CONFIG, name, shown(value), ", ".join(ACTIVATIONS))
    return ACTIVATIONS[value]


def is_whole(value: object, most: int) -> TypeGuard[int]:
    """Whether a value is a whole number from 1 up to the most."""
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a number that float32 can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e30


def shown(value: object) -> str:
    """A value as a sentence can hold it, however long or deep it is."""
    if isinstance(value, list | dict):
        parts = value.values() if isinstance(value, dict) else value
        if len(value) > FEW or any(isinstance(part, list | dict) for part in parts):
            return type(value).__name__
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
