"""The parameters of a checkpoint, read by the names of its family.

Masks, poolers and the heads of encoders in the files are not read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from core.interventions import NONE, Change, Interventions, LayerChanges
from core.layers import AnyNorm, FeedForward, GatedFeedForward, NoNorm, Norm, RMSNorm
from core.models import families
from core.models.config import ModelConfig, TensorNames
from core.models.formats.entries import EntryTensors
from core.models.tensors import Shards
from core.options import AttentionOptions
from core.relative import RelativeBias
from core.rotary import Rotary
from core.sources.position import sines_first
from core.weights import Weights

FUSED = {"QKV": ("Q", "K", "V"), "gate_up": ("gate", "up")}  # several matrices in one
OF_ATTENTION = ("Q", "K", "V", "O", "QKV")
AnyTensors = EntryTensors | Shards
Named = tuple[str, tuple[int, ...]]  # the name and shape of a tensor
OLDER = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


_NO_NORM = NoNorm()


@dataclass(frozen=True, eq=False)
class Layer:
    """The parameters of one layer, with our names and matrices as (in, out).

    attention: W_Q … b_O, gamma_Q and gamma_K, as far as they exist. kv_heads: number of key and
    value heads. epsilon: of all norms. window: as in ``core.options.AttentionOptions``. scales: λ
    of the LayerScale behind attention and behind the feed-forward layer, (d_model,) each, or none.
    post_norms: of what attention and the feed-forward layer add, or none.
    scale, relative: of the scores, as in ``core.options.AttentionOptions``.
    cross, cross_norm: the parameters of cross-attention and its norm, of a decoder that has it.
    changes, cross_changes: what is changed in its attention and cross-attention, if anything is.
    """

    attention: Mapping[str, np.ndarray]
    heads: int
    attention_norm: AnyNorm
    feed_forward: FeedForward | GatedFeedForward
    feed_forward_norm: AnyNorm
    kv_heads: int
    epsilon: float
    rotary: Rotary | None = None
    window: tuple[int, int] | None = None
    scales: tuple[np.ndarray, ...] = ()
    post_norms: tuple[RMSNorm, ...] = ()
    cross: Mapping[str, np.ndarray] = field(default_factory=dict)
    cross_norm: AnyNorm = _NO_NORM
    scale: float | str = "root"
    relative: RelativeBias | None = None
    changes: LayerChanges | None = None
    cross_changes: LayerChanges | None = None

    def options(self, *, causal: bool) -> AttentionOptions:
        """The options of its self-attention."""
        return AttentionOptions(
            causal=causal,
            rotary=self.rotary,
            window=self.window,
            scale=self.scale,
            relative=self.relative,
            changes=self.changes,
        )

    def cross_options(self) -> AttentionOptions:
        """The options of its cross-attention."""
        return AttentionOptions(scale=self.scale, changes=self.cross_changes)

    def weights(self) -> Weights:
        """A checked copy of the parameters of attention. Raises not_finite."""
        return Weights(
            heads=self.heads, kv_heads=self.kv_heads, epsilon=self.epsilon, **self.attention
        )

    def cross_weights(self) -> Weights:
        """A checked copy of the parameters of cross-attention. Raises not_finite."""
        return Weights(heads=self.heads, **self.cross)  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class Model:
    """The tensors of a checkpoint, read on demand.

    interventions: what is changed in its layers. patches: what patches put in place. stack: the
    part of the changes that its self-attention is, ``encoder`` or ``decoder``.
    """

    tensors: AnyTensors
    config: ModelConfig
    interventions: Interventions = NONE
    patches: Mapping[Change, np.ndarray] = field(default_factory=dict)
    stack: str = "encoder"

    @cached_property
    def names(self) -> TensorNames:
        """The names of the tensors in the file."""
        return families.tensor_names(self.config)

    @property
    def predicts(self) -> bool:
        """Whether there is a language model head, without which a decoder may be saved too."""
        return bool(self.names.head) and self._file_name(self._head()[0]) in self.tensors

    def with_own_head(self) -> "Model":
        """The same, with a head that is tied to the embeddings only if the file has no other."""
        tied = self._file_name(self.names.head) not in self.tensors
        return replace(self, config=replace(self.config, tied=tied))

    def check(self) -> None:
        """Check all names and shapes.

        Raises missing_tensor, wrong_number_type and tensor_does_not_fit.
        """
        needed = [*self._inputs().values(), *self._final_norm(), *self._relative()]
        if self.predicts:
            needed.append(self._head())
        for layer in range(1, self.config.layers + 1):
            needed += self._layer(layer)
        for name, shape in needed:
            self.tensors.check(self._file_name(name), shape)

    def input(self, key: str) -> np.ndarray:
        """A tensor of the embeddings, by our name, in the shape of the file."""
        name, shape = self._inputs()[key]
        return self.tensors.array(self._file_name(name), shape)

    def input_rows(self, key: str, numbers: tuple[int, ...]) -> np.ndarray:
        """Some rows of an embedding table: (row, width)."""
        if key == "position" and self.config.computed_positions:
            return sines_first(numbers, self.config.d_model)
        name, (count, width) = self._inputs()[key]
        return self.tensors.rows(self._file_name(name), (count, width), numbers)

    def layer(self, layer: int) -> Layer:
        """The parameters of a layer, from 1."""
        arrays = self._arrays(self._layer(layer))
        at, names, config = self.names.layer.format(layer - 1), self.names, self.config
        attention: dict[str, np.ndarray] = {}
        feed_forward: dict[str, np.ndarray | None] = (
            {} if config.gated else {"b_1": None, "b_2": None}
        )
        for part, module in names.linear.items():
            W = arrays[f"{at}{module}.weight"]
            b = arrays.get(f"{at}{module}.bias")
            of: dict[str, Any] = attention if part in OF_ATTENTION else feed_forward
            letters = FUSED.get(part, (part,))
            matrices = np.split(W.T if names.transposed else W, len(letters), axis=1)
            of |= {f"W_{letter}": one for letter, one in zip(letters, matrices, strict=True)}
            if b is not None:
                biases = np.split(b, len(letters))
                of |= {f"b_{letter}": one for letter, one in zip(letters, biases, strict=True)}
        if config.qk_norm:
            for letter, module in zip("QK", names.qk_norms, strict=True):
                attention[f"gamma_{letter}"] = self._gamma(arrays[f"{at}{module}.weight"])
        before, behind = (
            self._norm(f"{at}{name}", arrays) if name else NoNorm() for name in self._norms(layer)
        )
        window = config.windows[layer - 1] if config.windows else None
        rotary = config.local_rotary if window and config.local_rotary else config.rotary
        feed_forward_type = GatedFeedForward if config.gated else FeedForward
        read = Layer(
            attention,
            config.heads,
            before,
            feed_forward_type(**feed_forward, activation=config.activation),  # type: ignore[arg-type]
            behind,
            config.shared_heads,
            config.epsilon,
            rotary,
            window,
            tuple(arrays[f"{at}{name}"] for name in names.layer_scales),
            tuple(
                RMSNorm(self._gamma(arrays[f"{at}{name}.weight"]), config.epsilon)
                for name in names.post_norms
            ),
            dict(self._cross(at, arrays)),
            self._norm(f"{at}{names.cross_norm}", arrays) if names.cross else NoNorm(),
            config.scale,
            self.relative,
        )
        return self.changing(read, layer)

    def changing(self, of: Layer, layer: int) -> Layer:
        """The same parameters of a layer, from 1, with what is changed in it."""
        changes, cross = (
            self.interventions.of(layer, part, self.patches) for part in (self.stack, "cross")
        )
        return replace(of, changes=changes, cross_changes=cross if self.names.cross else None)

    @cached_property
    def relative(self) -> RelativeBias | None:
        """The relative position bias, which all layers share; None without it."""
        if not self.config.buckets:
            return None
        (table,) = self._arrays(self._relative()).values()
        return RelativeBias(table.T, not self.config.causal, self.config.furthest)

    def _cross(self, at: str, arrays: Mapping[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
        """The parameters of cross-attention by our names; none without it."""
        for letter, module in self.names.cross.items():
            yield f"W_{letter}", arrays[f"{at}{module}.weight"].T
            if f"{at}{module}.bias" in arrays:
                yield f"b_{letter}", arrays[f"{at}{module}.bias"]

    def final_norm(self) -> Norm | RMSNorm:
        """The norm behind the last layer, of a model that has one."""
        return self._norm(self.names.final_norm, self._arrays(self._final_norm()))

    def logits(self, vectors: np.ndarray) -> np.ndarray:
        """The language model head on vectors, (…, d_model): (…, vocabulary) float32.

        In blocks of rows, so that a large vocabulary is never in memory whole.
        """
        name, (count, width) = self._head()
        blocks = self.tensors.blocks(self._file_name(name), (count, width))
        logits = np.concatenate([vectors @ rows.T for rows in blocks], axis=-1)
        return logits if self.output_bias is None else logits + self.output_bias

    def output_rows(self, numbers: Sequence[int]) -> np.ndarray:
        """Rows of the matrix of the language model head: (row, d_model)."""
        name, (count, width) = self._head()
        return self.tensors.rows(self._file_name(name), (count, width), numbers)

    @cached_property
    def output_bias(self) -> np.ndarray | None:
        """The bias of the logits, (vocabulary,); None for a head without one."""
        name = self._file_name(self.names.head_bias)
        if not self.names.head_bias or name not in self.tensors:
            return None
        return self.tensors.array(name, (1, self.config.vocabulary))[0]

    def _arrays(self, tensors: Iterable[Named]) -> dict[str, np.ndarray]:
        return {name: self.tensors.array(self._file_name(name), shape) for name, shape in tensors}

    def _norm(self, name: str, arrays: Mapping[str, np.ndarray]) -> Norm | RMSNorm:
        gamma = self._gamma(arrays[f"{name}.weight"])
        if self.config.rms:
            return RMSNorm(gamma, self.config.epsilon)
        return Norm(gamma, arrays.get(f"{name}.bias"), self.config.epsilon)

    def _gamma(self, stored: np.ndarray) -> np.ndarray:
        """γ of a norm, of which a file may have only what is added to 1."""
        offset = self.config.gamma_offset
        return stored + np.float32(offset) if offset else stored

    def _layer(self, layer: int) -> Iterator[Named]:
        """The name and shape of every tensor of a layer."""
        at, config = self.names.layer.format(layer - 1), self.config
        d, d_ff = config.d_model, config.d_ff
        queries, keys = (n * config.head_width for n in (config.heads, config.shared_heads))
        shapes = {
            "Q": (d, queries), "K": (d, keys), "V": (d, keys), "QKV": (d, 3 * d), "O": (queries, d),
            **dict.fromkeys(("1", "gate", "up"), (d, d_ff)), "gate_up": (d, 2 * d_ff),
            **dict.fromkeys(("2", "down"), (d_ff, d)),
        }  # fmt: skip
        for part, module in self.names.linear.items():
            shape = shapes[part]
            yield f"{at}{module}.weight", shape[::-1] if self.names.transposed else shape
            if self._has_bias(part):
                yield f"{at}{module}.bias", shape[1:]
        for letter, module in self.names.cross.items():
            shape = shapes[letter]
            yield f"{at}{module}.weight", shape[::-1]
            if self._has_bias(letter):
                yield f"{at}{module}.bias", shape[1:]
        for name in filter(
            None, (*self._norms(layer), *self.names.post_norms, self.names.cross_norm)
        ):
            yield from self._of_norm(f"{at}{name}", d)
        for name in self.names.layer_scales:
            yield f"{at}{name}", (d,)
        if config.qk_norm:
            for name in self.names.qk_norms:
                yield from self._of_norm(f"{at}{name}", config.head_width)

    def _norms(self, layer: int) -> tuple[str, str]:
        """The modules of the norms of a layer; empty for one that it has not."""
        before, behind = self.names.norms
        return before if layer > 1 or self.config.first_norm else "", behind

    def _has_bias(self, part: str) -> bool:
        config = self.config
        if part in OF_ATTENTION:
            if part == "O":
                return config.output_bias
            return config.qkv_bias and (part != "K" or config.key_bias)
        return config.mlp_bias

    def _of_norm(self, name: str, width: int) -> Iterator[Named]:
        yield f"{name}.weight", (width,)
        if self.config.norm_bias:
            yield f"{name}.bias", (width,)

    def _final_norm(self) -> Iterator[Named]:
        """The name and shape of the tensors of the final norm; none if there is none."""
        if self.names.final_norm:
            yield from self._of_norm(self.names.final_norm, self.config.d_model)

    def _relative(self) -> Iterator[Named]:
        """The name and shape of the table of the relative position bias; none without it."""
        if self.config.buckets:
            yield self.names.relative, (self.config.buckets, self.config.heads)

    def _head(self) -> Named:
        """Name and shape of the matrix of the language model head; where it is tied, of E."""
        table, shape = self._inputs()["E"]
        return table if self.config.tied else self.names.head, shape

    def _inputs(self) -> dict[str, Named]:
        """Name and shape of the tensors of the embeddings, by our name."""
        config, d = self.config, self.config.d_model
        shapes = {
            "E": (config.vocabulary, d),
            "segment": (config.segments, d),
            "position": (config.trained_positions, d),
            **self.names.shapes,
        }
        return {
            key: (name, shapes.get(key, (d,)))
            for key, name in self.names.inputs.items()
            if (key != "beta" or config.norm_bias)
            and (key != "position" or not config.computed_positions)
        }

    def _file_name(self, name: str) -> str:
        """The name in the file: with or without the prefix, or an older one."""
        older = name
        for now, then in OLDER.items():
            older = older.replace(now, then)
        named = (self.names.prefix + name, name, self.names.prefix + older, older)
        return next((one for one in named if one in self.tensors), name)
