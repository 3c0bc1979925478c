"""Measured proportions as text: their counts and their 95 % confidence intervals."""

import math
from collections.abc import Iterable

from views.text import numbers

NORMAL_95 = 1.959964  # standard deviations on either side of the mean


def count_of(share: float, cases: int) -> str:
    """The count behind a share (0 … 1) of this many cases, with thin spaces between thousands."""
    return numbers.count(numbers.whole(share * cases))


def confidence_interval(share: float, cases: int) -> str:
    """The 95 % Wilson interval of a share of this many cases, such as ``97.3–98.3 %``."""
    low, high = wilson(share, cases)
    return f"{numbers.rounded(100 * low, 1)}–{numbers.per_cent(high, 1)}"


def margin_of_error(shares: Iterable[float], cases: int) -> str:
    """The largest 95 % margin of error of these shares, in percentage points, rounded up.

    The margin is the distance from a share to the farther end of its Wilson interval: an upper
    bound for the mean of any numbers in 0 … 1, whose variance is largest for 0s and 1s.
    """
    largest = max(abs(share - end) for share in shares for end in wilson(share, cases))
    return numbers.plain(math.ceil(1000 * largest) / 10, 1)


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % score interval (low, high) of a share of ``count`` cases (Wilson, 1927)."""
    z = NORMAL_95**2 / count
    middle = (share + z / 2) / (1 + z)
    half = NORMAL_95 / (1 + z) * math.sqrt(share * (1 - share) / count + z / (4 * count))
    return middle - half, middle + half
