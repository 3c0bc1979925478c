"""The rank of a token among a model's predictions: its probability, and how many were likelier."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TokenRank:
    """A word among all outcomes of one prediction.

    probability: its own. rank: 1 for the likeliest. best: the likeliest other outcome, from 0, and
    what it has.
    """

    probability: float
    rank: int
    best: int
    best_probability: float


def token_ranks(probabilities: np.ndarray, words: Sequence[int]) -> tuple[TokenRank, ...]:
    """The rank of one word in each row: rank = 1 + the number of outcomes that are likelier.

    probabilities: (query, vocabulary), at least two outcomes. words: the outcome that is asked
    about in each of the first rows, from 0.
    """
    return tuple(_token_rank(row, word) for row, word in zip(probabilities, words, strict=False))


def least_likely(found: Sequence[TokenRank]) -> int:
    """The place, from 0, whose word had the smallest probability; of equal ones the first."""
    return min(range(len(found)), key=lambda place: found[place].probability)


def _token_rank(row: np.ndarray, word: int) -> TokenRank:
    others = np.delete(row, word)
    best = int(others.argmax())
    best += best >= word
    return TokenRank(float(row[word]), 1 + int((row > row[word]).sum()), best, float(row[best]))
