"""The tiny attention layer of the story: two heads of width 2, trained on sentences of 17 words.

``training/story.py`` makes its parameters. The meaning of a word with two meanings is read from the
sign of its vector's first number, a property from that of the second; W_O adds what both heads give
to these two.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from core.models.by_hand import Sheet
from core.nested import compose, subtrace
from core.options import AttentionOptions
from core.trace import Trace

FILE = Path(__file__).parents[2] / "assets" / "models" / "story" / "steps.json"
WORD = 0  # the word with two meanings
CLUES = (1, 2, 3, 4), (5, 6, 7, 8)  # of the first meaning, of the second
PROPERTIES = (9, 10)
FILLERS = (11, 12, 13, 14, 15, 16)
W_O = np.concatenate([np.eye(2, 4)] * 2)
PATH = "story/self"
ARRAYS = ("words", "W_Q", "W_K", "W_V")


@dataclass(frozen=True, eq=False)
class TinyModel:
    """The parameters at one step of the training.

    words: (word, d_model). W_Q, W_K, W_V: (head, d_model, d_k). accuracy: the share of test
    sentences of which meaning and property are read right.
    """

    step: int
    accuracy: float
    words: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray

    def trace(self, numbers: Sequence[int], names: Sequence[str]) -> Trace:
        """Every stage from X to output, of a sentence. Its scores are not scaled.

        numbers: of the words. names: of the tokens.
        """
        given = {
            "X": self.words[list(numbers)],
            "W_Q": self.W_Q, "W_K": self.W_K, "W_V": self.W_V, "W_O": W_O,
        }  # fmt: skip
        whole = Sheet(tuple(names), given, options=AttentionOptions(scale=1)).trace()
        return subtrace(compose({PATH: whole}, {}, "trained"), PATH)


@cache
def steps() -> tuple[TinyModel, ...]:
    """The model before, during and after its training."""
    return tuple(
        TinyModel(one["step"], one["accuracy"], *(np.array(one[name]) for name in ARRAYS))
        for one in json.loads(FILE.read_text("utf-8"))
    )
