"""A decoder that writes one token after the other, with and without a KV cache.

Prefill reads the text in one pass and caches the keys and values of every layer; each decode step
then passes a single token ("Efficiently Scaling Transformer Inference", Pope et al., 2023, section
2). Three known faults can be built in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from core import finite, ops
from core.attention import scaled_dot_product_attention
from core.axis import Axis
from core.cost import stage_cost, trace_cost
from core.layers import Norm, RMSNorm
from core.models import altered, embeddings, forward
from core.models.altered import Attention
from core.models.model import Layer, Model
from core.options import AttentionOptions
from core.rotary import Rotary
from core.rules import Given
from core.sources.tokenizer import Encoding
from core.trace import Trace
from core.weights import Weights

Fault = Literal["rotated_twice", "repeated", "cached_q"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass(frozen=True, eq=False)
class LayerCache:
    """The cache of a layer: K and V, (batch 1, kv_head, token, width), K already rotated.

    Q: with the fault ``cached_q`` the queries too, (batch 1, head, token, d_k).
    """

    K: np.ndarray
    V: np.ndarray
    Q: np.ndarray | None = None

    @property
    def size(self) -> int:
        """The number of numbers in the cache."""
        return sum(part.size for part in (self.K, self.V, self.Q) if part is not None)


@dataclass(frozen=True, eq=False)
class Pass:
    """One forward pass.

    passed: the number of tokens in this pass; those before them were cached. logits: of the next
    token, (vocabulary,) float64. caches: of every layer, after this pass. multiply_adds: of
    attention in all layers. trace: of the attention of the requested layer, or None.
    """

    passed: int
    logits: np.ndarray
    caches: tuple[LayerCache, ...]
    multiply_adds: int
    trace: Trace | None

    @property
    def log_probabilities(self) -> np.ndarray:
        """log p of every token as the next one: (vocabulary,)."""
        result: np.ndarray = np.log(self.probabilities)
        return result

    @property
    def probabilities(self) -> np.ndarray:
        """p of every token as the next one: (vocabulary,)."""
        return ops.softmax(self.logits)

    @property
    def likeliest(self) -> int:
        """The id of the likeliest next token."""
        return int(self.logits.argmax())

    @property
    def cached_numbers(self) -> int:
        """The number of numbers in the caches of all layers."""
        return sum(cache.size for cache in self.caches)


@dataclass(frozen=True, eq=False)
class Decoder:
    """A model whose parameters are read once, for many passes."""

    model: Model
    layers: tuple[Layer, ...]
    weights: tuple[Weights, ...]
    last_norm: Norm | RMSNorm

    @classmethod
    def of(cls, model: Model) -> "Decoder":
        """Read the parameters of a pre-norm decoder. Raises not_finite."""
        layers = tuple(model.layer(number + 1) for number in range(model.config.layers))
        weights = tuple(layer.weights() for layer in layers)
        return cls(model, layers, weights, model.final_norm())


def run(
    decoder: Decoder,
    encoding: Encoding,
    caches: Sequence[LayerCache] = (),
    fault: Fault | None = None,
    layer: int = 0,
) -> Pass:
    """Pass tokens through a decoder, behind those that are cached.

    encoding: of all tokens; those that are cached are not passed again. caches: of every layer;
    none for the first pass. layer: whose trace is returned, from 1; 0 for none. Raises not_finite.
    """
    past = caches[0].K.shape[2] if caches else 0
    stage = embeddings.token_embeddings(decoder.model, _behind(encoding, past))["X"]
    new_caches, spent, found = [], 0, None
    for i, (numbers, weights) in enumerate(zip(decoder.layers, decoder.weights, strict=True)):
        attention = altered.attention_of(stage, numbers, weights)
        trace, output, cache, cost = _attend(attention, caches[i] if caches else None, fault)
        new_caches.append(cache)
        spent += cost
        if i + 1 == layer:
            found = _named(trace, encoding)
        x = forward.pre_norm_output(stage.tensor[0], output, numbers)
        finite.check(f"layer {i + 1}", x)
        stage = replace(stage, tensor=x[None])
    last = forward.normed(stage.tensor[0, -1:], decoder.last_norm)  # (1, d_model)
    logits = decoder.model.logits(last[0]).astype(np.float64)
    return Pass(len(encoding.ids) - past, logits, tuple(new_caches), spent, found)


def _behind(encoding: Encoding, past: int) -> Encoding:
    """The tokens that are not cached yet."""
    return replace(
        encoding, ids=encoding.ids[past:], tokens=encoding.tokens[past:],
        special=tuple(index - past for index in encoding.special if index >= past),
        unknown=(), origins=(), left_out=(),
    )  # fmt: skip


def _named(trace: Trace, encoding: Encoding) -> Trace:
    """The trace with the names of all tokens along the keys, those in the cache included."""
    total = len(encoding.tokens)
    sizes = {"key": total, "past_key": total - trace["X"].size("token")}
    kinds = tuple("special" if i in encoding.special else "piece" for i in range(total))

    def named(axis: Axis) -> Axis:
        size = sizes.get(axis.role)
        if size is None:
            return axis
        return replace(axis, labels=encoding.tokens[:size], kinds=kinds[:size])

    return Trace(replace(stage, axes=tuple(map(named, stage.axes))) for stage in trace.values())


def _attend(
    attention: Attention, past: LayerCache | None, fault: Fault | None
) -> tuple[Trace, np.ndarray, LayerCache, int]:
    """The attention of new tokens: its trace, its output, the cache, and its multiply-adds."""
    heads, group = attention.weights.heads, attention.weights.heads // attention.weights.kv_heads
    if past is not None:
        K, V = past.K, past.V
        if fault == "rotated_twice":
            assert attention.options.rotary is not None
            K = _rotated_again(K, attention.options.rotary)
        elif fault == "repeated":
            K, V = K[:, ::group], V[:, ::group]
        attention = attention.with_options(past=(K, V))
    trace = attention.trace()
    K, V = (
        trace[f"present_{name}" if past is not None else last].tensor
        for name, last in (("K", _rotated("K", trace)), ("V", "V"))
    )
    Q = trace[_rotated("Q", trace)].tensor
    output, spent = trace["output"].tensor[0], trace_cost(trace).multiply_adds
    if fault == "repeated":
        cache = LayerCache(ops.repeat_heads(K, heads), ops.repeat_heads(V, heads))
    elif fault == "cached_q":
        queries = [Q] if past is None or past.Q is None else [past.Q, Q]
        cache = LayerCache(K, V, np.concatenate(queries, axis=2))
    else:
        return trace, output, LayerCache(K, V), spent
    attended = _of_cache(cache, Q)
    again = trace_cost(attended).multiply_adds
    once = sum(
        stage_cost(trace[key]).multiply_adds
        for key, stage in attended.items()
        if not isinstance(stage.rule, Given)
    )
    assert attention.weights.W_O is not None
    concat = ops.merge_heads(attended["head_output"].tensor)[0, -len(output) :]
    mixed = concat @ attention.weights.W_O.astype(concat.dtype)
    return trace, mixed, cache, spent - once + again


def _of_cache(cache: LayerCache, Q: np.ndarray) -> Trace:
    """Attention on the cached keys and values, of cached queries if there are any."""
    first = 0 if cache.Q is not None else cache.K.shape[2] - Q.shape[2]
    past = (cache.K[:, :, :first], cache.V[:, :, :first]) if first else None
    queries = Q if cache.Q is None else cache.Q
    options = AttentionOptions(causal=True, past=past)
    return scaled_dot_product_attention(
        queries, cache.K[:, :, first:], cache.V[:, :, first:], options
    )


def _rotated(name: str, trace: Trace) -> str:
    key = f"{name}_rotated"
    return key if key in trace else name


def _rotated_again(K: np.ndarray, rotary: Rotary) -> np.ndarray:
    """Cached keys, which are rotated already, rotated once more by their positions."""
    return ops.rotate(K, *rotary.tables(K.shape[2], K.dtype), rotary.interleaved)


def differences(uncached: Sequence[Pass], cached: Sequence[Pass]) -> tuple[float, ...]:
    """max |log p − log p| over all tokens, by step: 0 up to rounding for a cache without faults."""
    return tuple(
        float(np.abs(one.log_probabilities - other.log_probabilities).max())
        for one, other in zip(uncached, cached, strict=True)
    )


@dataclass(frozen=True, eq=False)
class Writing:
    """A text and its continuation by greedy decoding.

    encodings: of all tokens that there are at each step; first those of the text. passes: those
    without a cache, of all these tokens. names: of the token that each step writes. ended: whether
    the last of them ends the text.
    """

    encodings: tuple[Encoding, ...]
    passes: tuple[Pass, ...]
    names: tuple[str, ...]
    ended: bool


def write(
    decoder: Decoder,
    encoding: Encoding,
    most: int,
    name_of: Callable[[int], str],
    is_end: Callable[[int], bool],
) -> Writing:
    """Continue a text by at most so many tokens, passing all of them again for each.

    name_of: the text of a token's id. is_end: whether a token ends the text.
    """
    encodings, passes, names = [encoding], [run(decoder, encoding)], []
    while True:
        number = passes[-1].likeliest
        names.append(name_of(number))
        if is_end(number) or len(passes) > most:
            return Writing(tuple(encodings), tuple(passes), tuple(names), is_end(number))
        last = encodings[-1]
        encodings.append(replace(last, ids=(*last.ids, number), tokens=(*last.tokens, names[-1])))
        passes.append(run(decoder, encodings[-1]))


def with_cache(decoder: Decoder, writing: Writing, fault: Fault | None = None) -> tuple[Pass, ...]:
    """The same steps with a cache: the text at once, then each written token alone.

    Every step is given the tokens that were written without a cache, whatever a fault would write.
    """
    passes: list[Pass] = []
    for encoding in writing.encodings:
        passes.append(run(decoder, encoding, passes[-1].caches if passes else (), fault))
    return tuple(passes)
