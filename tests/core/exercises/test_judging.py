"""A number that was written down is right as far as its digits go, and no further."""

import math

import numpy as np
import pytest
from claims import for_all

from core.exercises.judging import Guess, judge, winners


@for_all(
    ("value", "guess", "verdict"),
    [
        (0.407333, Guess(0.41, 0.01), "right"),
        (0.407333, Guess(0.407, 0.001), "right"),
        (0.407333, Guess(0.42, 0.01), "wrong"),
        (0.407333, Guess(0.408, 0.001), "near"),  # off by one in the last digit
        (15.926666, Guess(16.0, 1.0), "right"),  # two digits in all
        (15.926666, Guess(15.0, 1.0), "wrong"),
        (23.758154, Guess(23.80, 0.01), "near"),  # 0.18 · 10 + 0.26 · 20 + 0.56 · 30 is 23.8
        (0.407333, Guess(0.4, 0.1), "coarse"),
        (0.407333, Guess(0.0, 1.0), "coarse"),
        (-0.95, Guess(-0.95, 0.01), "right"),
        (-0.95, Guess(0.95, 0.01), "wrong"),
        (-0.0924, Guess(-0.09, 0.01), "right"),
        (4.0, Guess(4.0, 1.0), "right"),  # exact: a single digit will do
        (25.5, Guess(20.0, 10.0), "wrong"),
        (21.0, Guess(20.0, 10.0), "coarse"),  # 2e1
        (0.0, Guess(0.0, 1.0), "right"),
        (-0.0, Guess(0.0, 1.0), "right"),
        (1 / 3, Guess(1 / 3), "right"),
        (0.333, Guess(1 / 3), "near"),
        (3e-7, Guess(0.0, 0.01), "right"),
    ],
)
def test_a_guess_is_right_within_half_a_unit_of_its_last_digit(value, guess, verdict):
    assert judge(guess, value).verdict == verdict


@for_all("guess", [0.12, 0.13, -0.12 + 0.25])
def test_of_a_tie_either_neighbour_is_right(guess):
    assert judge(Guess(guess, 0.01), 0.125).verdict == "right"


def test_the_difference_says_how_much_too_large_the_guess_is():
    assert judge(Guess(0.5, 0.01), 0.2).difference == pytest.approx(0.3)
    assert judge(Guess(-0.5, 0.01), -0.2).difference == pytest.approx(-0.3)


def test_only_minus_infinity_is_right_where_a_mask_strikes():
    minus = Guess(-math.inf)
    assert judge(minus, -math.inf).verdict == "right"
    assert judge(minus, -math.inf).difference == 0
    assert judge(Guess(-1e9, 1.0), -math.inf).verdict == "wrong"
    assert judge(Guess(-1e9, 1.0), -math.inf).difference == math.inf
    assert judge(minus, 0.5).verdict == "wrong"
    assert judge(minus, 0.5).difference == -math.inf


def test_adding_in_another_order_is_no_mistake():
    assert judge(Guess(0.3), 0.1 + 0.2).verdict == "right"


def test_the_largest_share_wins_and_ties_are_shared():
    assert winners(np.array([0.2, 0.5, 0.3])) == (1,)
    assert winners(np.array([0.4, 0.2, 0.4 + 1e-13])) == (0, 2)
    assert winners(np.array([0.0, 0.0, 0.0])) == ()
    assert winners(np.array([1.0])) == (0,)
