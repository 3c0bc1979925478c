"""Worked examples, small enough to compute by hand, and random exercises of small integers."""

import numpy as np

from core import ops
from core.backward import backward
from core.masks import causal as causal_mask
from core.models.by_hand import Sheet
from core.options import AttentionOptions
from core.trace import Trace

WORDS = ("我", "爱", "北京")
_QUERIES_AND_KEYS = np.array([[[2.0], [3.0], [5.0]]])
_VALUES = np.array([[[10.0], [20.0], [30.0]]])
_PADDING = ((0, 0), (0, 7), (0, 0))

# Of random exercises.
SENTENCES = (("我", "爱", "北京"), ("猫", "追", "球"))
D_K, D_V = 4, 2  # √d_k = 2
DRAFTS = 256  # drawn at once
LARGEST = (0.5, 0.9)  # weight of a row: it is clear which wins, and the others still count
LEAST = 0.02  # of a weight, so that with two decimals none is printed as 0
APART = 0.01  # between two weights or outputs, so that with two decimals they differ

WO_AI_BEIJING = Sheet(
    WORDS,
    {"Q": _QUERIES_AND_KEYS, "K": _QUERIES_AND_KEYS, "V": _VALUES},
    options=AttentionOptions(scale=1 / 8),
)

PADDED = Sheet(
    (*WORDS, *["[PAD]"] * 7),
    {name: np.pad(matrix, _PADDING) for name, matrix in WO_AI_BEIJING.matrices.items()},
    padded=7,
    options=WO_AI_BEIJING.options,
)

D4_H2 = Sheet(
    ("1", "2"),
    {
        "X": np.array([[1, 0.5, -1, 2], [-0.5, 1, 0.3, -2]]),
        "W_Q": np.array(
            [
                [[0.1, 0.4], [-0.2, 0.3], [1, -0.5], [0.5, 0.2]],
                [[-0.3, 0.2], [1.1, 0.6], [-0.4, 0.8], [0.7, -0.1]],
            ]
        ),
        "W_K": np.array(
            [
                [[0.2, -0.1], [0.4, 0.5], [-0.3, 0.1], [0.6, 0.2]],
                [[0.5, 0.3], [-0.2, 0.1], [0.1, -0.6], [0.4, 0.2]],
            ]
        ),
        "W_V": np.array(
            [
                [[1, 0.2], [-0.4, 0.6], [0.3, 0.1], [-0.1, 0.5]],
                [[0.2, -0.5], [0.7, 0.3], [-0.6, 0.4], [0.1, 0.9]],
            ]
        ),
        "W_O": np.array(
            [
                [0.5, -0.2, 1.1, 0.3],
                [0.1, 0.8, -0.4, 0.6],
                [-0.3, 0.7, 0.2, 1.0],
                [0.9, -0.5, 0.3, -0.8],
            ]
        ),
    },
)

# Scores are 4, 4, 4 · 2, 0, 4 · 2, 4, 4 and √d_k is 2: the first word spreads evenly, the second
# looks at the third most, and the third cannot choose between two.
WHOLE_NUMBERS = Sheet(
    ("猫", "追", "球"),
    {
        "X": np.array([[2, 0, 2, 2], [0, 1, 0, 2], [0, 1, 2, 0]]),
        "W_Q": np.array([[[-1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]]),
        "W_K": np.array([[[0, 1, 1, 0], [0, 2, 0, 0], [1, 0, 0, 1], [0, 0, 0, 0]]]),
        "W_V": np.array([[[1, 0, 1, 1], [0, 1, 2, 0], [1, 0, 0, 0], [0, 1, 0, 1]]]),
        "W_O": np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1], [1, 0, 0, 1]]),
    },
)

PRESETS = {
    "wo_ai_beijing": WO_AI_BEIJING,
    "padded": PADDED,
    "whole_numbers": WHOLE_NUMBERS,
    "d4_h2": D4_H2,
}


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


def random_gradients(trace: Trace, seed: int) -> Trace:
    """The trace, and behind it all gradients that follow from whole ones of A V: −1, 1 and 2.

    They are deterministic for a seed.
    """
    random, of = np.random.default_rng(seed), trace["head_output"].tensor
    return backward(trace, {"head_output": random.choice([-1.0, 1.0, 2.0], of.shape)})


def _is_clear(scores: np.ndarray, V: np.ndarray) -> bool:
    scaled = ops.scale_scores(scores, D_K**-0.5)
    weights = ops.softmax(scaled)
    largest = weights.max(axis=1)
    if weights.min() < LEAST or largest.min() < LARGEST[0] or largest.max() > LARGEST[1]:
        return False
    masked = ops.softmax(ops.mask_scores(scaled, (causal_mask(*scores.shape),)))
    compared = (weights, masked[masked > 0], weights @ V, masked @ V)
    return all(_apart(values.reshape(-1), APART) for values in compared)


def _apart(values: np.ndarray, least: float) -> np.ndarray:
    """Whether all values along the last axis differ by at least this much."""
    return np.diff(np.sort(values), axis=-1).min(axis=-1) >= least
