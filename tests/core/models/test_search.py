"""The search for a sentence, on probabilities that are written here by hand."""

import numpy as np

from core.models.search import Hypothesis, beam_search, greedy

START, END, A, B = range(4)
# After START: a 0.6, b 0.4. After a: the end 0.3, a 0.35, b 0.35. After b: the end 0.9.
AFTER = {START: (0, 0, 0.6, 0.4), A: (0, 0.3, 0.35, 0.35), B: (0, 0.9, 0.05, 0.05)}


def step(pieces, rows):
    with np.errstate(divide="ignore"):
        return np.log([AFTER[int(piece)] for piece in pieces])


def test_greedy_decoding_takes_the_likeliest_piece_up_to_the_limit():
    assert greedy(step, START, END, 3) == Hypothesis((A, A, A), False)


def test_a_beam_finds_the_likelier_sentence_behind_the_less_likely_word():
    # "b": 0.4 · 0.9 = 0.36; "a": 0.18; "a b": 0.6 · 0.35 · 0.9 = 0.189.
    assert beam_search(step, START, END, 5, beam=2) == Hypothesis((B,), True)


def test_beam_search_without_an_end_returns_the_likeliest_hypothesis():
    def endless(pieces, rows):
        with np.errstate(divide="ignore"):
            return np.log(np.tile((0, 0, 0.9, 0.1), (len(pieces), 1)))

    assert beam_search(endless, START, END, 3, beam=2) == Hypothesis((A, A, A), False)


def test_the_rows_of_a_step_are_the_hypotheses_that_it_continues():
    steps = []

    def recorded(pieces, rows):
        steps.append((pieces.tolist(), rows.tolist()))
        return step(pieces, rows)

    beam_search(recorded, START, END, 2, beam=2)
    assert steps[0] == ([START], [0])
    assert steps[1] == ([A, B], [0, 0])
