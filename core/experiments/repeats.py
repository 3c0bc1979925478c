"""Periods and peaks of a row of scores or weights."""

from math import gcd

import numpy as np

from core.errors import out_of_range

ALIKE = 0.7  # the least correlation of a repetition
NEARLY = 0.02  # how much lower than the highest peak the first one may be
BLURRED = 0.1  # how much lower the blurred row's peaks at fractions may be
BLUR = (0.25, 0.5, 0.25)
SHORTEST = 3  # the least period that is not a whole number; peaks of shorter ones run together
DIP = 0.3  # how much lower the correlation is between peaks; else the row only changes slowly


def autocorrelation(row: np.ndarray) -> np.ndarray:
    r"""The Pearson correlation of a row with itself, shifted by 1, 2, … n // 2.

    found_d = correlation of (row_0 … row_{n−d−1}) and (row_d … row_{n−1})

    row: (n,) finite. Returns (n // 2,) in −1 … 1: 1 for an exact repetition, 0 if one of the two
    parts is constant.

    Pearson, "Notes on regression and inheritance in the case of two parents" (1895).
    """
    # An exact repeat leaves a difference of rounding only; its square is compared with this.
    least = (np.finfo(np.float64).eps * np.abs(row).max(initial=0)) ** 2 * len(row)
    found = np.zeros(len(row) // 2)
    for d in range(1, len(found) + 1):
        first, second = row[:-d].astype(np.float64), row[d:].astype(np.float64)
        one, other = first - first.mean(), second - second.mean()
        spread = (one @ one) * (other @ other)
        if min(one @ one, other @ other) > least:
            found[d - 1] = np.clip(one @ other / np.sqrt(spread), -1, 1)
    return found


def period(row: np.ndarray) -> tuple[float, float] | None:
    """The period of a row and the correlation at it; None if the row has no period.

    The lag of the first peak of the autocorrelation within NEARLY of the highest, since multiples
    of the period are peaks too. A peak needs a correlation of at least ALIKE, and one lower by DIP
    before it.

    A period of 12.5 correlates fully only at 25. So a fraction of the lag is the period if
    the slightly blurred row correlates at each of its multiples as much as at the lag.
    """
    found = _whole_period(autocorrelation(row))
    if found is None:
        return None
    lag, correlation = found
    blurred = autocorrelation(np.convolve(row, BLUR, "valid"))
    if lag + 1 > len(blurred):
        return float(lag), correlation
    parts = [n for n in range(lag // SHORTEST, 1, -1) if gcd(lag, n) == 1]
    found_lag = next((lag / n for n in parts if _repeats(blurred, lag, n)), float(lag))
    return found_lag, correlation


def _repeats(blurred: np.ndarray, lag: int, parts: int) -> bool:
    """Whether the blurred autocorrelation also peaks at each of ``parts`` fractions of this lag."""
    curve = blurred[lag - 1] - (blurred[lag - 2] + blurred[lag]) / 2
    for k in range(1, parts):
        below, share = divmod(k * lag / parts, 1)
        here, behind = blurred[int(below) - 1], blurred[int(below)]
        # Between two samples the peak is higher than a straight line, by the curvature at the top.
        peak = (1 - share) * here + share * behind + curve * share * (1 - share)
        begins, middle = (round((k - step) * lag / parts) for step in (1, 0.5))
        dip = blurred[max(begins, middle - 1) : middle + 1].min()
        if peak < blurred[lag - 1] - BLURRED or peak - dip < DIP / 2:
            return False
    return True


def _whole_period(found: np.ndarray) -> tuple[int, float] | None:
    """The period as a whole lag, and its correlation, from the autocorrelation."""
    peaks_found: list[tuple[int, float]] = []
    for d in range(2, len(found)):  # found[d − 1] has a neighbour on either side
        here, before = found[d - 1], found[: d - 1]
        is_peak = before[-1] < here >= found[d]
        if not is_peak or here < ALIKE or here - before.min() < DIP:
            continue
        peaks_found.append((d, float(here)))
    most = max((correlation for _, correlation in peaks_found), default=0.0)
    return next((peak for peak in peaks_found if peak[1] >= most - NEARLY), None)


def peaks(row: np.ndarray, count: int, apart: int) -> list[int]:
    """The indices of local maxima, largest first.

    row: (n,). count: the largest number of peaks. apart: the least distance to larger peaks, at
    least 1. Of equal neighbours the first is the peak; 0 is not a peak. Raises out_of_range.
    """
    if apart < 1:
        raise out_of_range("apart", apart, "at least 1")
    around = np.pad(row, 1, constant_values=-np.inf)
    is_peak = (row > around[:-2]) & (row >= around[2:]) & (row > 0)
    chosen: list[int] = []
    for index in np.argsort(-row, kind="stable"):
        if len(chosen) == count:
            break
        if is_peak[index] and all(abs(int(index) - other) >= apart for other in chosen):
            chosen.append(int(index))
    return chosen
