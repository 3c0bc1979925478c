"""Compares a number that was written down with the computed one, to the digits given."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

TWO_DIGITS = 0.01  # what the last of two digits behind the point is worth
NEAR = 0.01  # of the value: so little is lost by rounding on the way
SLACK = 1e-9  # of the value: what adding in another order may change
Verdict = Literal["right", "coarse", "near", "wrong"]


@dataclass(frozen=True)
class Guess:
    """A number as it was written.

    unit: value of its last digit, 0.01 for 0.41; 0 for an exact number such as 1/3.
    """

    value: float
    unit: float = 0.0


@dataclass(frozen=True)
class Judgement:
    """The result of judging a guess.

    verdict: ``right``; ``coarse``: right, but with too few digits; ``near``: wrong within what
        rounding of intermediate results explains; ``wrong``.
    difference: guess − value; 0 for two equal infinities.
    """

    verdict: Verdict
    difference: float


def judge(guess: Guess, value: float) -> Judgement:
    """Compare a guess with the value.

    Right if |guess − value| ≤ unit / 2, so that both neighbours of a tie are right (0.12 and 0.13
    for 0.125). Two decimals or two digits are enough; an exact guess needs no more digits (4 for
    4). Only −∞ is right for −∞.
    """
    if math.isinf(guess.value) or math.isinf(value):
        same = guess.value == value
        return Judgement("right" if same else "wrong", 0.0 if same else guess.value - value)
    difference = guess.value - value
    slack = SLACK * max(1.0, abs(value))
    if abs(difference) <= slack:
        return Judgement("right", difference)
    if abs(difference) <= guess.unit / 2 + slack:
        enough = guess.unit <= TWO_DIGITS or abs(guess.value) >= 10 * guess.unit
        return Judgement("right" if enough else "coarse", difference)
    last_digit = guess.unit if guess.unit <= TWO_DIGITS else 0.0
    near = abs(difference) <= max(NEAR * abs(value), last_digit) + slack
    return Judgement("near" if near else "wrong", difference)


def winners(shares: np.ndarray) -> tuple[int, ...]:
    """The indices of the largest weights: several for a tie, none if all are 0.

    shares: (key,), not negative.
    """
    largest = float(shares.max(initial=0.0))
    if not largest:
        return ()
    return tuple(int(place) for place in np.flatnonzero(shares >= largest * (1 - SLACK)))
