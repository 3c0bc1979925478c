"""Every stage from a sound to X, recomputed here by plain loops over named sizes."""

import math

import numpy as np
import pytest
from claims import for_all
from rules_as_text import through_json
from sounds import D_MODEL, FRAMES, HOP, RATE, SAMPLES, SEED, WINDOW, noise, tone

from core import explain
from core.cost import trace_cost
from core.limits import LIMITS
from core.sources.audio import (
    embed,
    in_blocks,
    is_silent,
    log_mel,
    resampled,
    sound_mask,
    token_count,
)

MELS, POOL, BINS = 11, 2, WINDOW // 2 + 1


class PlainLoops:
    """Each stage's cells by whole numbers and sums alone, from the samples and the matrix W_E."""

    def __init__(self, samples, trace, pool):
        self.samples, self.trace, self.pool = samples, trace, pool

    def waveform(self, _, t):
        return float(self.samples[t])

    def padded(self, _, t):
        return float(self.samples[t]) if t < len(self.samples) else 0.0

    def frames(self, _, i, p):
        return self.padded(0, i * HOP + p)

    def window(self, p):
        return math.sin(math.pi * p / WINDOW) ** 2

    def windowed(self, _, i, p):
        return self.frames(0, i, p) * self.window(p)

    def real(self, _, i, f):
        angle = 2 * math.pi * f / WINDOW
        return math.fsum(self.windowed(0, i, p) * math.cos(angle * p) for p in range(WINDOW))

    def imaginary(self, _, i, f):
        angle = 2 * math.pi * f / WINDOW
        return -math.fsum(self.windowed(0, i, p) * math.sin(angle * p) for p in range(WINDOW))

    def power(self, _, i, f):
        return self.real(0, i, f) ** 2 + self.imaginary(0, i, f) ** 2

    def mel(self, _, i, m):
        weights = self.trace["filters"].tensor[:, m]
        return math.fsum(self.power(0, i, f) * float(weights[f]) for f in np.flatnonzero(weights))

    def log_mel(self, _, i, m):
        return math.log(1 + 10_000 * self.mel(0, i, m))

    def level(self, _, i, m):
        return self.log_mel(0, i, m) / math.log(10_001)

    def pooled(self, _, i, m):
        alike = range(self.pool * i, self.pool * (i + 1))
        return math.fsum(self.level(0, j, m) for j in alike) / self.pool


@for_all(("pool", "dtype", "rtol"), [(1, np.float64, 1e-9), (POOL, np.float32, 1e-5)])
def test_every_cell_is_what_its_rule_and_plain_loops_make_it(pool, dtype, rtol):
    samples = noise(SAMPLES).astype(dtype)
    trace = through_json(embed(samples, RATE, D_MODEL, SEED, mels=MELS, pool=pool))
    loops = PlainLoops(samples, trace, pool)
    for key, stage in trace.items():
        indices = list(np.ndindex(stage.tensor.shape))
        for index in [*indices[:: len(indices) // 12 + 1], indices[-1]]:
            cell = explain(trace, key, index)
            assert cell.value == stage.tensor[index]
            assert cell.made_by.value == pytest.approx(cell.value, rel=rtol, abs=rtol), (key, index)
            if hasattr(loops, key):
                expected = getattr(loops, key)(*index)
                assert cell.value == pytest.approx(expected, rel=rtol, abs=rtol), (key, index)


def test_every_axis_has_its_role_and_its_size():
    trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED, mels=MELS, pool=POOL)
    frame, token, at = ("frame", FRAMES + 1), ("token", (FRAMES + 1) // POOL), ("offset", WINDOW)
    batch, frequency, band, width = (
        ("batch", 1), ("frequency", BINS), ("mel", MELS), ("d_model", D_MODEL),
    )  # fmt: skip
    filled = (FRAMES + 1) * HOP + WINDOW - HOP
    expected = {
        "waveform": [batch, ("sample", SAMPLES)], "silence": [("sample", filled - SAMPLES)],
        "padded": [batch, ("sample", filled)], "frames": [batch, frame, at], "window": [at],
        "windowed": [batch, frame, at], "cosine": [at, frequency], "sine": [at, frequency],
        "real": [batch, frame, frequency], "imaginary": [batch, frame, frequency],
        "power": [batch, frame, frequency], "filters": [frequency, band],
        "mel": [batch, frame, band], "log_mel": [batch, frame, band], "level": [batch, frame, band],
        "pooled": [batch, ("frame", (FRAMES + 1) // POOL), band], "W_E": [band, width],
        "embedding": [batch, ("frame", (FRAMES + 1) // POOL), width], "position": [token, width],
        "X": [batch, token, width],
    }  # fmt: skip
    assert list(trace) == list(expected)
    for key, named in expected.items():
        assert list(zip(trace[key].roles, trace[key].tensor.shape, strict=True)) == named


def test_frames_carry_their_time_and_frequencies_their_hertz():
    trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED, pool=POOL)
    assert trace["frames"].axis("frame").label(3) == "0.03 s"
    assert trace["X"].axis("token").label(3) == "0.06 s"
    assert trace["power"].axis("frequency").label(25) == "1000 Hz"
    peaks = trace["mel"].axis("mel").names()
    assert (peaks[0], len(set(peaks))) == ("37 Hz", 80)


def test_ten_seconds_are_exactly_a_thousand_frames_of_eighty_levels():
    assert log_mel(noise(10 * RATE), RATE).shape == (1000, 80)
    trace = embed(noise(10 * RATE), RATE, 512, SEED)
    assert trace["X"].tensor.shape == (1, 1000, 512)
    assert trace["X"].tensor.dtype == np.float32


def test_the_longest_sound_has_the_most_frames_and_stays_within_the_limit():
    trace = embed(noise(int(LIMITS.seconds * RATE)), RATE, 512, SEED)
    assert trace["X"].size("token") == LIMITS.frames
    assert trace_cost(trace).bytes < LIMITS.trace_bytes / 2


@for_all("samples", [1, HOP - 1, HOP, HOP + 1, 7 * HOP])
def test_every_started_hop_has_a_frame(samples):
    assert log_mel(noise(samples), RATE).shape[0] == math.ceil(samples / HOP)
    assert token_count(samples) == math.ceil(samples / HOP)


def test_silence_is_zero_in_every_band_and_in_the_embedding():
    silence = np.zeros(SAMPLES, np.float32)
    trace = embed(silence, RATE, D_MODEL, SEED, position=False)
    assert not log_mel(silence, RATE).any()
    assert not trace["X"].tensor.any()
    assert not sound_mask(trace).any()


def test_the_sound_mask_is_false_for_silence():
    quiet = noise(6 * HOP, loud=1e-4)
    trace = embed(np.concatenate([noise(4 * HOP), quiet]), RATE, D_MODEL, SEED, pool=POOL)
    np.testing.assert_array_equal(sound_mask(trace), [[True, True, False, False, False]])
    assert is_silent(quiet)
    assert not is_silent(noise(HOP))


def test_other_rates_are_resampled_to_16000_hz():
    seconds = 0.2
    there = log_mel(tone(round(seconds * 44_100), 700, 44_100), 44_100)
    here = log_mel(tone(round(seconds * RATE), 700), RATE)
    assert there.shape == here.shape
    # Away from both ends, where the filter of the resampler has nothing to look at.
    np.testing.assert_allclose(there[3:-5], here[3:-5], rtol=0.02, atol=0.02)


def test_the_parameters_follow_from_the_seed_and_keep_to_xaviers_bounds():
    one, same, other = (embed(noise(HOP), RATE, D_MODEL, s)["W_E"].tensor for s in (1, 1, 2))
    limit = math.sqrt(6 / (80 + D_MODEL))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
    assert 0.9 * limit < np.abs(one).max() <= limit


def test_the_given_samples_are_not_modified_or_referenced():
    samples = noise(SAMPLES)
    trace = embed(samples, RATE, D_MODEL, SEED)
    before = trace["waveform"].tensor.copy()
    samples[:] = 0
    np.testing.assert_array_equal(trace["waveform"].tensor, before)


def test_blocks_make_the_same_sound_as_the_whole():
    samples = noise(7_919)
    blocks = in_blocks(np.array_split(samples, [1, 13, 4_001]), 44_100, 16_000)
    np.testing.assert_allclose(
        np.concatenate(list(blocks)), resampled(samples, 44_100, 16_000), atol=1e-6
    )
    assert list(in_blocks([], 44_100, 16_000)) == []


def test_whole_numbers_become_float64():
    assert resampled(np.arange(100), 8_000, 16_000).dtype == np.float64
