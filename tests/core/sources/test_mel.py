"""The mel spectrogram: its filters, and what it makes of tones, shifts, loudness and silence."""

from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import D_MODEL, HOP, RATE, SAMPLES, SEED, noise, tone

from core.sources import spectrum
from core.sources.audio import embed, log_mel, token_count

LIBROSA = np.load(Path(__file__).parent / "data" / "librosa_mel.npz")


def mel_of(samples, mels=80):
    return embed(samples, RATE, D_MODEL, SEED, mels=mels)["mel"].tensor[0]


@pytest.mark.parametrize("mels", [80, 41])
def test_the_filters_are_those_of_librosa(mels):
    trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED, mels=mels)
    expected = LIBROSA[f"filters_{mels}"]
    np.testing.assert_allclose(trace["filters"].tensor, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("mels", [80, 41])
def test_the_mel_spectrogram_is_that_of_librosa(mels):
    np.testing.assert_allclose(mel_of(LIBROSA["samples"], mels), LIBROSA[f"mel_{mels}"], rtol=1e-4)


def test_every_filter_has_an_area_of_one_and_none_is_empty():
    fine = np.linspace(0, 8000, 80_001)
    areas = spectrum.mel_filters(80, fine).sum(axis=0) * (fine[1] - fine[0])
    np.testing.assert_allclose(areas, 1, rtol=1e-4)
    for mels in (1, 80, 128):
        filters = embed(noise(SAMPLES), RATE, D_MODEL, SEED, mels=mels)["filters"].tensor
        assert (filters.max(axis=0) > 0).all()


def test_the_mel_scale_is_straight_up_to_1000_hz_and_a_logarithm_beyond():
    # 15 mels are 1000 Hz; 27 more are 6.4 times as much.
    found = spectrum.mels_of(np.array([0.0, 500.0, 1000.0, 6400.0]))
    np.testing.assert_allclose(found, [0, 7.5, 15, 42], rtol=1e-12)
    np.testing.assert_allclose(spectrum.frequencies_of(found), [0, 500, 1000, 6400], rtol=1e-12)


@for_all("frequency", [240, 1000, 3520])
def test_a_tone_is_strongest_at_its_own_frequency(frequency):
    trace = embed(tone(SAMPLES, frequency), RATE, D_MODEL, SEED)
    loudest = trace["power"].tensor[0, 4].argmax()
    assert trace["power"].axis("frequency").label(loudest) == f"{frequency} Hz"


@settings(deadline=None, max_examples=25)
@given(shift=st.integers(1, 5), seed=st.integers(0, 99))
def test_a_shift_by_one_hop_shifts_the_frames_by_one(shift, seed):
    samples = noise(6 * HOP + 17, seed)
    later = np.concatenate([np.zeros(shift * HOP, np.float32), samples])
    np.testing.assert_allclose(mel_of(later)[shift:], mel_of(samples), rtol=1e-9)


@settings(deadline=None, max_examples=25)
@given(times=st.floats(0.01, 50.0), seed=st.integers(0, 99))
def test_a_times_the_amplitude_is_a_squared_times_the_mel(times, seed):
    samples = noise(3 * HOP, seed).astype(np.float64)
    np.testing.assert_allclose(mel_of(times * samples), times**2 * mel_of(samples), rtol=1e-9)


@settings(deadline=None, max_examples=25)
@given(samples=st.integers(1, 2_000), seed=st.integers(0, 99), mels=st.integers(1, 128))
def test_log_mel_is_the_stage_of_the_trace_and_never_negative(samples, seed, mels):
    sound = noise(samples, seed)
    found = log_mel(sound, RATE, mels=mels)
    trace = embed(sound, RATE, D_MODEL, SEED, mels=mels)
    np.testing.assert_array_equal(found, trace["log_mel"].tensor[0])
    assert found.shape == (token_count(samples), mels)
    assert (found >= 0).all()
