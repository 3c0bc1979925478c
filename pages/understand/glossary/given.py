"""What the answers are computed from: the reader's own words in a small attention."""

from dataclasses import dataclass

import numpy as np

from core import Trace, Weights, multi_head_attention
from core.sources import text as source
from views.figures.axis import shortened
from views.widgets.sentence_input import Sentence

MOST_TOKENS, D_MODEL, HEADS = 6, 8, 2


@dataclass(frozen=True, eq=False)
class Given:
    """The first words of the reader's sentence, and their attention.

    trace: unmasked, from the tokens to the output, with position.
    """

    words: tuple[str, ...]
    seed: int
    weights: Weights
    trace: Trace

    @property
    def n(self) -> int:
        """How many words."""
        return len(self.words)

    @property
    def d_k(self) -> int:
        """The width of a query in one head."""
        return self.weights.d_k

    def head(self, key: str, head: int = 0) -> np.ndarray:
        """A step of the trace in one head."""
        matrix: np.ndarray = self.trace[key].tensor[0, head]
        return matrix


def given(sentence: Sentence) -> Given:
    """Cut the first line of the sentence into words, at most six of them, and let them attend."""
    tokens = source.read(sentence.written, sentence.mode)[0][:MOST_TOKENS]
    seed = sentence.model.seed
    weights = Weights.seeded(D_MODEL, HEADS, seed)
    trace = multi_head_attention(source.embed([tokens], D_MODEL, seed), weights)
    return Given(tuple(shortened(token) for token in tokens), seed, weights, trace)
