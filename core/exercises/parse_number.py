"""Parses a number that a user typed, in any common notation, and its last decimal place."""

import math
import re
from decimal import Decimal
from fractions import Fraction

from core.exercises.judging import Guess
from core.limits import LARGEST_NUMBER, TYPED

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
