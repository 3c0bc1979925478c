"""The mel spectrogram: its filters, and what it makes of tones, shifts, loudness and silence."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import D_MODEL, RATE, SAMPLES, SEED, noise

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


@settings(deadline=None, max_examples=25)
@given(samples=st.integers(1, 2_000), seed=st.integers(0, 99), mels=st.integers(1, 128))
def test_log_mel_is_the_stage_of_the_trace_and_never_negative(samples, seed, mels):
    sound = noise(samples, seed)
    found = log_mel(sound, RATE, mels=mels)
    trace = embed(sound, RATE, D_MODEL, SEED, mels=mels)
    np.testing.assert_array_equal(found, trace["log_mel"].tensor[0])
    assert found.shape == (token_count(samples), mels)
    assert (found >= 0).all()
