"""Heads compared: one packed projection or one per head, and the distances of their weights."""

from dataclasses import dataclass

import numpy as np

from core import ops
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
