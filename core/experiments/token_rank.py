"""The rank of a token in a prediction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TokenRank:
    """The rank of one outcome of a prediction.

    probability: of the outcome. rank: 1 for the likeliest. best, best_probability: index (from 0)
    and probability of the likeliest other outcome.
    """

    probability: float
    rank: int
    best: int
    best_probability: float


def token_ranks(probabilities: np.ndarray, words: Sequence[int]) -> tuple[TokenRank, ...]:
    """The rank of one word in each row: rank = 1 + the number of outcomes that are likelier.

    probabilities: (query, vocabulary), at least two outcomes. words: the outcome, from 0, for each
    of the first rows.
    """
    return tuple(_token_rank(row, word) for row, word in zip(probabilities, words, strict=False))


def least_likely(found: Sequence[TokenRank]) -> int:
    """The index of the smallest probability; the first of equal ones."""
    return min(range(len(found)), key=lambda index: found[index].probability)


def _token_rank(row: np.ndarray, word: int) -> TokenRank:
    others = np.delete(row, word)
    best = int(others.argmax())
    best += best >= word
    return TokenRank(float(row[word]), 1 + int((row > row[word]).sum()), best, float(row[best]))
