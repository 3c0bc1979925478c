"""Fewer or more key and value heads than in training, without training again."""

from dataclasses import replace

import numpy as np

from core.errors import InputError
from core.weights import Weights


def shared(weights: Weights, kv_heads: int) -> Weights:
    """The weights with another number of key and value heads.

    More than there are: each is repeated, which changes no result. Fewer: the heads of a group are
    replaced by their mean ("GQA: Training Generalized Multi-Query Transformer Models", Ainslie et
    al., 2023, section 2.1). Raises heads_do_not_divide.
    """
    of = weights.kv_heads
    if kv_heads < 1 or weights.heads % kv_heads or max(of, kv_heads) % min(of, kv_heads):
        raise InputError("heads_do_not_divide", name="h", width=weights.heads, heads=kv_heads)

    def changed(packed: np.ndarray) -> np.ndarray:
        by_head = packed.reshape(*packed.shape[:-1], of, -1)  # (…, kv_head, d_k)
        if kv_heads >= of:
            by_head = np.repeat(by_head, kv_heads // of, axis=-2)
        else:
            groups = by_head.reshape(*packed.shape[:-1], kv_heads, of // kv_heads, -1)
            by_head = groups.mean(axis=-2)
        return by_head.reshape(*packed.shape[:-1], -1)

    return replace(
        weights,
        W_K=changed(weights.W_K),
        W_V=changed(weights.W_V),
        b_K=None if weights.b_K is None else changed(weights.b_K),
        b_V=None if weights.b_V is None else changed(weights.b_V),
        kv_heads=kv_heads,
    )
