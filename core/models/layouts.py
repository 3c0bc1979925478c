"""The tensors of a checkpoint of Hugging Face's transformers, read by the layout of its family.

BERT (Devlin et al., 2018) and Llama (Touvron et al., 2023) store matrices as (out, in), GPT-2
(Radford et al., 2019) as (in, out), with Q, K and V in one matrix. Mistral, Qwen2 and Qwen3 have
the names of Llama, RoBERTa, XLM-RoBERTa and CamemBERT those of BERT. ModernBERT has Q, K and V, and
the two inner matrices of its feed-forward layers, in one. Vision transformers are in
``core.models.vision_layouts``.
Masks, poolers and the heads of encoders in the files are not read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from core.layers import AnyNorm, FeedForward, GatedFeedForward, NoNorm, Norm, RMSNorm
from core.models import bert_settings, sound_layouts, vision_layouts
from core.models.layout import FUSED, Layout
from core.models.settings import ModelConfig
from core.models.tensors import Shards, Tensors
from core.rotary import Rotary
from core.weights import Weights

LAYOUTS: dict[str, Layout] = {
    "bert": Layout(
        prefix="bert.",
        layer="encoder.layer.{}.",
        linear={
            "Q": "attention.self.query",
            "K": "attention.self.key",
            "V": "attention.self.value",
            "O": "attention.output.dense",
            "1": "intermediate.dense",
            "2": "output.dense",
        },
        norms=("attention.output.LayerNorm", "output.LayerNorm"),
        inputs={
            "E": "embeddings.word_embeddings.weight",
            "segment": "embeddings.token_type_embeddings.weight",
            "position": "embeddings.position_embeddings.weight",
            "gamma": "embeddings.LayerNorm.weight",
            "beta": "embeddings.LayerNorm.bias",
        },
        transposed=True,
        causal=False,
        pre_norm=False,
        token="word",
    ),
    "gpt2": Layout(
        prefix="transformer.",
        layer="h.{}.",
        linear={"QKV": "attn.c_attn", "O": "attn.c_proj", "1": "mlp.c_fc", "2": "mlp.c_proj"},
        norms=("ln_1", "ln_2"),
        inputs={"E": "wte.weight", "position": "wpe.weight"},
        transposed=False,
        causal=True,
        pre_norm=True,
        token="word",
        last_norm="ln_f",
    ),
}
LAYOUTS |= vision_layouts.LAYOUTS | sound_layouts.LAYOUTS
LAYOUTS |= dict.fromkeys(
    ("llama", "mistral", "qwen2", "qwen3"),
    Layout(
        prefix="model.",
        layer="layers.{}.",
        linear={
            **{letter: f"self_attn.{letter.lower()}_proj" for letter in "QKVO"},
            **{part: f"mlp.{part}_proj" for part in ("gate", "up", "down")},
        },
        norms=("input_layernorm", "post_attention_layernorm"),
        inputs={"E": "embed_tokens.weight"},
        transposed=True,
        causal=True,
        pre_norm=True,
        token="word",
        rms=True,
        qk_norms=("self_attn.q_norm", "self_attn.k_norm"),
        last_norm="norm",
    ),
)
LAYOUTS |= {kind: replace(LAYOUTS["bert"], prefix="roberta.") for kind in bert_settings.ROBERTA}
LAYOUTS["distilbert"] = Layout(
    prefix="distilbert.",
    layer="transformer.layer.{}.",
    linear={
        **{letter: f"attention.{letter.lower()}_lin" for letter in "QKV"},
        "O": "attention.out_lin",
        "1": "ffn.lin1",
        "2": "ffn.lin2",
    },
    norms=("sa_layer_norm", "output_layer_norm"),
    inputs={key: name for key, name in LAYOUTS["bert"].inputs.items() if key != "segment"},
    transposed=True,
    causal=False,
    pre_norm=False,
    token="word",
)
LAYOUTS["modernbert"] = Layout(
    prefix="model.",
    layer="layers.{}.",
    linear={"QKV": "attn.Wqkv", "O": "attn.Wo", "gate_up": "mlp.Wi", "down": "mlp.Wo"},
    norms=("attn_norm", "mlp_norm"),
    inputs={
        "E": "embeddings.tok_embeddings.weight",
        "gamma": "embeddings.norm.weight",
        "beta": "embeddings.norm.bias",
    },
    transposed=True,
    causal=False,
    pre_norm=True,
    token="word",
    final_norm="final_norm",
    first_norm=False,
)
GATED = vision_layouts.GATED  # the same families with gated feed-forward layers
OF_ATTENTION = ("Q", "K", "V", "O", "QKV")
HEAD = "lm_head.weight"  # makes the scores of the next token, where no prefix stands before it
OLDER = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


def layout_of(sizes: ModelConfig) -> Layout:
    """The layout of a model of these sizes."""
    return (GATED if sizes.gated else LAYOUTS)[sizes.kind]


@dataclass(frozen=True, eq=False)
class Layer:
    """The parameters of one layer, with our names and matrices as (in, out).

    attention: W_Q … b_O, gamma_Q and gamma_K, as far as they exist. kv_heads: number of key and
    value heads. epsilon: of all norms. window: as in ``core.options.AttentionOptions``. scales: λ
    of the LayerScale behind attention and behind the feed-forward layer, (d_model,) each, or none.
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

    def weights(self) -> Weights:
        """A checked copy of the parameters of attention. Raises not_finite."""
        return Weights(
            heads=self.heads, kv_heads=self.kv_heads, epsilon=self.epsilon, **self.attention
        )


@dataclass(frozen=True, eq=False)
class Model:
    """The tensors of a checkpoint, read on demand by its layout."""

    tensors: Tensors | Shards
    layout: Layout
    sizes: ModelConfig

    @property
    def predicts(self) -> bool:
        """Whether there is a language model head, without which a decoder may be saved too."""
        outputs = self._outputs()
        return bool(outputs) and self._file_name(outputs[-1][0]) in self.tensors

    def check(self) -> None:
        """Check all names and shapes.

        Raises missing_tensor, wrong_number_type and tensor_does_not_fit.
        """
        outputs = self._outputs() if self.predicts else ()
        for name, shape in (*self._inputs().values(), *outputs, *self._final_norm()):
            self.tensors.check(self._file_name(name), shape)
        for layer in range(1, self.sizes.layers + 1):
            for name, shape in self._layer(layer):
                self.tensors.check(self._file_name(name), shape)

    def input(self, key: str) -> np.ndarray:
        """A tensor of the embeddings, by our name, in the shape of the file."""
        name, shape = self._inputs()[key]
        return self.tensors.array(self._file_name(name), shape)

    def input_rows(self, key: str, numbers: tuple[int, ...]) -> np.ndarray:
        """Some rows of an embedding table: (row, width)."""
        name, (count, width) = self._inputs()[key]
        return self.tensors.rows(self._file_name(name), (count, width), numbers)

    def layer(self, layer: int) -> Layer:
        """The parameters of a layer, from 1."""
        arrays = {name: self.tensors.array(self._file_name(name), shape)
                 for name, shape in self._layer(layer)}  # fmt: skip
        at, layout, sizes = self.layout.layer.format(layer - 1), self.layout, self.sizes
        attention: dict[str, np.ndarray] = {}
        feed_forward: dict[str, np.ndarray] = {}
        for part, module in layout.linear.items():
            W = arrays[f"{at}{module}.weight"]
            b = arrays.get(f"{at}{module}.bias")
            of = attention if part in OF_ATTENTION else feed_forward
            names = FUSED.get(part, (part,))
            matrices = np.split(W.T if layout.transposed else W, len(names), axis=1)
            of |= {f"W_{name}": one for name, one in zip(names, matrices, strict=True)}
            if b is not None:
                biases = np.split(b, len(names))
                of |= {f"b_{name}": one for name, one in zip(names, biases, strict=True)}
        if sizes.qk_norm:
            for letter, module in zip("QK", layout.qk_norms, strict=True):
                attention[f"gamma_{letter}"] = arrays[f"{at}{module}.weight"]
        before, behind = (
            self._norm(f"{at}{name}", arrays) if name else NoNorm() for name in self._norms(layer)
        )
        window = sizes.windows[layer - 1] if sizes.windows else None
        rotary = sizes.local_rotary if window and sizes.local_rotary else sizes.rotary
        feed_forward_type = GatedFeedForward if layout.gated else FeedForward
        return Layer(
            attention,
            sizes.heads,
            before,
            feed_forward_type(**feed_forward, activation=sizes.activation),
            behind,
            sizes.shared_heads,
            sizes.epsilon,
            rotary,
            window,
            tuple(arrays[f"{at}{name}"] for name in layout.layer_scales),
        )

    def final_norm(self) -> Norm | None:
        """The norm behind the last layer of a model without a language model head, if any."""
        arrays = {name: self.tensors.array(self._file_name(name), shape)
                  for name, shape in self._final_norm()}  # fmt: skip
        norm = self._norm(self.layout.final_norm, arrays) if arrays else None
        assert norm is None or isinstance(norm, Norm)
        return norm

    def last_norm(self) -> Norm | RMSNorm:
        """The final norm before the language model head."""
        arrays = {name: self.tensors.array(self._file_name(name), shape)
                 for name, shape in self._outputs()[:-1]}  # fmt: skip
        return self._norm(self.layout.last_norm, arrays)

    def output_rows(self) -> np.ndarray:
        """The matrix of the language model head: (vocabulary, d_model)."""
        name, shape = self._outputs()[-1]
        return self.tensors.array(self._file_name(name), shape)

    def _norm(self, name: str, arrays: Mapping[str, np.ndarray]) -> Norm | RMSNorm:
        gamma = arrays[f"{name}.weight"]
        if self.layout.rms:
            return RMSNorm(gamma, self.sizes.epsilon)
        return Norm(gamma, arrays.get(f"{name}.bias"), self.sizes.epsilon)

    def _layer(self, layer: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The name and shape of every tensor of a layer."""
        at, sizes = self.layout.layer.format(layer - 1), self.sizes
        d, d_ff = sizes.d_model, sizes.d_ff
        queries, keys = (n * sizes.head_width for n in (sizes.heads, sizes.shared_heads))
        shapes = {
            "Q": (d, queries), "K": (d, keys), "V": (d, keys), "QKV": (d, 3 * d), "O": (queries, d),
            **dict.fromkeys(("1", "gate", "up"), (d, d_ff)), "gate_up": (d, 2 * d_ff),
            **dict.fromkeys(("2", "down"), (d_ff, d)),
        }  # fmt: skip
        for part, module in self.layout.linear.items():
            shape = shapes[part]
            yield f"{at}{module}.weight", shape[::-1] if self.layout.transposed else shape
            if self._has_bias(part):
                yield f"{at}{module}.bias", shape[1:]
        for name in filter(None, self._norms(layer)):
            yield from self._of_norm(f"{at}{name}", d)
        for name in self.layout.layer_scales:
            yield f"{at}{name}", (d,)
        if sizes.qk_norm:
            for name in self.layout.qk_norms:
                yield from self._of_norm(f"{at}{name}", sizes.head_width)

    def _norms(self, layer: int) -> tuple[str, str]:
        """The modules of the norms of a layer; empty for one that it has not."""
        before, behind = self.layout.norms
        return before if layer > 1 or self.layout.first_norm else "", behind

    def _has_bias(self, part: str) -> bool:
        sizes = self.sizes
        if part in OF_ATTENTION:
            if part == "O":
                return sizes.output_bias
            return sizes.qkv_bias and (part != "K" or sizes.key_bias)
        return sizes.mlp_bias and not self.layout.rms

    def _of_norm(self, name: str, width: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        yield f"{name}.weight", (width,)
        if self.sizes.norm_bias and not self.layout.rms:
            yield f"{name}.bias", (width,)

    def _final_norm(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The name and shape of the tensors of the final norm; none if there is none."""
        if self.layout.final_norm:
            yield from self._of_norm(self.layout.final_norm, self.sizes.d_model)

    def _outputs(self) -> list[tuple[str, tuple[int, ...]]]:
        """Name and shape of the tensors of the language model head, the matrix last; else empty."""
        if not self.layout.last_norm:
            return []
        table, shape = self._inputs()["E"]
        # A tied matrix may stand in the file under both names.
        name = table if self.sizes.tied else HEAD
        return [*self._of_norm(self.layout.last_norm, self.sizes.d_model), (name, shape)]

    def _inputs(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Name and shape of the tensors of the embeddings, by our name."""
        sizes, d = self.sizes, self.sizes.d_model
        of_words: dict[str, tuple[int, ...]] = {
            "E": (sizes.vocabulary, d),
            "segment": (sizes.segments, d),
            "position": (sizes.first_position + sizes.positions, d),
            "gamma": (d,),
            "beta": (d,),
        }
        of_token = {"patch": vision_layouts.shapes, "frame": sound_layouts.shapes}
        kind = self.layout.token
        shapes = of_token[kind](sizes) if kind in of_token else of_words
        return {
            key: (name, shapes[key])
            for key, name in self.layout.inputs.items()
            if key != "beta" or sizes.norm_bias
        }

    def _file_name(self, name: str) -> str:
        """The name in the file: with or without the prefix, or an older one."""
        older = name
        for now, then in OLDER.items():
            older = older.replace(now, then)
        named = (self.layout.prefix + name, name, self.layout.prefix + older, older)
        return next((one for one in named if one in self.tensors), name)
