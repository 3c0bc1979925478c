"""Parses a number that a user typed and compares it with the computed one, to the digits given."""

import math
import re
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np

from core.limits import LARGEST_NUMBER, TYPED

TWO_DIGITS = 0.01  # the last digit of a number with two decimals
NEAR = 0.01  # of the value: rounding of intermediate results
SLACK = 1e-9  # of the value: rounding of another order of summation
Verdict = Literal["right", "coarse", "near", "wrong"]


@dataclass(frozen=True)
class Guess:
    """A number as it was typed or printed.

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
    return tuple(int(index) for index in np.flatnonzero(shares >= largest * (1 - SLACK)))


_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PLAIN = _FULL_WIDTH | str.maketrans({"−": "-", "–": "-", "。": ".", "×": "*", "·": "*"})
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER = re.compile(r"\*10(?:\^(-?\d+)|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))", re.ASCII)
_DECIMAL = re.compile(r"([+-]?)(\d+(?:[.,]\d*)?|[.,]\d+)(?:e([+-]?\d{1,3}))?(%?)", re.ASCII)
_FRACTION = re.compile(r"([+-]?\d{1,12})/(\d{1,12})", re.ASCII)
_INFINITE = {"-inf", "-infinity", "-∞", "-oo"}


def parse_number(text: str) -> Guess:
    """Parse 0.41, 0,41, −2.5, 1/3, 41 %, 1.6e-5, 1.6·10⁻⁵ and −∞ or -inf.

    Returns the value and the unit of its last digit, 0 for a fraction. Raises ValueError for text
    that is no number, for NaN and +∞, and for absolute values above 10¹².
    """
    if len(text) > TYPED.text:
        raise ValueError(text)
    plain = "".join(text.split()).translate(_PLAIN).lower()
    plain = _POWER.sub(lambda match: f"e{match[1] or match[2].translate(_LOWERED)}", plain)
    if plain in _INFINITE:
        return Guess(-math.inf)
    if fraction := _FRACTION.fullmatch(plain):
        numerator, denominator = (int(part) for part in fraction.groups())
        if not denominator:
            raise ValueError(text)
        return _within_bounds(float(Fraction(numerator, denominator)), 0.0)
    match = _DECIMAL.fullmatch(plain)
    if not match:
        raise ValueError(text)
    sign, digits, exponent, percent = match.groups()
    number = Decimal(sign + digits.replace(",", "."))
    number = number.scaleb(int(exponent or 0) - (2 if percent else 0))
    unit = Decimal((0, (1,), int(number.as_tuple().exponent)))
    return _within_bounds(float(number), float(unit))


def _within_bounds(value: float, unit: float) -> Guess:
    if max(abs(value), unit) > LARGEST_NUMBER:
        raise ValueError(f"{value} is larger than {LARGEST_NUMBER}")
    return Guess(value, unit)
