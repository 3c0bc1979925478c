"""Heads: their projections, the distances of their weights, their contributions to the output.

Concat(head_1, …, head_h) W^O + b^O = Σ_i head_i W_i^O + b^O, where the W_i^O are h slices of d_v
rows of W^O ("Attention Is All You Need", section 3.2.2; Elhage et al., "A Mathematical Framework
for Transformer Circuits", 2021).
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from core import ops
from core.errors import out_of_range, shape_mismatch
from core.weights import Weights


def divisors(d_model: int) -> list[int]:
    """All numbers of heads that divide d_model."""
    return [heads for heads in range(1, d_model + 1) if d_model % heads == 0]


def projected_apart(X: np.ndarray, weights: Weights) -> dict[str, np.ndarray]:
    """Q, K and V by one product per head: Q_i = X W_i^Q + b_i^Q, with W_i^Q (d_model, d_k).

    X: (batch, n, d_model). Returns (batch, head, n, d_k) for each, equal to those of
    ``ops.project`` with the packed matrices (section 3.2.2).
    """
    each = [weights.head(i) for i in range(weights.heads)]
    return {
        key: np.stack(
            [ops.linear(X, getattr(one, f"W_{key}"), getattr(one, f"b_{key}")) for one in each],
            axis=1,
        )
        for key in ("Q", "K", "V")
    }


def largest_difference(one: np.ndarray, other: np.ndarray) -> float:
    """max |one − other|."""
    return float(np.abs(one - other).max())


def distances(weights: np.ndarray) -> np.ndarray:
    """The total variation distance of each pair of heads: ½ Σ_j |w_ij − w'_ij|, mean over rows.

    0 for equal weights, 1 for disjoint ones.
    weights: (head, query, key). Returns (head, head).
    """
    apart = np.abs(weights[:, None] - weights[None])  # (head, head, query, key)
    return apart.sum(axis=-1).mean(axis=-1) / 2


@dataclass(frozen=True)
class Spread:
    """The distances of heads: their mean over all pairs, the largest, and its pair."""

    mean: float
    most: float
    pair: tuple[int, int]


def spread(weights: np.ndarray) -> Spread | None:
    """The summary of ``distances``; None for a single head."""
    heads = len(weights)
    if heads == 1:
        return None
    one, other = np.triu_indices(heads, k=1)  # each pair once
    found = distances(weights)[one, other]
    most = int(found.argmax())
    return Spread(float(found.mean()), float(found[most]), (int(one[most]), int(other[most])))


def contributions(head_output: np.ndarray, weights: Weights) -> np.ndarray:
    """The contribution of each head to the output: head_output_i W_i^O.

    head_output: (batch, head, query, d_v). Returns (batch, head, query, d_model); its sum over the
    heads, and b^O where there is one, is the output. Raises shape_mismatch.
    """
    W_O = _slices(head_output, weights)
    # (batch, head, query, d_v) · (head, d_v, d_model) -> (batch, head, query, d_model)
    return head_output @ W_O


def ablated(head_output: np.ndarray, mute: Collection[int]) -> np.ndarray:
    """head_output with the heads in ``mute`` (from 0) set to 0.

    Raises out_of_range for a head that does not exist.
    """
    heads = head_output.shape[1]
    for head in mute:
        if not 0 <= head < heads:
            raise out_of_range("head", head, f"at least 0 and below {heads}")
    remaining = head_output.copy()
    remaining[:, list(mute)] = 0
    return remaining


def output_without(head_output: np.ndarray, weights: Weights, mute: Collection[int]) -> np.ndarray:
    """The output with some heads ablated: concat with zeros in their columns, times W^O.

    Returns (batch, query, d_model). Raises shape_mismatch and out_of_range.
    """
    _slices(head_output, weights)
    assert weights.W_O is not None
    concat = ops.merge_heads(ablated(head_output, mute))
    return ops.linear(concat, weights.W_O, weights.b_O)


def _slices(head_output: np.ndarray, weights: Weights) -> np.ndarray:
    """W^O by head, (head, d_v, d_model)."""
    if weights.W_O is None or head_output.shape[1::2] != (weights.heads, weights.d_v):
        expected = f"(batch, {weights.heads}, query, {weights.d_v}) with a W_O behind it"
        raise shape_mismatch("head_output", expected, head_output.shape)
    return weights.W_O.reshape(weights.heads, weights.d_v, -1)
