"""A sound as a frame hears it: each part as loud as its weight says."""

import numpy as np
import pytest
from refuses import refuses
from sounds import FRAMES, HOP, SAMPLES, noise

from core.sources.audio import apply_weights


def test_the_largest_weight_has_gain_1_and_a_weight_of_0_is_silent():
    samples = np.ones(6 * 5 * HOP, np.float32)
    row = np.array([0.0, 0.0, 0.2, 0.0, 0.4, 0.4])
    weighted = apply_weights(samples, row, HOP, 5)
    span = 5 * HOP
    assert weighted.dtype == np.float32
    assert not weighted[:span].any()
    assert weighted[2 * span + span // 2] == pytest.approx(0.5, abs=1e-3)
    np.testing.assert_array_equal(weighted[5 * span :], 1)


def test_the_gain_is_continuous():
    samples = np.ones(37 * HOP - 11)
    row = np.random.default_rng(3).random(37)
    steps = np.abs(np.diff(apply_weights(samples, row)))
    assert steps.max() <= np.abs(np.diff(row)).max() / row.max() / HOP * (1 + 1e-9)


def test_equal_weights_leave_the_sound_as_it_is():
    samples = noise(SAMPLES)
    np.testing.assert_array_equal(apply_weights(samples, np.full(FRAMES, 1 / FRAMES)), samples)


def test_a_row_without_any_weight_is_silence():
    assert not apply_weights(noise(SAMPLES), np.zeros(FRAMES)).any()


def test_a_row_that_does_not_cover_the_sound_is_refused():
    with refuses("shape_mismatch", name="row"):
        apply_weights(noise(SAMPLES), np.ones(FRAMES - 1))
