"""Measured shares as text: of how many cases, and how far they may lie from those of all."""

import math
from collections.abc import Iterable

from core import margin
from views import numbers


def cases(share: float, of: int) -> str:
    """How many of so many cases a share is."""
    return numbers.count(numbers.whole(share * of))


def share_of(share: float, cases: int) -> str:
    """A share of so many cases in per cent, with digits enough to give back the count."""
    right = numbers.whole(share * cases)
    digits = 1
    while numbers.whole(float(numbers.rounded(share, digits + 2)) * cases) != right:
        digits += 1
    return numbers.per_cent(share, digits)


def interval(share: float, cases: int) -> str:
    """Where the share of all cases lies, 95 times in 100, such as ``97.3–98.3 %``."""
    low, high = margin.wilson(share, cases)
    return f"{numbers.rounded(100 * low, 1)}–{numbers.per_cent(high, 1)}"


def points(shares: Iterable[float], cases: int) -> str:
    """How far at most shares of so many cases lie from those of all, in per cent, rounded up."""
    largest = max(margin.margin_of_error(share, cases) for share in shares)
    return numbers.plain(math.ceil(1000 * largest) / 10, 1)
