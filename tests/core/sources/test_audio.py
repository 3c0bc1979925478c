"""Every stage from a sound to X, recomputed here by plain loops over named sizes."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sounds import HOP, RATE, WINDOW, noise, tone

from core import Trace, Weights, explain, multi_head_attention, rules
from core.cost import trace_cost
from core.errors import (
    EmptySound,
    NotFinite,
    OutOfRange,
    ShapeMismatch,
    TooManyFrames,
    UndefinedSamples,
)
from core.limits import LIMITS
from core.sources import mel
from core.sources.audio import embed, is_silent, log_mel, sounding, tokens, weighted

D_MODEL, SEED, MELS, SAMPLES, POOL = 7, 13, 11, 1_601, 2
FRAMES, BINS = 11, WINDOW // 2 + 1
LIBROSA = np.load(Path(__file__).parent / "data" / "librosa_mel.npz")


def mel_of(samples, mels=80):
    return embed(samples, RATE, D_MODEL, SEED, mels=mels)["mel"].tensor[0]


def through_json(trace):
    """The same stages with rules that were written as text and read again."""
    return Trace(
        replace(s, rule=rules.from_data(json.loads(json.dumps(rules.as_data(s.rule)))))
        for s in trace.values()
    )


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


@pytest.mark.parametrize(("dtype", "rtol"), [(np.float32, 1e-5), (np.float64, 1e-9)])
@pytest.mark.parametrize("pool", [1, POOL])
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


def test_the_fast_transform_is_the_sum_that_its_rule_states():
    trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED)
    windowed = trace["windowed"].tensor
    for key, wave in (("real", "cosine"), ("imaginary", "sine")):
        slow = windowed @ trace[wave].tensor
        np.testing.assert_allclose(trace[key].tensor, slow, rtol=0, atol=1e-13)


def test_the_stages_stand_in_the_order_of_the_computation():
    before = [
        "waveform", "silence", "padded", "frames", "window", "windowed", "cosine", "sine", "real",
        "imaginary", "power", "filters", "mel", "log_mel", "level",
    ]  # fmt: skip
    for pool, pooled in ((1, []), (POOL, ["pooled"])):
        for position, place in ((True, ["position"]), (False, [])):
            trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED, pool=pool, position=position)
            assert list(trace) == [*before, *pooled, "W_E", "embedding", *place, "X"]
            assert trace["embedding"].computed_from == ((pooled or ["level"])[0], "W_E")
            assert trace.token == "frame"


def test_every_axis_has_its_role_and_its_size():
    trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED, mels=MELS, pool=POOL)
    frame, token, place = ("frame", FRAMES + 1), ("token", (FRAMES + 1) // POOL), ("place", WINDOW)
    batch, frequency, band, width = (
        ("batch", 1), ("frequency", BINS), ("mel", MELS), ("d_model", D_MODEL),
    )  # fmt: skip
    filled = (FRAMES + 1) * HOP + WINDOW - HOP
    expected = {
        "waveform": [batch, ("sample", SAMPLES)],
        "silence": [("sample", filled - SAMPLES)],
        "padded": [batch, ("sample", filled)],
        "frames": [batch, frame, place],
        "window": [place],
        "windowed": [batch, frame, place],
        "cosine": [place, frequency],
        "sine": [place, frequency],
        "real": [batch, frame, frequency],
        "imaginary": [batch, frame, frequency],
        "power": [batch, frame, frequency],
        "filters": [frequency, band],
        "mel": [batch, frame, band],
        "log_mel": [batch, frame, band],
        "level": [batch, frame, band],
        "pooled": [batch, ("frame", (FRAMES + 1) // POOL), band],
        "W_E": [band, width],
        "embedding": [batch, ("frame", (FRAMES + 1) // POOL), width],
        "position": [token, width],
        "X": [batch, token, width],
    }
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


def test_what_is_given_says_what_it_is():
    trace = embed(noise(SAMPLES), RATE, D_MODEL, SEED)
    found = {k: s.rule.what for k, s in trace.items() if isinstance(s.rule, rules.Given)}
    fixed = dict.fromkeys(("silence", "window", "cosine", "sine", "filters"), "transform")
    assert found == {
        "waveform": "input", **fixed, "W_E": "parameter", "position": "sinusoid",
    }  # fmt: skip


def test_ten_seconds_are_exactly_a_thousand_frames_of_eighty_levels():
    assert log_mel(noise(10 * RATE), RATE).shape == (1000, 80)
    trace = embed(noise(10 * RATE), RATE, 512, SEED)
    assert trace["X"].tensor.shape == (1, 1000, 512)
    assert trace["X"].tensor.dtype == np.float32


def test_the_longest_sound_and_one_head_of_its_frames_stay_within_the_limit():
    trace = embed(noise(int(LIMITS.seconds * RATE)), RATE, 512, SEED)
    one_head = 4 * LIMITS.frames**2 * 4  # scores, scaled, masked and weights in float32
    assert trace_cost(trace).bytes + one_head < LIMITS.trace_bytes


@pytest.mark.parametrize("samples", [1, HOP - 1, HOP, HOP + 1, 7 * HOP])
def test_every_hop_that_is_begun_has_a_frame(samples):
    assert log_mel(noise(samples), RATE).shape[0] == math.ceil(samples / HOP)
    assert tokens(samples) == math.ceil(samples / HOP)


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
    areas = mel.filters(80, fine).sum(axis=0) * (fine[1] - fine[0])
    np.testing.assert_allclose(areas, 1, rtol=1e-4)
    for mels in (1, 80, 128):
        filters = embed(noise(SAMPLES), RATE, D_MODEL, SEED, mels=mels)["filters"].tensor
        assert (filters.max(axis=0) > 0).all()


def test_the_mel_scale_is_straight_up_to_1000_hz_and_a_logarithm_beyond():
    # 15 mels are 1000 Hz; 27 more are 6.4 times as much.
    found = mel.mels_of(np.array([0.0, 500.0, 1000.0, 6400.0]))
    np.testing.assert_allclose(found, [0, 7.5, 15, 42], rtol=1e-12)
    np.testing.assert_allclose(mel.frequencies_of(found), [0, 500, 1000, 6400], rtol=1e-12)


@pytest.mark.parametrize("frequency", [240, 1000, 3520])
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
    assert found.shape == (tokens(samples), mels)
    assert (found >= 0).all()


def test_silence_is_zero_in_every_band_and_in_the_embedding():
    silence = np.zeros(SAMPLES, np.float32)
    trace = embed(silence, RATE, D_MODEL, SEED, position=False)
    assert not log_mel(silence, RATE).any()
    assert not trace["X"].tensor.any()
    assert not sounding(trace).any()


def test_frames_that_sound_alike_to_the_last_sample_have_the_same_numbers():
    stroke = noise(5 * HOP)
    rest = np.zeros(3 * HOP, np.float32)
    trace = embed(np.concatenate([stroke, rest] * 3), RATE, D_MODEL, SEED, position=False)
    first, second, third = trace["X"].tensor[0].reshape(3, 8, D_MODEL)
    # The seventh frame of a bar already reaches into the next stroke, where there is one.
    for again in (second, third):
        np.testing.assert_allclose(again[:6], first[:6], rtol=1e-6, atol=1e-7)


def test_what_sounds_is_told_from_what_does_not():
    quiet = noise(6 * HOP, loud=1e-4)
    trace = embed(np.concatenate([noise(4 * HOP), quiet]), RATE, D_MODEL, SEED, pool=POOL)
    np.testing.assert_array_equal(sounding(trace), [[True, True, False, False, False]])
    assert is_silent(quiet)
    assert not is_silent(noise(HOP))


def test_another_rate_is_brought_to_16000_samples_a_second():
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


def test_attention_takes_the_trace_and_keeps_its_times():
    source = embed(noise(SAMPLES), RATE, 6, SEED)
    trace = multi_head_attention(source, Weights.seeded(6, 3, SEED), padding=sounding(source))
    assert trace["weights"].tensor.shape == (1, 3, FRAMES, FRAMES)
    assert trace["weights"].axis("key").label(10) == "0.10 s"


def test_the_samples_given_are_neither_changed_nor_kept():
    samples = noise(SAMPLES)
    trace = embed(samples, RATE, D_MODEL, SEED)
    before = trace["waveform"].tensor.copy()
    samples[:] = 0
    np.testing.assert_array_equal(trace["waveform"].tensor, before)


def test_more_tokens_than_the_limit_are_refused():
    most = LIMITS.frames * HOP
    assert tokens(most) == tokens(4 * most, 4) == LIMITS.frames
    with pytest.raises(TooManyFrames) as refusal:
        tokens(4 * most + 1, 4)
    assert (refusal.value.frames, refusal.value.limit) == (LIMITS.frames + 1, LIMITS.frames)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_samples_that_are_not_finite_are_refused(bad):
    samples = noise(SAMPLES)
    samples[3] = bad
    for compute in (lambda: log_mel(samples, RATE), lambda: embed(samples, RATE, 7, 1)):
        with pytest.raises(UndefinedSamples):
            compute()


def test_samples_whose_power_is_beyond_all_numbers_are_refused():
    with pytest.raises(NotFinite, match="mel"):
        log_mel(np.full(SAMPLES, 1e200), RATE)


def test_no_sample_at_all_is_refused():
    with pytest.raises(EmptySound):
        log_mel(np.zeros(0), RATE)


def test_samples_of_two_channels_are_refused():
    with pytest.raises(ShapeMismatch, match="samples"):
        log_mel(np.zeros((SAMPLES, 2)), RATE)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("mels", {"mels": 0}),
        ("mels", {"mels": 129}),
        ("pool", {"pool": 0}),
        ("d_model", {"d_model": 0}),
        ("seed", {"seed": -1}),
        ("sample_rate", {"sample_rate": 0}),
    ],
)
def test_sizes_out_of_their_range_are_refused(name, change):
    given = {"sample_rate": RATE, "d_model": D_MODEL, "seed": SEED} | change
    with pytest.raises(OutOfRange) as refusal:
        embed(noise(SAMPLES), **given)
    assert refusal.value.name == name


def test_the_frame_that_weighs_most_keeps_its_loudness_and_one_without_weight_is_silent():
    samples = np.ones(6 * 5 * HOP, np.float32)
    row = np.array([0.0, 0.0, 0.2, 0.0, 0.4, 0.4])
    heard = weighted(samples, row, HOP, 5)
    span = 5 * HOP
    assert heard.dtype == np.float32
    assert not heard[:span].any()
    assert heard[2 * span + span // 2] == pytest.approx(0.5, abs=1e-3)
    np.testing.assert_array_equal(heard[5 * span :], 1)


def test_the_weighted_sound_never_jumps():
    samples = np.ones(37 * HOP - 11)
    row = np.random.default_rng(3).random(37)
    steps = np.abs(np.diff(weighted(samples, row)))
    assert steps.max() <= np.abs(np.diff(row)).max() / row.max() / HOP * (1 + 1e-9)


def test_equal_weights_leave_the_sound_as_it_is():
    samples = noise(SAMPLES)
    np.testing.assert_array_equal(weighted(samples, np.full(FRAMES, 1 / FRAMES)), samples)


def test_a_row_without_any_weight_is_silence():
    assert not weighted(noise(SAMPLES), np.zeros(FRAMES)).any()


def test_a_row_that_does_not_cover_the_sound_is_refused():
    with pytest.raises(ShapeMismatch, match="row"):
        weighted(noise(SAMPLES), np.ones(FRAMES - 1))
