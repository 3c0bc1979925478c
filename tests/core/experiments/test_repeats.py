"""Repeats are found where they are, and none is claimed where there is none."""

from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Weights, multi_head_attention
from core.experiments.repeats import autocorrelation, peaks, period
from core.sources import audio
from core.sources.recording import decode

ASSETS = Path(__file__).parents[3] / "assets" / "samples" / "sounds"
random = np.random.default_rng(3)
PATTERN = random.normal(size=7)


def by_loops(row):
    found = []
    for d in range(1, len(row) // 2 + 1):
        first, second = row[:-d], row[d:]
        found.append(np.corrcoef(first, second)[0, 1])
    return found


def test_the_autocorrelation_is_the_correlation_of_the_row_with_itself_moved_on():
    row = random.normal(size=23)
    np.testing.assert_allclose(autocorrelation(row), by_loops(row), rtol=1e-12)


def test_a_row_by_hand_of_two_numbers_in_turn_is_the_opposite_and_then_the_same():
    np.testing.assert_allclose(autocorrelation(np.array([1.0, 3, 1, 3, 1, 3])), [-1, 1, -1])


@for_all("row", [np.zeros(11), np.full(11, 0.1), np.full(11, 1e9), np.zeros(1)])
def test_a_row_that_is_the_same_throughout_repeats_nothing(row):
    assert not autocorrelation(row).any()
    assert period(row) is None


def test_a_pattern_that_comes_again_exactly_has_its_own_length_as_period():
    assert period(np.tile(PATTERN, 5)) == (7, pytest.approx(1))


def test_of_a_pattern_and_its_multiples_the_shortest_is_the_period_though_some_noise_is_added():
    row = np.tile(PATTERN, 6) + random.normal(size=42) / 50
    found = period(row)
    assert found is not None
    places, alike = found
    assert places == 7
    assert 0.9 < alike < 1


def claps(seconds, length=4):
    """One every so many seconds, as long as is said, each the same noise that fades in 30 ms."""
    clap = np.random.default_rng(0).normal(size=480) * np.exp(-np.arange(480) / 200) / 2
    sound = np.zeros(length * 16_000)
    for begins in range(0, len(sound) - 480, round(seconds * 16_000)):
        sound[begins : begins + 480] = clap
    return sound


def told(sound, pool):
    """The periods that the rows of scores are said to have, in seconds."""
    x = audio.embed(sound, 16_000, 64, 7, pool=pool, position=False)["X"].tensor[0]
    Q = x @ Weights.seeded(64, 4, 7).W_Q[:, :16]
    found = [period(row) for row in (Q @ Q.T)[:: max(1, len(Q) // 12)]]
    return [places * pool / 100 for places, _ in filter(None, found)]


def test_claps_come_again_after_their_own_time_however_many_frames_share_a_token():
    wrong = []
    for seconds in (0.5, 0.3, 0.46, 0.35, 0.9):
        for pool in (1, 2, 4, 8):
            if seconds < 5 * pool / 100:
                continue  # less than five tokens: may show as a multiple
            found = told(claps(seconds), pool)
            half = pool / 200
            if not found or not all(abs(one - seconds) <= half for one in found):
                wrong.append((seconds, pool, sorted(set(found))))
    assert not wrong


def test_the_strokes_of_the_sample_come_again_after_a_whole_bar_alone():
    drums, _ = decode((ASSETS / "drums.flac").read_bytes())
    for pool in (1, 2, 4, 8):
        assert told(drums, pool) == pytest.approx([0.96] * len(told(drums, pool)))
        assert told(drums, pool)


def test_a_loud_and_a_quiet_clap_in_turn_come_again_after_both():
    sound = claps(0.5, 6)
    for begins in range(8_000, len(sound), 16_000):
        sound[begins : begins + 480] /= 10
    for pool in (1, 2, 4, 8):
        assert set(told(sound, pool)) == {1.0}


def test_a_row_that_changes_slowly_does_not_repeat():
    assert period(np.linspace(0, 1, 41)) is None
    assert period(np.exp(-(np.linspace(-3, 3, 41) ** 2))) is None


def test_noise_does_not_repeat():
    rows = np.random.default_rng(11).normal(size=(100, 97))
    assert sum(period(row) is not None for row in rows) <= 5


def test_equal_frames_have_equal_columns_of_scores_whatever_the_matrices():
    stroke = np.random.default_rng(5).normal(size=3 * 160) * np.hanning(3 * 160)
    sound = np.tile(np.concatenate([stroke, np.zeros(4 * 160)]), 4)  # every 7 frames
    source = audio.embed(sound, 16_000, 11, 2, position=False)
    trace = multi_head_attention(source, Weights.seeded(11, 1, 3))
    scores = trace["scores"].tensor[0, 0]
    np.testing.assert_allclose(scores[:, 2:16], scores[:, 9:23], atol=1e-12)
    found = period(scores[1])  # the last stroke is followed by silence, not by the next one
    assert found is not None
    assert found[0] == 7


def test_with_the_place_added_equal_frames_are_equal_no_more():
    sound = np.tile(np.hanning(7 * 160), 4)
    source = audio.embed(sound, 16_000, 11, 2, position=True)
    scores = multi_head_attention(source, Weights.seeded(11, 1, 3))["scores"].tensor[0, 0]
    assert np.abs(scores[:, 2:16] - scores[:, 9:23]).max() > 0.1


def test_peaks_are_the_largest_places_that_stand_out_and_lie_apart():
    row = np.array([0.1, 0.9, 0.8, 0.2, 0.7, 0.0, 0.3])
    assert peaks(row, 3, 1) == [1, 4, 6]
    assert peaks(row, 2, 1) == [1, 4]
    assert peaks(row, 3, 4) == [1, 6]


def test_what_only_fades_away_has_one_peak_and_so_has_an_even_row():
    assert peaks(np.array([0.5, 0.3, 0.2]), 3, 1) == [0]
    assert peaks(np.full(5, 0.2), 3, 1) == [0]


def test_of_equal_weights_the_first_comes_first_and_no_weight_is_no_peak():
    assert peaks(np.array([0.0, 0.5, 0.0, 0.5]), 4, 1) == [1, 3]
    assert peaks(np.zeros(5), 2, 1) == []


def test_peaks_closer_than_one_place_are_refused():
    with refuses("out_of_range"):
        peaks(PATTERN, 2, 0)
