"""Computations that answer frequent questions of learners.

Each function takes the vectors of a few tokens, X (batch, token, d_model), and the weights, and
computes both sides of a comparison.
"""

from dataclasses import dataclass, replace

import numpy as np

from core import ops
from core.attention import multi_head_attention, scaled_dot_product_attention
from core.experiments import mistakes, order
from core.options import AttentionOptions
from core.rotary import Rotary
from core.trace import Stage, Trace
from core.weights import Weights


@dataclass(frozen=True, eq=False)
class KeyBias:
    """The same attention without and with a bias on K.

    without, with_bias: the two traces. shift: the constant added to each row of scaled,
    (batch, head, query). largest: the largest difference of any weight. rotated: that of the same
        attention with rotary positions.
    """

    without: Trace
    with_bias: Trace
    shift: np.ndarray
    largest: float
    rotated: float


def key_bias(X: np.ndarray | Trace, weights: Weights, seed: int) -> KeyBias:
    """Add a seeded b^K ~ N(0, 1) to every key: q_i · (k_j + b) = q_i · k_j + q_i · b.

    It adds a constant to each row, and softmax(row + constant) = softmax(row). With rotary
    positions it does not: the bias is rotated with each key, and R_i q_i · R_j b depends on j.
    """
    drawn = np.random.default_rng(seed).standard_normal((weights.W_K.shape[1],))
    both = weights, replace(weights, b_K=drawn)
    one, other = (multi_head_attention(X, w) for w in both)
    options = AttentionOptions(rotary=Rotary(weights.d_k))
    turned, turned_other = (multi_head_attention(X, w, options) for w in both)
    moved = other["scaled"].tensor - one["scaled"].tensor
    return KeyBias(
        one,
        other,
        moved.mean(axis=-1),
        float(np.abs(other["weights"].tensor - one["weights"].tensor).max()),
        float(np.abs(turned_other["weights"].tensor - turned["weights"].tensor).max()),
    )


def without_projections(X: np.ndarray) -> Trace:
    """Attention with Q = K = V = X, without projections. One head."""
    alone = X[:, None]  # (batch, token, d_model) -> (batch, 1, token, d_model)
    return scaled_dot_product_attention(alone, alone, alone)


def rectangular(X: Stage, weights: Weights, queries: int) -> Trace:
    """Attention of the first ``queries`` tokens to all tokens: n_q < n_k."""
    keys = replace(X, key="memory", kind="memory")
    return multi_head_attention(X.tensor[:, :queries], weights, memory=keys)


def owners(n: int, d_model: int, heads: int) -> tuple[np.ndarray, np.ndarray]:
    """The token of each number in head 1 of X W^Q: after a correct split, and after a reshape only.

    Returns two arrays (row, d_k) of tokens, from 1. Raises heads_do_not_divide.
    """
    token = np.broadcast_to(np.arange(1, n + 1)[None, :, None], (1, n, d_model))
    return ops.split_heads(token, heads)[0, 0], mistakes.reshape_only(token, heads)[0, 0]


def reversed_order(X: np.ndarray, weights: Weights) -> float:
    """The largest change of the output if X is reversed and the output restored: rounding."""
    turned = order.as_given(X.shape[1])[::-1]
    return _restored_output(X, order.reordered(X, turned, axes=(1,)), turned, weights)


def reversed_words(X: np.ndarray, position: np.ndarray, weights: Weights) -> float:
    """The same when the words are reversed before positions are added: not 0.

    position: (token, d_model), added to X (batch, token, d_model).
    """
    turned = order.as_given(X.shape[1])[::-1]
    moved = order.reordered(X, turned, axes=(1,))
    return _restored_output(ops.add(X, position), ops.add(moved, position), turned, weights)


def _restored_output(
    X: np.ndarray, moved: np.ndarray, turned: tuple[int, ...], weights: Weights
) -> float:
    before, after = (multi_head_attention(x, weights)["output"].tensor for x in (X, moved))
    return order.restore_order(before, after, turned, axes=(1,)).largest
