"""The configuration of a checkpoint, validated."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.errors import InputError, wrong_setting
from core.models import (
    bert_settings,
    llama_settings,
    modernbert_settings,
    sound_settings,
    towers,
    vision_settings,
)
from core.models.config_values import activation, epsilon, flag, positive_int, printable
from core.models.folder import CONFIG
from core.rotary import Rotary

# Settings that change the computation, and the value with which it is the one that is done here.
FIXED: dict[str, Mapping[str, Any]] = {
    **dict.fromkeys(bert_settings.KINDS, bert_settings.FIXED),
    "modernbert": modernbert_settings.FIXED,
    **dict.fromkeys(vision_settings.DEFAULTS, vision_settings.FIXED),
    "clip_text_model": {},
    sound_settings.KIND: {},
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

OLD_END = 2  # of a text in CLIP's older files, where no token has this id's meaning


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a model, and the variants of its layers.

    positions: length of the longest sequence. vocabulary, segments: rows of the embedding tables.
    first_position: the row of the first token in the table of positions; the one before it, if
    any, is that of the padding token, whose id it is. sinusoidal: whether this table has sines and
    cosines.
    side, patch: of a picture, in pixels; grid: patches along one side in training. resizes: whether
    positions are interpolated for another side; antialiases: with an antialiasing filter.
    specials: names of the tokens in front of the patches; registers: how many of them, the last
    ones, are registers, which have no position. gated: whether feed-forward layers are gated, where
    a family has both. mels: bands of a sound. qkv_bias, key_bias, output_bias, mlp_bias, norm_bias:
    whether Q, K and V, K where these have, the output of attention, feed-forward layers, and
    LayerNorms have biases. kv_heads: 0 for as many as heads. d_k: 0 for d_model / h. qk_norm:
    whether queries and keys have an RMSNorm.
    tied: whether the language model head is tied to the token embeddings.
    windows: of each layer, as in ``core.options.AttentionOptions``; empty if there are none.
    local_rotary: the rotary positions of layers with a window, if they have their own.
    text_end: id of the token whose last vector stands for a whole text; ``OLD_END`` for the
    largest id of the text, and None where no vector does.
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
    grid: int = 0
    resizes: bool = False
    antialiases: bool = False
    specials: tuple[str, ...] = ()
    registers: int = 0
    gated: bool = False
    mels: int = 0
    qkv_bias: bool = True
    key_bias: bool = True
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
    text_end: int | None = None

    @property
    def head_width(self) -> int:
        """The width of a query, key or value of one head."""
        return self.d_k or self.d_model // self.heads

    @property
    def placed_specials(self) -> int:
        """The number of tokens in front of the patches that have a position."""
        return len(self.specials) - self.registers

    @property
    def trained_positions(self) -> int:
        """The rows of the table of positions."""
        return self.placed_specials + self.grid**2 if self.grid else self.positions

    def pictured(self, side: int) -> "ModelConfig":
        """The sizes for pictures of another side, in pixels; a multiple of that of a patch."""
        tokens = len(self.specials) + (side // self.patch) ** 2
        return replace(self, side=side, positions=tokens)

    @property
    def shared_heads(self) -> int:
        """The number of key and value heads."""
        return self.kv_heads or self.heads


def sizes(config: Mapping[str, Any]) -> ModelConfig:
    """The sizes in a ``config.json``.

    Raises unknown_architecture, wrong_setting, heads_do_not_divide and patches_do_not_fit.
    """
    kind = config.get("model_type")
    if kind not in tuple(FIXED):
        raise InputError(
            "unknown_architecture", found=printable(kind), known=(*FIXED, *towers.TOWERS)
        )
    for name, value in FIXED[kind].items():
        if config.get(name, value) != value:
            raise wrong_setting(CONFIG, name, printable(config[name]), printable(value))
    return ModelConfig(**FAMILIES[kind](kind, config))


def _clip_text(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``ModelConfig`` for CLIP's text tower.

    Raises wrong_setting and heads_do_not_divide.
    """
    heads = positive_int(config, "num_attention_heads", 8)
    d_model = positive_int(config, "hidden_size", 512)
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    return {
        "kind": kind,
        "layers": positive_int(config, "num_hidden_layers", 12),
        "heads": heads,
        "d_model": d_model,
        "d_ff": positive_int(config, "intermediate_size", 2048),
        "positions": positive_int(config, "max_position_embeddings", 77),
        "epsilon": epsilon(config, "layer_norm_eps", 1e-5),
        "activation": activation(config, "hidden_act", "quick_gelu"),
        "vocabulary": (vocabulary := positive_int(config, "vocab_size", 49408)),
        "text_end": _text_end(config, vocabulary),
    }


def _text_end(config: Mapping[str, Any], vocabulary: int) -> int:
    end = config.get("eos_token_id", 49407)
    if isinstance(end, bool) or not isinstance(end, int) or not 0 <= end < vocabulary:
        allowed = f"0 … {vocabulary - 1}"
        raise wrong_setting(CONFIG, "eos_token_id", printable(end), allowed)
    return end


def _gpt2(kind: str, config: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``ModelConfig`` for GPT-2. Raises wrong_setting and heads_do_not_divide."""
    layers, heads, d_model = (
        positive_int(config, name) for name in ("n_layer", "n_head", "n_embd")
    )
    has_inner = config.get("n_inner") is not None
    if d_model % heads:
        raise InputError("heads_do_not_divide", name="d_model", width=d_model, heads=heads)
    return {
        "kind": kind,
        "layers": layers,
        "heads": heads,
        "d_model": d_model,
        "d_ff": positive_int(config, "n_inner") if has_inner else 4 * d_model,
        "positions": positive_int(config, "n_positions"),
        "epsilon": epsilon(config, "layer_norm_epsilon", 1e-5),
        "activation": activation(config, "activation_function", "gelu_new"),
        "vocabulary": positive_int(config, "vocab_size"),
        "tied": flag(config, "tie_word_embeddings", True),
    }


# What reads the settings of a family.
FAMILIES: dict[str, Callable[[str, Mapping[str, Any]], dict[str, Any]]] = {
    "gpt2": _gpt2,
    **dict.fromkeys(bert_settings.KINDS, bert_settings.read),
    **dict.fromkeys(llama_settings.DEFAULTS, llama_settings.read),
    "modernbert": modernbert_settings.read,
    **dict.fromkeys(vision_settings.DEFAULTS, vision_settings.read),
    "clip_text_model": _clip_text,
    sound_settings.KIND: sound_settings.read,
}
NAMES = {
    "gpt2": ("n_layer", "n_head", "n_embd", "n_inner"),
}
