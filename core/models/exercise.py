"""Random exercises for pen and paper, with small integers."""

import numpy as np

from core import ops
from core.masks import causal as seen_before
from core.models.by_hand import Sheet
from core.options import AttentionOptions

SENTENCES = (("我", "爱", "北京"), ("猫", "追", "球"))
D_K, D_V = 4, 2  # √d_k = 2
DRAFTS = 256  # drawn at once
LARGEST = (0.5, 0.9)  # weight of a row: it is clear which wins, and the others still count
LEAST = 0.02  # weight, which two digits can tell from 0
APART = 0.01  # weights and outputs that two digits behind the point tell from each other


def random_sheet(seed: int, *, causal: bool = False) -> Sheet:
    """Q (3, 4), K (3, 4) and V (3, 2) of integers, deterministic for a seed.

    The first draft of the seed in which no two scores are equal, nor two weights of a row or two
    outputs as they are printed, with and without the causal mask.
    """
    random = np.random.default_rng(seed)
    tokens = SENTENCES[int(random.integers(len(SENTENCES)))]
    while True:
        Q, K = random.integers(-1, 4, (2, DRAFTS, len(tokens), D_K))
        scores = Q @ K.swapaxes(-1, -2)  # (draft, query, key)
        for draft in np.flatnonzero(_apart(scores.reshape(DRAFTS, -1), 1)):
            V = random.permutation(np.arange(1, 10))[: len(tokens) * D_V].reshape(-1, D_V)
            if _is_clear(scores[draft], V):
                given = {"Q": Q[[draft]], "K": K[[draft]], "V": V[None]}
                return Sheet(tokens, given, options=AttentionOptions(causal=causal))


def _is_clear(scores: np.ndarray, V: np.ndarray) -> bool:
    scaled = ops.scale_scores(scores, D_K**-0.5)
    weights = ops.softmax(scaled)
    largest = weights.max(axis=1)
    if weights.min() < LEAST or largest.min() < LARGEST[0] or largest.max() > LARGEST[1]:
        return False
    masked = ops.softmax(ops.mask_scores(scaled, (seen_before(*scores.shape),)))
    compared = (weights, masked[masked > 0], weights @ V, masked @ V)
    return all(_apart(values.reshape(-1), APART) for values in compared)


def _apart(values: np.ndarray, least: float) -> np.ndarray:
    """Whether all values along the last axis differ by at least this much."""
    return np.diff(np.sort(values), axis=-1).min(axis=-1) >= least
