"""Measured proportions as text: their counts and their 95 % confidence intervals."""

import math
from collections.abc import Iterable

from core import margin
from views import numbers


def count_of(share: float, cases: int) -> str:
    """The count behind a share (0 … 1) of this many cases, with thin spaces between thousands."""
    return numbers.count(numbers.whole(share * cases))


def percentage(share: float, cases: int) -> str:
    """A share (0 … 1) of this many cases in per cent, with digits enough to recover the count."""
    right = numbers.whole(share * cases)
    digits = 1
    while numbers.whole(float(numbers.rounded(share, digits + 2)) * cases) != right:
        digits += 1
    return numbers.per_cent(share, digits)


def confidence_interval(share: float, cases: int) -> str:
    """The 95 % Wilson interval of a share of this many cases, such as ``97.3–98.3 %``."""
    low, high = margin.wilson(share, cases)
    return f"{numbers.rounded(100 * low, 1)}–{numbers.per_cent(high, 1)}"


def margin_of_error(shares: Iterable[float], cases: int) -> str:
    """The largest 95 % margin of error of these shares, in percentage points, rounded up."""
    largest = max(margin.margin_of_error(share, cases) for share in shares)
    return numbers.plain(math.ceil(1000 * largest) / 10, 1)
