"""How BERT, ViT and GPT-2 name their numbers in a file, and what they say about themselves.

As Hugging Face's ``transformers`` writes them. BERT (Devlin et al., 2018) and ViT (Dosovitskiy et
al., 2021) keep matrices as (out, in), GPT-2 (Radford et al., 2019) as (in, out), with Q, K and V
side by side. Masks, pooling and output layers in the files are not read.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from core.layers import FeedForward, Norm
from core.models.settings import Sizes
from core.models.tensors import Tensors
from core.weights import Weights


@dataclass(frozen=True)
class Layout:
    """The names of one architecture.

    prefix: what may stand before every name. layer: what stands before those of a layer.
    linear: where the matrices are, by our letter. norms: the LayerNorms of attention and of the
    feed-forward layer. inputs: what makes the input, by our name.
    turned: whether matrices are (out, in). causal, pre_norm: how its layers go. token: what one is.
    """

    prefix: str
    layer: str
    linear: Mapping[str, str]
    norms: tuple[str, str]
    inputs: Mapping[str, str]
    turned: bool
    causal: bool
    pre_norm: bool
    token: str


def _linear(attention: str) -> Mapping[str, str]:
    """The matrices of BERT and ViT, which differ in where they keep those of Q, K and V."""
    return {
        "Q": f"attention.{attention}.query",
        "K": f"attention.{attention}.key",
        "V": f"attention.{attention}.value",
        "O": "attention.output.dense",
        "1": "intermediate.dense",
        "2": "output.dense",
    }


LAYOUTS = {
    "bert": Layout(
        prefix="bert.",
        layer="encoder.layer.{}.",
        linear=_linear("self"),
        norms=("attention.output.LayerNorm", "output.LayerNorm"),
        inputs={
            "E": "embeddings.word_embeddings.weight",
            "segment": "embeddings.token_type_embeddings.weight",
            "position": "embeddings.position_embeddings.weight",
            "gamma": "embeddings.LayerNorm.weight",
            "beta": "embeddings.LayerNorm.bias",
        },
        turned=True,
        causal=False,
        pre_norm=False,
        token="word",
    ),
    "vit": Layout(
        prefix="vit.",
        layer="encoder.layer.{}.",
        linear=_linear("attention"),
        norms=("layernorm_before", "layernorm_after"),
        inputs={
            "W_E": "embeddings.patch_embeddings.projection.weight",
            "b_E": "embeddings.patch_embeddings.projection.bias",
            "cls": "embeddings.cls_token",
            "position": "embeddings.position_embeddings",
        },
        turned=True,
        causal=False,
        pre_norm=True,
        token="patch",
    ),
    "gpt2": Layout(
        prefix="transformer.",
        layer="h.{}.",
        linear={"QKV": "attn.c_attn", "O": "attn.c_proj", "1": "mlp.c_fc", "2": "mlp.c_proj"},
        norms=("ln_1", "ln_2"),
        inputs={"E": "wte.weight", "position": "wpe.weight"},
        turned=False,
        causal=True,
        pre_norm=True,
        token="word",
    ),
}
OLDER = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}


@dataclass(frozen=True, eq=False)
class Layer:
    """The numbers of one layer, by our names and as ``X @ W`` takes them.

    attention: W_Q … b_O, those that there are. The norms stand before or behind their sublayer.
    """

    attention: Mapping[str, np.ndarray]
    heads: int
    attention_norm: Norm
    feed_forward: FeedForward
    feed_forward_norm: Norm

    def weights(self) -> Weights:
        """The matrices of attention, copied and checked. Raises NotFinite."""
        return Weights(heads=self.heads, **self.attention)


@dataclass(frozen=True, eq=False)
class Model:
    """A file read by its layout: what is asked for, and no more than that."""

    tensors: Tensors
    layout: Layout
    sizes: Sizes

    def check(self) -> None:
        """See that everything is there. Raises MissingTensor, WrongNumberType, TensorDoesNotFit."""
        for name, shape in self._inputs().values():
            self.tensors.check(self._found(name), shape)
        for layer in range(1, self.sizes.layers + 1):
            for name, shape in self._layer(layer):
                self.tensors.check(self._found(name), shape)

    def input(self, key: str) -> np.ndarray:
        """What makes the input, by our name and in the shape of the file."""
        name, shape = self._inputs()[key]
        return self.tensors.array(self._found(name), shape)

    def input_rows(self, key: str, numbers: tuple[int, ...]) -> np.ndarray:
        """Some rows of a table of the input."""
        name, (count, width) = self._inputs()[key]
        return self.tensors.rows(self._found(name), (count, width), numbers)

    def layer(self, layer: int) -> Layer:
        """The numbers of a layer, counted from 1."""
        found = {name: self.tensors.array(self._found(name), shape)
                 for name, shape in self._layer(layer)}  # fmt: skip
        at, layout = self.layout.layer.format(layer - 1), self.layout
        attention: dict[str, np.ndarray] = {}
        for letters, module in layout.linear.items():
            W = found[f"{at}{module}.weight"]
            b = found.get(f"{at}{module}.bias")
            if letters.isalpha():
                matrices = np.split(W.T if layout.turned else W, len(letters), axis=1)
                biases = [None] * len(letters) if b is None else np.split(b, len(letters))
                for letter, matrix, bias in zip(letters, matrices, biases, strict=True):
                    attention[f"W_{letter}"] = matrix
                    attention |= {} if bias is None else {f"b_{letter}": bias}
        wide = {}
        for number in "12":
            W = found[f"{at}{layout.linear[number]}.weight"]
            wide[f"W_{number}"] = W.T if layout.turned else W
            wide[f"b_{number}"] = found[f"{at}{layout.linear[number]}.bias"]
        before, behind = (
            Norm(found[f"{at}{name}.weight"], found[f"{at}{name}.bias"], self.sizes.epsilon)
            for name in layout.norms
        )
        feed_forward = FeedForward(**wide, activation=self.sizes.activation)
        return Layer(attention, self.sizes.heads, before, feed_forward, behind)

    def _layer(self, layer: int) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The name and shape of every tensor of a layer."""
        at, d, d_ff = self.layout.layer.format(layer - 1), self.sizes.d_model, self.sizes.d_ff
        for letters, module in self.layout.linear.items():
            shape = {"1": (d, d_ff), "2": (d_ff, d)}.get(letters, (d, len(letters) * d))
            yield f"{at}{module}.weight", shape[::-1] if self.layout.turned else shape
            if letters not in "QKV" or self.sizes.qkv_bias:
                yield f"{at}{module}.bias", shape[1:]
        for name in self.layout.norms:
            yield f"{at}{name}.weight", (d,)
            yield f"{at}{name}.bias", (d,)

    def _inputs(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """The name and shape of what makes the input."""
        sizes, d = self.sizes, self.sizes.d_model
        of_patches = {
            "W_E": (d, 3, sizes.patch, sizes.patch),
            "b_E": (d,),
            "cls": (1, 1, d),
            "position": (1, sizes.positions, d),
        }
        of_words = {
            "E": (sizes.vocabulary, d),
            "segment": (sizes.segments, d),
            "position": (sizes.positions, d),
            "gamma": (d,),
            "beta": (d,),
        }
        shapes: dict[str, tuple[int, ...]] = (
            dict(of_patches) if self.layout.token == "patch" else dict(of_words)
        )
        return {key: (name, shapes[key]) for key, name in self.layout.inputs.items()}

    def _found(self, name: str) -> str:
        """The name that the file has for it: with or without prefix, or an older one."""
        older = name
        for now, then in OLDER.items():
            older = older.replace(now, then)
        named = (self.layout.prefix + name, name, self.layout.prefix + older, older)
        return next((one for one in named if one in self.tensors), name)
