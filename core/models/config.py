"""The interface of a family of models: configuration, names of tensors, and supported settings.

Names in ``config.json`` and in the file of weights are those of Hugging Face's ``transformers``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

from core.rotary import Rotary


@dataclass(frozen=True)
class ModelConfig:
    """The sizes of a model and the variants of its layers.

    positions: length of the longest sequence. token: what a token is, a word, patch or frame.
    causal, pre_norm: of all layers. first_norm: whether the first layer has a norm in front of its
    attention. rms: whether norms are RMSNorm. gated: whether feed-forward layers are gated.
    vocabulary, segments: rows of the embedding tables.
    computed_positions: whether positions are computed, all sines in front of all cosines, and not
    read from the file.
    first_position: the row of the first token in the table of positions; the one before it, if
    any, is that of the padding token, whose id it is. sinusoidal: whether this table has sines and
    cosines.
    shape: (height, width) of a picture, and patch: the side of a patch, in pixels; grid: patches
    along one side in training. resizes: whether positions are interpolated for pictures of another
    shape; antialiases: with an antialiasing filter.
    specials: names of the tokens in front of the patches; registers: how many of them, the last
    ones, are registers, which have no position. mels: bands of a sound.
    qkv_bias, key_bias, output_bias, mlp_bias, norm_bias: whether Q, K and V, K where these have,
    the output of attention, feed-forward layers, and norms have biases. kv_heads: 0 for as many as
    heads. d_k: 0 for d_model / h. qk_norm: whether queries and keys have a norm.
    embedding_scale: factor of the token embeddings. gamma_offset: added to the stored γ of norms.
    tied: whether the language model head is tied to the token embeddings.
    windows: of each layer, as in ``core.options.AttentionOptions``; empty if there are none.
    local_rotary: the rotary positions of layers with a window, if they have their own.
    pools_cls: whether the last vector of [CLS] stands for a whole picture. text_end: id of the
    token whose last vector stands for a whole text; None where no vector does.
    scale: of the scores, as in ``core.options.AttentionOptions``. buckets: rows of the table of
    relative position biases, 0 without one; furthest: see ``core.relative``. output_scale: factor
    of the last vectors in front of the language model head.
    start, end: ids of the tokens in front of and behind a text that a decoder writes.
    never: ids that it does not write.
    vocab_txt: whether the tokenizer may be BERT's ``vocab.txt``. cross: whether every layer has
    cross-attention behind its self-attention, as the decoder of an encoder-decoder.
    """

    model_type: str
    layers: int
    heads: int
    d_model: int
    d_ff: int
    positions: int
    epsilon: float
    activation: str
    token: str = "word"
    causal: bool = False
    pre_norm: bool = False
    first_norm: bool = True
    rms: bool = False
    gated: bool = False
    vocabulary: int = 0
    segments: int = 0
    first_position: int = 0
    sinusoidal: bool = False
    computed_positions: bool = False
    shape: tuple[int, int] = (0, 0)
    patch: int = 0
    grid: int = 0
    resizes: bool = False
    antialiases: bool = False
    specials: tuple[str, ...] = ()
    registers: int = 0
    mels: int = 0
    qkv_bias: bool = True
    key_bias: bool = True
    output_bias: bool = True
    mlp_bias: bool = True
    norm_bias: bool = True
    kv_heads: int = 0
    d_k: int = 0
    qk_norm: bool = False
    embedding_scale: float = 1.0
    gamma_offset: float = 0.0
    tied: bool = True
    rotary: Rotary | None = None
    local_rotary: Rotary | None = None
    windows: tuple[tuple[int, int] | None, ...] = ()
    pools_cls: bool = False
    text_end: int | None = None
    vocab_txt: bool = False
    cross: bool = False
    scale: float | str = "root"
    buckets: int = 0
    furthest: int = 0
    output_scale: float = 1.0
    start: int = 0
    end: int = 0
    never: tuple[int, ...] = ()

    @property
    def head_width(self) -> int:
        """The width of a query, key or value of one head."""
        return self.d_k or self.d_model // self.heads

    @property
    def shared_heads(self) -> int:
        """The number of key and value heads."""
        return self.kv_heads or self.heads

    @property
    def placed_specials(self) -> int:
        """The number of tokens in front of the patches that have a position."""
        return len(self.specials) - self.registers

    @property
    def trained_positions(self) -> int:
        """The rows of the table of positions."""
        if self.grid:
            return self.placed_specials + self.grid**2
        return self.first_position + self.positions

    @property
    def patch_grid(self) -> tuple[int, int]:
        """The rows and columns of patches of a picture."""
        height, width = self.shape
        return height // self.patch, width // self.patch

    def pictured(self, shape: tuple[int, int]) -> "ModelConfig":
        """The configuration for pictures of another shape, of whole patches."""
        other = replace(self, shape=shape)
        return replace(other, positions=len(self.specials) + prod(other.patch_grid))


@dataclass(frozen=True)
class TensorNames:
    """The names of a model's tensors in its file.

    prefix: optional prefix of all names. layer: prefix of the names of a layer.
    linear: modules of the matrices, by our letter; of several in one, by theirs (QKV, gate_up).
    norms: modules of the norms of attention and of the feed-forward layer. post_norms: of those
    behind each, in front of the residual, if any. inputs: tensors of the
    embeddings, by our name; shapes: those of them that are neither a table nor a vector of d_model.
    qk_norms: modules of the norms of queries and keys. final_norm: module of the norm behind the
    last layer, if any. head: the language model head, if any, in front of which no prefix stands.
    layer_scales: tensors of the LayerScale behind attention and behind the feed-forward layer.
    transposed: whether matrices are stored as (out, in).
    cross: modules of the matrices of cross-attention, by our letter. cross_norm: of its norm.
    relative: the table of relative position biases. head_bias: the bias of the head, (1,
    vocabulary), if the file has it.
    """

    prefix: str
    layer: str
    linear: Mapping[str, str]
    norms: tuple[str, str]
    inputs: Mapping[str, str]
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    qk_norms: tuple[str, str] = ("", "")
    final_norm: str = ""
    head: str = ""
    layer_scales: tuple[str, ...] = ()
    post_norms: tuple[str, ...] = ()
    transposed: bool = True
    cross: Mapping[str, str] = field(default_factory=dict)
    cross_norm: str = ""
    relative: str = ""
    head_bias: str = ""


@dataclass(frozen=True)
class Family:
    """Models that are read alike.

    model_types: what their ``config.json`` calls them. config: reads the ``model_type`` and the
    content of this file; raises wrong_setting, heads_do_not_divide and patches_do_not_fit.
    fixed: settings that change the computation, and the only value that is computed here.
    decoder: reads the configuration of the decoder of a text-to-text model, None for other models;
    ``config`` is then that of its encoder.
    towers: of a ``model_type`` of several models the parts of the configuration, each with its own
    ``model_type``.
    """

    model_types: tuple[str, ...]
    config: Callable[[str, Mapping[str, Any]], ModelConfig]
    tensor_names: Callable[[ModelConfig], TensorNames]
    fixed: Mapping[str, Any] = field(default_factory=dict)
    towers: Mapping[str, Mapping[str, tuple[str, str]]] = field(default_factory=dict)
    decoder: Callable[[str, Mapping[str, Any]], ModelConfig] | None = None
