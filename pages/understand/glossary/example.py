"""The example of the answers: a small attention over the user's sentence."""

from dataclasses import dataclass

import numpy as np

from core import Trace, Weights, multi_head_attention
from core.sources import text as source
from views.figures.axis import shortened
from views.widgets.sentence_input import Sentence

MOST_TOKENS, D_MODEL, HEADS = 6, 8, 2


@dataclass(frozen=True, eq=False)
class Example:
    """The first words of the user's sentence, and their attention.

    trace: unmasked, from the tokens to the output, with position.
    """

    words: tuple[str, ...]
    seed: int
    weights: Weights
    trace: Trace

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.words)

    @property
    def d_k(self) -> int:
        """The size of a query in one head."""
        return self.weights.d_k

    def head(self, key: str, head: int = 0) -> np.ndarray:
        """The tensor of a step in one head, from 0: (row, column)."""
        matrix: np.ndarray = self.trace[key].tensor[0, head]
        return matrix


def example(sentence: Sentence) -> Example:
    """Attention over the first line of the sentence, at most six words."""
    tokens = source.read(sentence.written, sentence.mode)[0][:MOST_TOKENS]
    seed = sentence.model.seed
    weights = Weights.seeded(D_MODEL, HEADS, seed)
    trace = multi_head_attention(source.embed([tokens], D_MODEL, seed), weights)
    return Example(tuple(shortened(token) for token in tokens), seed, weights, trace)
