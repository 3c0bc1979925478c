"""A typed number is judged by its number of digits."""

import math

import numpy as np
import pytest
from claims import for_all

from core.exercises.judging import Guess, judge, parse_number, winners
from core.limits import TYPED


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


def test_the_difference_is_guess_minus_value():
    assert judge(Guess(0.5, 0.01), 0.2).difference == pytest.approx(0.3)
    assert judge(Guess(-0.5, 0.01), -0.2).difference == pytest.approx(-0.3)


def test_only_minus_infinity_is_right_for_a_masked_score():
    minus = Guess(-math.inf)
    assert judge(minus, -math.inf).verdict == "right"
    assert judge(minus, -math.inf).difference == 0
    assert judge(Guess(-1e9, 1.0), -math.inf).verdict == "wrong"
    assert judge(Guess(-1e9, 1.0), -math.inf).difference == math.inf
    assert judge(minus, 0.5).verdict == "wrong"
    assert judge(minus, 0.5).difference == -math.inf


def test_rounding_of_a_sum_is_no_mistake():
    assert judge(Guess(0.3), 0.1 + 0.2).verdict == "right"


def test_the_largest_share_wins_and_ties_are_shared():
    assert winners(np.array([0.2, 0.5, 0.3])) == (1,)
    assert winners(np.array([0.4, 0.2, 0.4 + 1e-13])) == (0, 2)
    assert winners(np.array([0.0, 0.0, 0.0])) == ()
    assert winners(np.array([1.0])) == (0,)


PARSED = {
    "0.41": Guess(0.41, 0.01), "0,41": Guess(0.41, 0.01), "0，41": Guess(0.41, 0.01),
    "０．４１": Guess(0.41, 0.01), "0。41": Guess(0.41, 0.01), " 0.41 ": Guess(0.41, 0.01),
    ".5": Guess(0.5, 0.1), "5.": Guess(5.0, 1.0), "0.410": Guess(0.41, 0.001),
    "30": Guess(30.0, 1.0), "-2.5": Guess(-2.5, 0.1), "−2.5": Guess(-2.5, 0.1),
    "－2.5": Guess(-2.5, 0.1), "+3": Guess(3.0, 1.0), "1/3": Guess(1 / 3), "-7/4": Guess(-1.75),
    "41%": Guess(0.41, 0.01), "41 %": Guess(0.41, 0.01), "1.6e-5": Guess(1.6e-5, 1e-6),
    "1.6·10⁻⁵": Guess(1.6e-5, 1e-6), "1.6×10^-5": Guess(1.6e-5, 1e-6),
    "2·10³": Guess(2000.0, 1000.0), "-inf": Guess(-math.inf), "−∞": Guess(-math.inf),
    "- ∞": Guess(-math.inf),
}  # fmt: skip
HOSTILE = [
    "", " ", "x", "nan", "inf", "∞", "+inf", "1e999", "-1e999", "0e999", "1e13", "1/0", "1/x",
    "--1",
    "1.2.3", "1,234.5", "½", "1½", "5²", "٣", "0x10", "1_000", "True", "\x00",
    "1" * (TYPED.text + 1),
    "__import__('os')", "$\\frac12$", "<b>1</b>",
]  # fmt: skip


@for_all("text", PARSED)
def test_a_number_is_parsed_with_the_unit_of_its_last_digit(text):
    guess = parse_number(text)
    assert guess.value == pytest.approx(PARSED[text].value, rel=1e-15)
    assert guess.unit == pytest.approx(PARSED[text].unit, rel=1e-15)


@for_all("text", HOSTILE)
def test_text_that_is_no_number_raises_value_error(text):
    with pytest.raises(ValueError):
        parse_number(text)
