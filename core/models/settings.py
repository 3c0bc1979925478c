"""The configuration of a checkpoint, validated."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import HeadsDoNotDivide, PatchesDoNotFit, UnknownArchitecture, WrongSetting
from core.limits import LARGEST_SIZE
from core.models import bert_settings, llama_settings, modernbert_settings
from core.models.config_values import (
    activation,
    epsilon,
    flag,
    is_positive_int,
    positive_int,
    printable,
)
from core.models.folder import CONFIG
from core.rotary import Rotary

# Settings that change the computation, and the value with which it is the one that is done here.
FIXED: dict[str, Mapping[str, Any]] = {
    **dict.fromkeys(bert_settings.KINDS, bert_settings.FIXED),
    "modernbert": modernbert_settings.FIXED,
    "vit": {"num_channels": 3},
    "gpt2": {
        "scale_attn_weights": True,
        "scale_attn_by_inverse_layer_idx": False,
        "add_cross_attention": False,
    },
    "llama": {"mlp_bias": False, "quantization_config": None},
    "mistral": {"quantization_config": None},
    "qwen2": {"quantization_config": None},
    "qwen3": {"quantization_config": None},
}
# What reads the settings of a family.
FAMILIES: dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    **dict.fromkeys(bert_settings.KINDS, bert_settings.read),
    **dict.fromkeys(llama_settings.DEFAULTS, llama_settings.read),
    "modernbert": modernbert_settings.read,
}
NAMES = {
    "vit": ("num_hidden_layers", "num_attention_heads", "hidden_size", "intermediate_size"),
    "gpt2": ("n_layer", "n_head", "n_embd", "n_inner"),
}


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model, and the variants of its layers.

    positions: length of the longest sequence. vocabulary, segments: rows of the embedding tables.
    first_position: the row of the first token in the table of positions; the one before it, if
    any, is that of the padding token, whose id it is. sinusoidal: whether this table has sines and
    cosines.
    side, patch: of a picture, in pixels. qkv_bias, output_bias, mlp_bias, norm_bias: whether Q, K
    and V, the output of attention, feed-forward layers, and LayerNorms have biases. kv_heads: 0 for
    as many as heads. d_k: 0 for d_model / h. qk_norm: whether queries and keys have an RMSNorm.
    tied: whether the language model head is tied to the token embeddings.
    windows: of each layer, as in ``core.options.AttentionOptions``; empty if there are none.
    local_rotary: the rotary positions of layers with a window, if they have their own.
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
    first_position: int = 0
    sinusoidal: bool = False
    side: int = 0
    patch: int = 0
    qkv_bias: bool = True
    output_bias: bool = True
    mlp_bias: bool = True
    norm_bias: bool = True
    kv_heads: int = 0
    d_k: int = 0
    qk_norm: bool = False
    tied: bool = True
    rotary: Rotary | None = None
    local_rotary: Rotary | None = None
    windows: tuple[tuple[int, int] | None, ...] = ()

    @property
    def head_width(self) -> int:
        """The width of a query, key or value of one head."""
        return self.d_k or self.d_model // self.heads

    @property
    def shared_heads(self) -> int:
        """The number of key and value heads."""
        return self.kv_heads or self.heads


def sizes(config: Mapping[str, Any]) -> Sizes:
    """The sizes in a ``config.json``.

    Raises UnknownArchitecture, WrongSetting, HeadsDoNotDivide and PatchesDoNotFit.
    """
    kind = config.get("model_type")
    if kind not in tuple(FIXED):
        raise UnknownArchitecture(printable(kind), tuple(FIXED))
    for name, value in FIXED[kind].items():
        if config.get(name, value) != value:
            raise WrongSetting(CONFIG, name, printable(config[name]), printable(value))
    if kind in FAMILIES:
        return Sizes(**FAMILIES[kind](kind, config))
    layers, heads, d_model = (positive_int(config, name) for name in NAMES[kind][:3])
    inner = NAMES[kind][3]
    d_ff = (
        4 * d_model if config.get(inner) is None and kind == "gpt2" else positive_int(config, inner)
    )
    if d_model % heads:
        raise HeadsDoNotDivide("d_model", d_model, heads)
    alike = {"kind": kind, "layers": layers, "heads": heads, "d_model": d_model, "d_ff": d_ff}
    if kind == "gpt2":
        return Sizes(
            **alike,
            positions=positive_int(config, "n_positions"),
            epsilon=epsilon(config, "layer_norm_epsilon", 1e-5),
            activation=activation(config, "activation_function", "gelu_new"),
            vocabulary=positive_int(config, "vocab_size"),
            tied=flag(config, "tie_word_embeddings", True),
        )
    alike |= {
        "epsilon": epsilon(config, "layer_norm_eps", 1e-12),
        "activation": activation(config, "hidden_act", "gelu"),
    }
    side, patch = _side(config, "image_size"), _side(config, "patch_size")
    if side % patch:
        raise PatchesDoNotFit(side, patch)
    bias = flag(config, "qkv_bias", True)
    return Sizes(**alike, positions=1 + (side // patch) ** 2, side=side, patch=patch, qkv_bias=bias)


def _side(config: Mapping[str, Any], name: str) -> int:
    """The side of a square, given as a number or as height and width."""
    value = config.get(name)
    if not isinstance(value, list):
        return positive_int(config, name)
    if (
        len(value) != 2
        or not all(is_positive_int(side, LARGEST_SIZE) for side in value)
        or len({*value}) > 1
    ):
        raise WrongSetting(CONFIG, name, printable(value), f"1 … {LARGEST_SIZE}, height = width")
    return int(value[0])
