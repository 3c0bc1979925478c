"""Whether a number that somebody wrote down is the computed one, as far as its digits go."""

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

    unit: what its last digit is worth, 0.01 for 0.41; 0 where it is meant exactly, as 1/3 is.
    """

    value: float
    unit: float = 0.0


@dataclass(frozen=True)
class Judgement:
    """What a guess is worth.

    verdict: ``right``; ``coarse``: right, but with a single digit, which says too little; ``near``:
        wrong by no more than rounding on the way explains; ``wrong``.
    difference: guess − value, above 0 where the guess is too large; 0 for two equal infinities.
    """

    verdict: Verdict
    difference: float


def judge(guess: Guess, value: float) -> Judgement:
    """Compare a guess with the value.

    Right within half a unit of the last digit written: |guess − value| ≤ unit / 2, so that of a tie
    either neighbour is right (0.12 and 0.13 for 0.125). Enough digits are two behind the point, or
    two in all; an exact guess needs no more than it has (4 for 4). Only −∞ is right for −∞.
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
    """The places of the largest share; several where it is a tie, none where all are 0.

    shares: (key,), none below 0.
    """
    largest = float(shares.max(initial=0.0))
    if not largest:
        return ()
    return tuple(int(place) for place in np.flatnonzero(shares >= largest * (1 - SLACK)))
