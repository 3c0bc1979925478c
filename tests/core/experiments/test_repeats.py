"""Periods and peaks of made-up rows, sounds and noise."""

import numpy as np
from claims import for_all
from refuses import refuses

from core import Weights
from core.experiments.repeats import autocorrelation, peaks, period
from core.sources import audio

random = np.random.default_rng(3)
PATTERN = random.normal(size=7)


def by_loops(row):
    found = []
    for d in range(1, len(row) // 2 + 1):
        first, second = row[:-d], row[d:]
        found.append(np.corrcoef(first, second)[0, 1])
    return found


def test_autocorrelation_equals_corrcoef_of_shifted_rows():
    row = random.normal(size=23)
    np.testing.assert_allclose(autocorrelation(row), by_loops(row), rtol=1e-12)


@for_all("row", [np.zeros(11), np.full(11, 0.1), np.full(11, 1e9), np.zeros(1)])
def test_a_constant_row_has_no_period(row):
    assert not autocorrelation(row).any()
    assert period(row) is None


def test_the_period_is_the_shortest_despite_noise():
    row = np.tile(PATTERN, 6) + random.normal(size=42) / 50
    found = period(row)
    assert found is not None
    lag, correlation = found
    assert lag == 7
    assert 0.9 < correlation < 1


def claps(seconds, length=4):
    """Claps every so many seconds in a sound of this length, each the same fading noise."""
    clap = np.random.default_rng(0).normal(size=480) * np.exp(-np.arange(480) / 200) / 2
    sound = np.zeros(length * 16_000)
    for begins in range(0, len(sound) - 480, round(seconds * 16_000)):
        sound[begins : begins + 480] = clap
    return sound


def periods(sound, pool):
    """The periods of rows of scores, in seconds."""
    x = audio.embed(sound, 16_000, 64, 7, pool=pool, position=False)["X"].tensor[0]
    Q = x @ Weights.seeded(64, 4, 7).W_Q[:, :16]
    found = [period(row) for row in (Q @ Q.T)[:: max(1, len(Q) // 12)]]
    return [lag * pool / 100 for lag, _ in filter(None, found)]


def test_the_period_of_claps_at_any_pooling():
    wrong = []
    for seconds in (0.5, 0.3, 0.46, 0.35, 0.9):
        for pool in (1, 2, 4, 8):
            if seconds < 5 * pool / 100:
                continue  # less than five tokens: may show as a multiple
            found = periods(claps(seconds), pool)
            half = pool / 200
            if not found or not all(abs(one - seconds) <= half for one in found):
                wrong.append((seconds, pool, sorted(set(found))))
    assert not wrong


def test_a_slowly_changing_row_has_no_period():
    assert period(np.linspace(0, 1, 41)) is None
    assert period(np.exp(-(np.linspace(-3, 3, 41) ** 2))) is None


def test_peaks_are_local_maxima_at_a_distance():
    row = np.array([0.1, 0.9, 0.8, 0.2, 0.7, 0.0, 0.3])
    assert peaks(row, 3, 1) == [1, 4, 6]
    assert peaks(row, 2, 1) == [1, 4]
    assert peaks(row, 3, 3) == [1, 4]
    assert peaks(row, 3, 4) == [1, 6]


def test_equal_peaks_are_in_order_and_0_is_no_peak():
    assert peaks(np.array([0.0, 0.5, 0.0, 0.5]), 4, 1) == [1, 3]
    assert peaks(np.zeros(5), 2, 1) == []


def test_a_distance_of_peaks_below_1_is_refused():
    with refuses("out_of_range"):
        peaks(PATTERN, 2, 0)
