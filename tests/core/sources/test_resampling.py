"""A sound at another rate is the same sound."""

import numpy as np
from claims import for_all
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import noise, tone

from core.sources.audio import in_blocks, resampled


@settings(deadline=None, max_examples=40)
@given(
    samples=st.integers(1, 3_000),
    rate=st.sampled_from([1_000, 8_000, 11_025, 16_000, 44_100, 192_000]),
)
def test_as_many_samples_come_out_as_the_ratio_of_the_rates_rounded_up(samples, rate):
    assert len(resampled(noise(samples), rate, 16_000)) == -(-samples * 16_000 // rate)


@for_all("rate", [8_000, 44_100, 48_000, 192_000])
@for_all("dtype", [np.float32, np.float64])
def test_a_tone_stays_the_same_tone(rate, dtype):
    found = resampled(tone(rate, 1_000, rate).astype(dtype), rate, 16_000)
    assert (len(found), found.dtype) == (16_000, dtype)
    middle = slice(2_000, 14_000)
    np.testing.assert_allclose(found[middle], tone(16_000, 1_000)[middle], atol=2e-4)


def test_what_is_too_high_for_the_lower_rate_is_filtered_out():
    found = resampled(tone(48_000, 11_000, 48_000), 48_000, 16_000)
    assert np.abs(found[2_000:14_000]).max() < 1e-3


def test_the_same_rate_leaves_the_samples_as_they_are():
    samples = noise(1_711)
    np.testing.assert_array_equal(resampled(samples, 16_000, 16_000), samples)


def test_blocks_make_the_same_sound_as_the_whole():
    samples = noise(7_919)
    blocks = in_blocks(np.array_split(samples, [1, 13, 4_001]), 44_100, 16_000)
    np.testing.assert_allclose(
        np.concatenate(list(blocks)), resampled(samples, 44_100, 16_000), atol=1e-6
    )


def test_no_block_makes_no_sound():
    assert list(in_blocks([], 44_100, 16_000)) == []


def test_whole_numbers_become_float64():
    assert resampled(np.arange(100), 8_000, 16_000).dtype == np.float64
