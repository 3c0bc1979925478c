"""A layer computed in passing: only what goes on to the next one is kept.

The same function as the parts of ``core.models.block``, for the layers before the one that is
looked at. float32; what is large is made a block at a time, so that it stays in a processor's
cache: softmax and the activation else wait for memory.
"""

from collections.abc import Mapping

import numpy as np

from core import activations, ops
from core.layers import FeedForward, Norm
from core.models.layouts import Layer

BLOCK = 2**18  # numbers at once: a megabyte
FEW = 64  # rows


def through(x: np.ndarray, layer: Layer, *, causal: bool, pre_norm: bool) -> np.ndarray:
    """What a layer makes of its input. x: (token, d_model); returns the same.

    Pre-norm: y = x + MultiHead(LayerNorm(x)), then y + FFN(LayerNorm(y)).
    Post-norm: y = LayerNorm(x + MultiHead(x)), then LayerNorm(y + FFN(y)).
    """
    before, behind = layer.attention_norm, layer.feed_forward_norm
    if pre_norm:
        y = x + attention(_normed(x, before), layer.attention, layer.heads, causal)
        return y + feed_forward(_normed(y, behind), layer.feed_forward)
    y = _normed(x + attention(x, layer.attention, layer.heads, causal), before)
    return _normed(y + feed_forward(y, layer.feed_forward), behind)


def attention(
    X: np.ndarray, weights: Mapping[str, np.ndarray], heads: int, causal: bool
) -> np.ndarray:
    """MultiHead(X), some heads at a time. X: (token, d_model)."""
    n = len(X)
    Q, K, V = (
        # (n, h·d_k) -> (n, head, d_k) -> (head, n, d_k)
        _linear(X, weights[f"W_{name}"], weights.get(f"b_{name}"))
        .reshape(n, heads, -1)
        .swapaxes(0, 1)
        for name in "QKV"
    )
    Q *= np.float32(Q.shape[2] ** -0.5)
    concat = np.empty((n, heads, V.shape[2]), np.float32)
    at_once = max(1, BLOCK // n**2)
    for first in range(0, heads, at_once):
        some = slice(first, first + at_once)
        scores = Q[some] @ K[some].swapaxes(1, 2)  # (head, query, key)
        if causal:
            scores[:, ~np.tri(n, dtype=bool)] = -np.inf
        concat[:, some] = (ops.softmax(scores) @ V[some]).swapaxes(0, 1)
    return _linear(concat.reshape(n, -1), weights["W_O"], weights.get("b_O"))


def feed_forward(X: np.ndarray, parts: FeedForward) -> np.ndarray:
    """f(X W_1 + b_1) W_2 + b_2, some rows of the middle at a time. X: (token, d_model)."""
    function = getattr(activations, parts.activation)
    hidden = _linear(X, parts.W_1, parts.b_1)  # (token, d_ff)
    at_once = max(1, BLOCK // hidden.shape[1])
    for first in range(0, len(X), at_once):
        some = slice(first, first + at_once)
        hidden[some] = function(hidden[some])
    return _linear(hidden, parts.W_2, parts.b_2)


def _linear(X: np.ndarray, W: np.ndarray, b: np.ndarray | None) -> np.ndarray:
    """X W + b; for a few rows and a matrix that is kept as (out, in) by way of (Wᵀ Xᵀ)ᵀ.

    That takes two thirds of the time at 12 rows, and saves nothing from some 100 on.
    """
    if len(X) > FEW or not W.flags.f_contiguous:
        return ops.linear(X, W, b)
    made = np.ascontiguousarray((W.T @ X.T).T)  # (token, d_model) -> (token, m)
    if b is not None:
        made += b
    return made


def _normed(x: np.ndarray, norm: Norm) -> np.ndarray:
    return ops.layer_norm(x, norm.epsilon, norm.gamma, norm.beta)
