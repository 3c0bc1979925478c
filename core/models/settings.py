"""What a checkpoint's configuration says, read with care: it may say anything."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.errors import HeadsDoNotDivide, PatchesDoNotFit, UnknownArchitecture, WrongSetting
from core.models.folder import CONFIG

PREPROCESSOR = "preprocessor_config.json"
MOST = 2**24  # beyond any size of a model that fits here; its file decides the rest
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
        raise UnknownArchitecture(_shown(kind), tuple(NAMES))
    for name, value in FIXED[kind].items():
        if config.get(name, value) != value:
            raise WrongSetting(CONFIG, name, _shown(config[name]), str(value))
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
    side, patch = _whole(config, "image_size"), _whole(config, "patch_size")
    if side % patch:
        raise PatchesDoNotFit(side, patch)
    bias = config.get("qkv_bias", True)
    if not isinstance(bias, bool):
        raise WrongSetting(CONFIG, "qkv_bias", _shown(bias), "true, false")
    return Sizes(**alike, positions=1 + (side // patch) ** 2, side=side, patch=patch, qkv_bias=bias)


@dataclass(frozen=True)
class Colours:
    """Mean and deviation of each colour, of pixels from 0 to 1, in the pictures of the training."""

    mean: np.ndarray
    deviation: np.ndarray

    def values(self, pixels: np.ndarray) -> np.ndarray:
        """value = (pixel / 255 − mean) / deviation. pixels: (…, 3) uint8; returns float32."""
        return (pixels / np.float32(255) - self.mean) / self.deviation


def colours(preprocessor: Mapping[str, Any]) -> Colours:
    """What a ``preprocessor_config.json`` states; ½ and ½ where it says nothing.

    Raises WrongSetting, also for pixels that are not brought to 0 … 1 first.
    """
    for name in ("do_rescale", "do_normalize"):
        if not isinstance(preprocessor.get(name, True), bool):
            raise WrongSetting(PREPROCESSOR, name, _shown(preprocessor[name]), "true, false")
    if not preprocessor.get("do_rescale", True):
        raise WrongSetting(PREPROCESSOR, "do_rescale", "false", "true")
    factor = preprocessor.get("rescale_factor", 1 / 255)
    if not _is_number(factor) or not math.isclose(factor, 1 / 255, rel_tol=1e-6):
        raise WrongSetting(PREPROCESSOR, "rescale_factor", _shown(factor), "1 / 255")
    if not preprocessor.get("do_normalize", True):
        return Colours(np.zeros(3, np.float32), np.ones(3, np.float32))
    found = []
    for name in ("image_mean", "image_std"):
        value = preprocessor.get(name, [0.5, 0.5, 0.5])
        fits = isinstance(value, list) and len(value) == 3 and all(map(_is_number, value))
        if not fits or not all(abs(part) <= 255 for part in value):
            raise WrongSetting(PREPROCESSOR, name, _shown(value), "[0.5, 0.5, 0.5]")
        found.append(np.array(value, np.float32))
    if not (found[1] >= 1e-3).all():
        value = preprocessor["image_std"]
        raise WrongSetting(PREPROCESSOR, "image_std", _shown(value), "≥ 0.001")
    return Colours(*found)


def _whole(config: Mapping[str, Any], name: str, default: int | None = None) -> int:
    value = config.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
        raise WrongSetting(CONFIG, name, _shown(value), f"1 … {MOST}")
    return value


def _epsilon(config: Mapping[str, Any], name: str, default: float) -> float:
    value = config.get(name, default)
    if not _is_number(value) or not 1e-30 <= value <= 1:  # float32 holds no square root of less
        raise WrongSetting(CONFIG, name, _shown(value), "1e-30 … 1")
    return float(value)


def _activation(config: Mapping[str, Any], name: str, default: str) -> str:
    value = config.get(name, default)
    if not isinstance(value, str) or value not in ACTIVATIONS:
        raise WrongSetting(CONFIG, name, _shown(value), ", ".join(ACTIVATIONS))
    return ACTIVATIONS[value]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= 1e30


def _shown(value: object) -> str:
    """A value as a sentence can hold it, however long or deep it is."""
    if value is not None and not isinstance(value, str | int | float):
        return type(value).__name__
    text = "null" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:39]}…"
