"""The worked examples, small enough to compute by hand."""

import numpy as np

from core.models.by_hand import Sheet
from core.options import AttentionOptions

WORDS = ("我", "爱", "北京")
_QUERIES_AND_KEYS = np.array([[[2.0], [3.0], [5.0]]])
_VALUES = np.array([[[10.0], [20.0], [30.0]]])
_PADDING = ((0, 0), (0, 7), (0, 0))

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

# Of the story: scores are whole, not divided. In head 1, 爱 scores 2, 3, 4; in head 2, 4, 0, 2.
STORY = Sheet(
    WORDS,
    {
        "Q": np.array([[[1.0, 1], [1, 2], [2, 0]], [[0, 2], [2, 0], [1, 1]]]),
        "K": np.array([[[2.0, 0], [1, 1], [0, 2]], [[2, 0], [0, 1], [1, 1]]]),
        "V": np.array([[[10.0], [20], [30]], [[1], [2], [3]]]),
    },
    options=AttentionOptions(scale=1),
)

PRESETS = {
    "wo_ai_beijing": WO_AI_BEIJING,
    "padded": PADDED,
    "whole_numbers": WHOLE_NUMBERS,
    "d4_h2": D4_H2,
}
