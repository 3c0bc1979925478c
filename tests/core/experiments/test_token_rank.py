"""Ranks in rows written by hand."""

import numpy as np
from claims import for_all

from core.experiments.token_rank import TokenRank, least_likely, token_ranks

ROWS = np.array([[0.5, 0.3, 0.1, 0.07, 0.03], [0.05, 0.1, 0.6, 0.2, 0.05]])


@for_all(
    ("words", "expected"),
    [
        ((0, 2), (TokenRank(0.5, 1, 1, 0.3), TokenRank(0.6, 1, 3, 0.2))),
        ((3, 0), (TokenRank(0.07, 4, 0, 0.5), TokenRank(0.05, 4, 2, 0.6))),
        ((4, 4), (TokenRank(0.03, 5, 0, 0.5), TokenRank(0.05, 4, 2, 0.6))),
    ],
)
def test_the_rank_counts_likelier_words(words, expected):
    assert token_ranks(ROWS, words) == expected


def test_fewer_words_than_rows():
    assert len(token_ranks(ROWS, (1,))) == 1


def test_least_likely_is_the_first_of_equal_ones():
    assert least_likely(token_ranks(np.stack([ROWS[0], ROWS[1], ROWS[0]]), (1, 3, 2))) == 2
    assert least_likely(token_ranks(np.stack([ROWS[1], ROWS[1]]), (0, 4))) == 0
