"""Confidence intervals of a share that was measured on a sample."""

from math import sqrt

NORMAL_95 = 1.959964


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % score interval (low, high) of a share of ``count`` cases (Wilson, 1927)."""
    z = NORMAL_95**2 / count
    middle = (share + z / 2) / (1 + z)
    half = NORMAL_95 / (1 + z) * sqrt(share * (1 - share) / count + z / (4 * count))
    return middle - half, middle + half


def margin_of_error(share: float, count: int) -> float:
    """The distance from the share to the farther end of its Wilson interval.

    An upper bound for the mean of any numbers in 0 … 1, whose variance is largest for 0s and 1s.
    """
    low, high = wilson(share, count)
    return max(share - low, high - share)
