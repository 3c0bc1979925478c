"""The forward pass of a layer without a trace: only its output is returned.

The same computation as ``core.models.block``, for the layers that are not shown. float32; large
arrays are computed in blocks that fit a processor's cache, since softmax and the activation are
limited by memory bandwidth.
"""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from core import activations, masks, ops
from core.layers import AnyNorm, FeedForward, GatedFeedForward, NoNorm, RMSNorm
from core.models.model import Layer, Model

BLOCK = 2**18  # numbers at once: a megabyte
FEW = 64  # rows
LEAST = 64  # queries at once

# Called with the weights of some heads and queries, (head, query, key), and which queries they are
# of. Keys at the end that none of these sees are left out.
Observer = Callable[[np.ndarray, slice], None]
KeyValues = tuple[np.ndarray, np.ndarray]  # K, rotated, and V of tokens: (kv_head, token, width)


def layer_forward(
    x: np.ndarray,
    layer: Layer,
    *,
    causal: bool,
    pre_norm: bool,
    observe: Observer | None = None,
) -> np.ndarray:
    """The output of a layer. x: (token, d_model); returns the same shape.

    Pre-norm: y = x + MultiHead(norm(x)), then y + FFN(norm(y)); what is added passes a norm of its
    own or is multiplied by the λ of a LayerScale if there is one.
    Post-norm: y = norm(x + MultiHead(x)), then norm(y + FFN(y)).
    observe: called with the weights of all heads and queries in order, a block at a time.
    """
    before, behind = layer.attention_norm, layer.feed_forward_norm
    x = entering(x, layer)
    if pre_norm:
        return pre_norm_output(x, attention(normed(x, before), layer, causal, observe), layer)
    y = normed(x + attention(x, layer, causal, observe), before)
    return normed(y + feed_forward(y, layer.feed_forward), behind)


def entering(x: np.ndarray, layer: Layer, first: int = 0) -> np.ndarray:
    """What enters the layer: x, (token, d_model), patched if it is. first: as in ``_of_heads``."""
    if layer.changes is None or not layer.changes.patches_stream:
        return x
    patched = x.copy()
    layer.changes.patch_stream(patched, first)
    return patched


def pre_norm_output(x: np.ndarray, output: np.ndarray, layer: Layer) -> np.ndarray:
    """The output of a pre-norm layer, from x and the output of its attention: (token, d_model)."""
    y = x + _added(output, layer, 0)
    fed = feed_forward(normed(y, layer.feed_forward_norm), layer.feed_forward)
    return y + _added(fed, layer, 1)


def _added(output: np.ndarray, layer: Layer, part: int) -> np.ndarray:
    """What a pre-norm part adds to the stream: its output, normed or scaled if the layer says so.

    output: (token, d_model). part: 0 for attention, 1 for the feed-forward layer.
    """
    if layer.post_norms:
        return normed(output, layer.post_norms[part])
    return output * layer.scales[part] if layer.scales else output


def attention_weights(
    x: np.ndarray, layer: Layer, observe: Observer, *, causal: bool, pre_norm: bool
) -> None:
    """Call ``observe`` as ``layer_forward`` does, without computing the layer's output."""
    x = entering(x, layer)
    X = normed(x, layer.attention_norm) if pre_norm else x
    for _, queries, weights in _weights(X, _of_heads("K", X, layer), layer, causal):
        observe(weights, queries)


def key_values(X: np.ndarray, layer: Layer, before: KeyValues | None = None) -> KeyValues:
    """K and V of tokens, behind those of the tokens before them. X: (…, token, d_model)."""
    first = before[0].shape[1] if before else 0
    made = _of_heads("K", X, layer, first), _of_heads("V", X, layer, first)
    if before is None:
        return made
    K, V = (np.concatenate(both, axis=-2) for both in zip(before, made, strict=True))
    return K, V


def queries(X: np.ndarray, layer: Layer, first: int = 0) -> np.ndarray:
    """Q of tokens, rotated: (head, token, d_k). X: (token, d_model). first: as in ``_of_heads``."""
    return _of_heads("Q", X, layer, first)


def attention(
    X: np.ndarray,
    layer: Layer,
    causal: bool,
    observe: Observer | None = None,
    cache: KeyValues | None = None,
) -> np.ndarray:
    """MultiHead(X), computed in blocks of heads or of queries. X: (…, token, d_model).

    cache: K and V of all tokens, of which X are the last.
    """
    return mixed(head_outputs(X, layer, causal, observe, cache), layer)


def mixed(outputs: np.ndarray, layer: Layer) -> np.ndarray:
    """Concat W_O + b_O: (…, token, d_model). outputs: of the heads, (…, head, token, d_v)."""
    W_O, b_O = layer.attention["W_O"], layer.attention.get("b_O")
    by_token = outputs.swapaxes(-3, -2)  # (…, token, head, d_v)
    made = linear(by_token.reshape(-1, len(W_O)), W_O, b_O)
    return made.reshape(*by_token.shape[:-2], -1)


def head_outputs(
    X: np.ndarray,
    layer: Layer,
    causal: bool,
    observe: Observer | None = None,
    cache: KeyValues | None = None,
) -> np.ndarray:
    """softmax(Q Kᵀ / √d_k) V of every head, changed if it is: (…, head, token, d_v).

    X, observe, cache: as for ``attention``.
    """
    changes = layer.changes
    K, V = cache or key_values(X, layer)
    V = ops.repeat_heads(V, layer.heads)
    outputs = np.empty((*X.shape[:-2], layer.heads, X.shape[-2], V.shape[-1]), X.dtype)
    for block, queries, weights in _weights(X, K, layer, causal):
        if observe:
            observe(weights, queries)
        outputs[..., block, queries, :] = weights @ V[..., block, : weights.shape[-1], :]
    if changes is not None:
        changes.scale(outputs)
        changes.patch(outputs, V.shape[-2] - X.shape[-2])
    return outputs


def _weights(
    X: np.ndarray, K: np.ndarray, layer: Layer, causal: bool
) -> Iterator[tuple[slice, slice, np.ndarray]]:
    """Yields softmax(Q Kᵀ / √d_k), (…, head, query, key), for each block: its heads, its queries.

    A block has all queries of some heads, or if these are too many numbers some queries of one;
    keys behind those that a causal mask shows to any of them are left out.
    With the scale of the layer in place of 1 / √d_k, and plus its relative position bias, if any;
    rows are set by hand if they are.
    X: (…, query, d_model), the last of the tokens of K, (…, kv_head, key, d_k).
    """
    n, queries, changes = K.shape[-2], X.shape[-2], layer.changes
    before, of_row = n - queries, X[..., 0].size // queries * n
    sets_rows = changes is not None and changes.sets_weights
    Q, K = _of_heads("Q", X, layer, before), ops.repeat_heads(K, layer.heads)
    Q *= np.float32(layer.options(causal=causal).scale_for(Q.shape[-1]))
    heads = max(1, BLOCK // (of_row * queries))
    rows = queries if sets_rows else min(queries, max(LEAST, BLOCK // of_row))
    for first, start in product(range(0, layer.heads, heads), range(0, queries, rows)):
        block, some = slice(first, first + heads), slice(start, min(start + rows, queries))
        count, offset = some.stop - start, before + start
        keys = offset + count if causal and not sets_rows else n
        scores = Q[..., block, some, :] @ K[..., block, :keys, :].swapaxes(-1, -2)
        if layer.relative:
            scores += layer.relative.bias(count, n, offset, block)[..., :keys]
        hidden = None if changes is None else changes.hidden(count, keys, offset)
        if layer.window or hidden is not None:
            visible = allowed(count, keys, offset, causal, layer.window)
            np.copyto(scores, -np.inf, where=~(visible if hidden is None else visible & hidden))
        elif causal:  # the keys before these queries are visible to all of them
            later = scores[..., offset:]
            np.copyto(later, -np.inf, where=~masks.causal(count, later.shape[-1]))
        weights = ops.softmax(scores)
        if changes is not None and sets_rows:
            changes.of_heads(first).set_weights(weights, scores > -np.inf, before)
        yield block, some, weights


def allowed(
    query: int, key: int, offset: int, causal: bool, window: tuple[int, int] | None
) -> np.ndarray:
    """The mask of a layer for queries from position ``offset`` on, True where one may attend.

    (query, key) bool.
    """
    parts = [masks.causal(query, key, offset)] if causal else []
    parts += [masks.window(query, key, *window, offset)] if window else []
    return masks.composed(query, key, parts)


def visible_keys(n: int, causal: bool, window: tuple[int, int] | None) -> np.ndarray:
    """How many of n tokens each one may attend to in a layer: (token,)."""
    at_once = max(1, BLOCK // n)
    return np.concatenate([
        allowed(min(at_once, n - first), n, first, causal, window).sum(axis=1)
        for first in range(0, n, at_once)
    ])  # fmt: skip


def _of_heads(name: str, X: np.ndarray, layer: Layer, first: int = 0) -> np.ndarray:
    """Q, K or V, normalised and rotated: (…, head, token, d_k), of K and V the shared heads.

    X: (…, token, d_model). first: the position of the first token.
    """
    weights, heads = layer.attention, layer.heads if name == "Q" else layer.kv_heads
    rows = X.reshape(-1, X.shape[-1])
    projected = linear(rows, weights[f"W_{name}"], weights.get(f"b_{name}"))
    # (n, h·d_k) -> (n, head, d_k) -> (head, n, d_k)
    by_head = projected.reshape(*X.shape[:-1], heads, -1).swapaxes(-3, -2)
    if f"gamma_{name}" in weights:
        by_head = ops.rms_norm(by_head, layer.epsilon, weights[f"gamma_{name}"])
    if layer.rotary and name != "V":
        tables = layer.rotary.tables(X.shape[-2], by_head.dtype, first)
        by_head = ops.rotate(by_head, *tables, layer.rotary.interleaved)
    return by_head


def feed_forward(X: np.ndarray, parts: FeedForward | GatedFeedForward) -> np.ndarray:
    """f(X W_1 + b_1) W_2 + b_2, or (f(X W_gate + b_gate) ⊙ (X W_up + b_up)) W_down + b_down.

    X: (token, d_model). f is applied in blocks of rows.
    """
    if isinstance(parts, GatedFeedForward):
        hidden = _activate(linear(X, parts.W_gate, parts.b_gate), parts.activation)
        hidden *= linear(X, parts.W_up, parts.b_up)  # (token, d_ff)
        return linear(hidden, parts.W_down, parts.b_down)
    hidden = _activate(linear(X, parts.W_1, parts.b_1), parts.activation)
    return linear(hidden, parts.W_2, parts.b_2)


def final_normed(x: np.ndarray, model: Model) -> np.ndarray:
    """The output of the last layer, (token, d_model), behind the model's final norm if any."""
    return normed(x, model.final_norm()) if model.names.final_norm else x


def _activate(hidden: np.ndarray, activation: str) -> np.ndarray:
    """Apply the activation in place, in blocks of rows. hidden: (token, d_ff)."""
    function = getattr(activations, activation)
    at_once = max(1, BLOCK // hidden.shape[1])
    for first in range(0, len(hidden), at_once):
        block = slice(first, first + at_once)
        hidden[block] = function(hidden[block])
    return hidden


def linear(X: np.ndarray, W: np.ndarray, b: np.ndarray | None) -> np.ndarray:
    """X W + b; as (Wᵀ Xᵀ)ᵀ for few rows and a matrix stored as (out, in).

    This takes two thirds of the time for 12 rows, and saves nothing from about 100 rows on.
    """
    if len(X) > FEW or not W.flags.f_contiguous:
        return ops.linear(X, W, b)
    projected = np.ascontiguousarray((W.T @ X.T).T)  # (token, d_model) -> (token, m)
    if b is not None:
        projected += b
    return projected


def normed(x: np.ndarray, norm: AnyNorm) -> np.ndarray:
    """LayerNorm or RMSNorm of every row; x itself where there is no norm. x: (token, d_model)."""
    if isinstance(norm, NoNorm):
        return x
    if isinstance(norm, RMSNorm):
        return ops.rms_norm(x, norm.epsilon, norm.gamma)
    return ops.layer_norm(x, norm.epsilon, norm.gamma, norm.beta)
