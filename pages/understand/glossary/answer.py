"""A small attention over the user's sentence, answers about it, and how they are printed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core import Trace, Weights, multi_head_attention
from core.sources import text as source
from views.figures.axis import shortened
from views.text import Words, numbers
from views.text.spans import Span
from views.widgets.grids import Grid
from views.widgets.sentence_input import Sentence


@dataclass(frozen=True)
class Answer:
    """fields: of its sentences. figure: the matrices below them."""

    fields: dict[str, str | Span]
    figure: Sequence[Grid]


def sizes(matrix: np.ndarray) -> str:
    """The shape of a matrix as text."""
    return f"({matrix.shape[0]} × {matrix.shape[1]})"


def sum_of(value: float, texts: Words) -> str:
    """The sum of a row or column as text."""
    return texts.sum.format(sum=numbers.short(float(value)))


def listed(values: np.ndarray) -> str:
    """Numbers as a list in text."""
    return " · ".join(numbers.short(float(value)) for value in values)


def added(printed: Sequence[str]) -> str:
    """Terms joined by their signs, as a written sum."""
    first, *others = printed
    signs = [
        f" {numbers.MINUS} {term[1:]}" if term.startswith(numbers.MINUS) else f" + {term}"
        for term in others
    ]
    return first + "".join(signs)


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
