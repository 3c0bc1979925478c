"""How far a share measured on a sample may lie from that of all cases, by chance alone."""

from math import sqrt

NORMAL_95 = 1.959964


def wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share of so many independent cases (Wilson, 1927)."""
    z = NORMAL_95**2 / count
    middle = (share + z / 2) / (1 + z)
    half = NORMAL_95 / (1 + z) * sqrt(share * (1 - share) / count + z / (4 * count))
    return middle - half, middle + half


def margin_of_error(share: float, count: int) -> float:
    """How far the farther end of the interval lies from the share.

    For the mean of numbers from 0 to 1 it is a bound: they spread no more than zeros and ones of
    the same mean.
    """
    low, high = wilson(share, count)
    return max(share - low, high - share)
