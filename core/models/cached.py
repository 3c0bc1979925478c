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
from core.cost import product_multiply_adds
from core.models import altered, embeddings, forward
from core.models.altered import Attention
from core.models.model import Layer, Model
from core.options import AttentionOptions
from core.rotary import Rotary
from core.sources.tokenizer import Encoding
from core.trace import Stage, Trace

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
    attention in all layers, see ``core.cost.product_multiply_adds``.
    """

    passed: int
    logits: np.ndarray
    caches: tuple[LayerCache, ...]
    multiply_adds: int

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


def run(
    model: Model,
    encoding: Encoding,
    caches: Sequence[LayerCache] = (),
    fault: Fault | None = None,
) -> Pass:
    """Pass tokens through a pre-norm decoder, behind those that are cached.

    encoding: of all tokens; those that are cached are not passed again. caches: of every layer;
    none for the first pass. Raises not_finite.
    """
    stage = _embedded(model, encoding, caches)
    passed, new_caches, spent = stage.size("token"), [], 0
    for i in range(model.config.layers):
        layer, before = model.layer(i + 1), caches[i] if caches else None
        # A trace takes longer than its numbers. That of one layer counts the work of each.
        if i == 0:
            _, output, cache, cost = _attend(altered.attention_of(stage, layer), before, fault)
            spent = cost * model.config.layers
        else:
            output, cache = _untraced(stage.tensor[0], layer, before, fault)
        new_caches.append(cache)
        stage = _behind_layer(stage, output, layer, i + 1)
    (logits,) = altered.next_logits(model, stage.tensor[0, -1:])
    return Pass(passed, logits, tuple(new_caches), spent)


def attention_trace(
    model: Model, encoding: Encoding, caches: Sequence[LayerCache], number: int
) -> Trace:
    """The attention of a layer, from 1, in the pass of the tokens that are not cached.

    Raises not_finite.
    """
    stage = _embedded(model, encoding, caches)
    for i in range(number - 1):
        layer = model.layer(i + 1)
        output, _ = _untraced(stage.tensor[0], layer, caches[i] if caches else None, None)
        stage = _behind_layer(stage, output, layer, i + 1)
    attention = altered.attention_of(stage, model.layer(number))
    trace, *_ = _attend(attention, caches[number - 1] if caches else None, None)
    return _named(trace, encoding)


def _embedded(model: Model, encoding: Encoding, caches: Sequence[LayerCache]) -> Stage:
    """The embeddings of the tokens that are not cached: (batch 1, token, d_model)."""
    past = caches[0].K.shape[2] if caches else 0
    return embeddings.token_embeddings(model, _behind(encoding, past))["X"]


def _behind_layer(stage: Stage, output: np.ndarray, layer: Layer, number: int) -> Stage:
    """The stream behind a layer. output: of its attention, (token, d_model)."""
    x = forward.pre_norm_output(stage.tensor[0], output, layer)
    finite.check(f"layer {number}", x)
    return replace(stage, tensor=x[None])


def _untraced(
    x: np.ndarray, layer: Layer, past: LayerCache | None, fault: Fault | None
) -> tuple[np.ndarray, LayerCache]:
    """The same as ``_attend`` without a trace. x: (token, d_model), the stream."""
    X, before = forward.normed(x, layer.attention_norm), None
    if past is not None:
        K, V = _read(past, layer.heads // layer.kv_heads, layer.rotary, fault)
        before = K[0], V[0]
    K, V = forward.key_values(X, layer, before)
    cache = _kept(K[None], V[None], layer.heads, fault)
    if fault == "cached_q":
        Q = forward.queries(X, layer, K.shape[1] - len(X))[None]
        cache = _with_queries(cache, past, Q)
        concat = ops.merge_heads(_of_cache(cache, Q)["head_output"].tensor)[0, -len(X) :]
        weights = layer.attention
        return forward.linear(concat, weights["W_O"], weights.get("b_O")), cache
    return forward.attention(X, layer, causal=True, cache=(cache.K[0], cache.V[0])), cache


def _read(
    past: LayerCache, group: int, rotary: Rotary | None, fault: Fault | None
) -> tuple[np.ndarray, np.ndarray]:
    """K and V as the next pass reads them from the cache. group: query heads on one of them."""
    if fault == "rotated_twice":
        assert rotary is not None
        return _rotated_again(past.K, rotary), past.V
    if fault == "repeated":
        return past.K[:, ::group], past.V[:, ::group]
    return past.K, past.V


def _kept(K: np.ndarray, V: np.ndarray, heads: int, fault: Fault | None) -> LayerCache:
    """What is cached of K and V, (batch 1, kv_head, token, width)."""
    if fault == "repeated":
        return LayerCache(ops.repeat_heads(K, heads), ops.repeat_heads(V, heads))
    return LayerCache(K, V)


def _with_queries(cache: LayerCache, past: LayerCache | None, Q: np.ndarray) -> LayerCache:
    """A cache that keeps the queries too. Q: of the new tokens, (batch 1, head, token, d_k)."""
    return replace(
        cache, Q=Q if past is None or past.Q is None else np.concatenate([past.Q, Q], axis=2)
    )


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
    heads, kv_heads = attention.weights.heads, attention.weights.kv_heads
    if past is not None:
        read = _read(past, heads // kv_heads, attention.options.rotary, fault)
        attention = attention.with_options(past=read)
    trace = attention.trace()
    K, V = (
        trace[f"present_{name}" if past is not None else last].tensor
        for name, last in (("K", _rotated("K", trace)), ("V", "V"))
    )
    Q = trace[_rotated("Q", trace)].tensor
    output, spent = trace["output"].tensor[0], product_multiply_adds(trace)
    cache = _kept(K, V, heads, fault)
    if fault == "cached_q":
        cache = _with_queries(cache, past, Q)
    elif fault != "repeated":
        return trace, output, cache, spent
    attended = _of_cache(cache, Q)
    again = product_multiply_adds(attended)
    once = product_multiply_adds(trace, projected=False)
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


def rounded(values: np.ndarray, bits: int, axis: int) -> np.ndarray:
    """Numbers rounded to 2^bits evenly spaced ones, from the least to the largest along an axis."""
    low = values.min(axis=axis, keepdims=True)
    step = (values.max(axis=axis, keepdims=True) - low) / (2**bits - 1)
    levels = np.rint((values - low) / np.where(step > 0, step, 1))
    result: np.ndarray = (low + levels * step).astype(values.dtype)
    return result


def with_rounded_cache(model: Model, writing: "Writing", bits: int, *, by_channel: bool) -> Pass:
    """The last step on a cache whose numbers are stored in a few bits.

    by_channel: the numbers of a key that share their ends are those of one channel (a column of K)
    for all tokens, instead of those of one token; of a value they are those of one token ("KIVI",
    Liu et al., 2024, section 3). Keys are rotated before. writing: of more than one step.
    """
    caches = tuple(
        LayerCache(rounded(one.K, bits, 2 if by_channel else 3), rounded(one.V, bits, 3))
        for one in writing.cached[-2].caches
    )
    return run(model, writing.encodings[-1], caches)


@dataclass(frozen=True, eq=False)
class Writing:
    """A text and its continuation by greedy decoding.

    encodings: of all tokens that there are at each step; first those of the text. cached: the
    passes that wrote it, with a cache. passes: those of all these tokens without one. names: of the
    token that each step writes. ended: whether the last of them ends the text.
    """

    encodings: tuple[Encoding, ...]
    cached: tuple[Pass, ...]
    passes: tuple[Pass, ...]
    names: tuple[str, ...]
    ended: bool


def write(
    model: Model,
    encoding: Encoding,
    most: int,
    name_of: Callable[[int], str],
    is_end: Callable[[int], bool],
) -> Writing:
    """Continue a text by at most so many tokens, with a cache, and pass all of them without one.

    name_of: the text of a token's id. is_end: whether a token ends the text.
    """
    encodings, passes, names = [encoding], [run(model, encoding)], []
    while True:
        number = passes[-1].likeliest
        names.append(name_of(number))
        if is_end(number) or len(passes) > most:
            uncached = _without_cache(model, encodings)
            return Writing(tuple(encodings), tuple(passes), uncached, tuple(names), is_end(number))
        last = encodings[-1]
        encodings.append(replace(last, ids=(*last.ids, number), tokens=(*last.tokens, names[-1])))
        passes.append(run(model, encodings[-1], passes[-1].caches))


def _without_cache(model: Model, encodings: Sequence[Encoding]) -> tuple[Pass, ...]:
    """The pass of each of these texts, each the beginning of the next.

    That of the longest has the numbers of all: no token changes those before it.
    """
    stage, first = _embedded(model, encodings[-1], ()), model.layer(1)
    lengths, caches = [len(encoding.ids) for encoding in encodings], []
    work = [
        product_multiply_adds(altered.attention_of(_embedded(model, encoding, ()), first).trace())
        for encoding in encodings
    ]
    for i in range(model.config.layers):
        layer = model.layer(i + 1)
        output, cache = _untraced(stage.tensor[0], layer, None, None)
        caches.append(cache)
        stage = _behind_layer(stage, output, layer, i + 1)
    logits = altered.next_logits(model, stage.tensor[0, [n - 1 for n in lengths]])
    return tuple(
        Pass(
            n,
            row,
            tuple(LayerCache(one.K[:, :, :n], one.V[:, :, :n]) for one in caches),
            model.config.layers * spent,
        )
        for n, row, spent in zip(lengths, logits, work, strict=True)
    )


def with_cache(model: Model, writing: Writing, fault: Fault) -> tuple[Pass, ...]:
    """The same steps with a fault in the cache.

    Every step is given the tokens that were written without a fault, whatever one would write.
    """
    # Keys that are rotated again differ only once they are read.
    passes = [
        writing.cached[0]
        if fault == "rotated_twice"
        else run(model, writing.encodings[0], (), fault)
    ]
    for encoding in writing.encodings[1:]:
        passes.append(run(model, encoding, passes[-1].caches, fault))
    return tuple(passes)
