"""The numbers behind the questions that learners ask again and again.

Each function takes the vectors of a few tokens, X (batch, token, d_model), and the matrices, and
computes both sides of one question.
"""

from dataclasses import dataclass, replace

import numpy as np

from core import ops
from core.attention import multi_head_attention, scaled_dot_product_attention
from core.experiments import mistakes, order
from core.trace import Stage, Trace
from core.weights import Weights


@dataclass(frozen=True, eq=False)
class KeyBias:
    """The same attention without and with a bias on K.

    without, with_bias: the two traces. shift: (batch, head, query), by how much each row of scaled
    moved. largest: the largest difference of any weight.
    """

    without: Trace
    with_bias: Trace
    shift: np.ndarray
    largest: float


def key_bias(X: np.ndarray | Trace, weights: Weights, seed: int) -> KeyBias:
    """Add a seeded b^K ~ N(0, 1) to every key: q_i · (k_j + b) = q_i · k_j + q_i · b.

    What is added is the same along a whole row, and softmax(row + constant) = softmax(row).
    """
    drawn = np.random.default_rng(seed).standard_normal((weights.W_K.shape[1],))
    one, other = (multi_head_attention(X, w) for w in (weights, replace(weights, b_K=drawn)))
    moved = other["scaled"].tensor - one["scaled"].tensor
    different = other["weights"].tensor - one["weights"].tensor
    return KeyBias(one, other, moved.mean(axis=-1), float(np.abs(different).max()))


def without_projections(X: np.ndarray) -> Trace:
    """Attend with Q = K = V = X: what is left where no matrix is learnt. One head."""
    alone = X[:, None]  # (batch, token, d_model) -> (batch, 1, token, d_model)
    return scaled_dot_product_attention(alone, alone, alone)


def rectangular(X: Stage, weights: Weights, queries: int) -> Trace:
    """Let only the first so many tokens ask, and all of them answer: n_q < n_k."""
    keys = replace(X, key="memory", kind="memory")
    return multi_head_attention(X.tensor[:, :queries], weights, memory=keys)


def owners(n: int, d_model: int, heads: int) -> tuple[np.ndarray, np.ndarray]:
    """Tell whose numbers land in head 1 when X W^Q is split: rightly, and by a reshape alone.

    Returns two arrays (row, d_k) of tokens counted from 1. Raises where h does not divide d_model.
    """
    token = np.broadcast_to(np.arange(1, n + 1)[None, :, None], (1, n, d_model))
    return ops.split_heads(token, heads)[0, 0], mistakes.reshape_only(token, heads)[0, 0]


def reversed_order(X: np.ndarray, weights: Weights) -> float:
    """Reverse the rows of X, undo it in the output: the largest difference, 0 but for rounding."""
    turned = order.as_given(X.shape[1])[::-1]
    return _restored_output(X, order.reordered(X, turned, axes=(1,)), turned, weights)


def reversed_words(X: np.ndarray, position: np.ndarray, weights: Weights) -> float:
    """Reverse the words before each gets its place, undo it in the output: the difference is real.

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
