"""Sound files are decoded to samples or refused by name, in bounded memory."""

import struct
import tracemalloc
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
import soundfile
from claims import for_all
from hypothesis import given, settings
from hypothesis import strategies as st
from refuses import refuses
from sounds import RATE, file_of, noise, tone

from core.errors import InputError
from core.limits import LIMITS
from core.sources.recording import channels, decode, encode, peak

KINDS = [
    ("WAV", "PCM_U8"), ("WAV", "PCM_16"), ("WAV", "PCM_24"), ("WAV", "FLOAT"), ("WAV", "DOUBLE"),
    ("FLAC", "PCM_24"), ("OGG", "VORBIS"), ("OGG", "OPUS"), ("MP3", None),
]  # fmt: skip
CODED = {"VORBIS", "OPUS", None}
MOST = 8 * 2**20  # bytes: far less than what the files below claim to hold


def wav(promised_bytes: int, content: bytes, rate: int = RATE, before: bytes = b"") -> bytes:
    """A WAV file of one channel of 16 bits whose header says what it likes."""
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, rate, 2 * rate, 2, 16)
    data = struct.pack("<4sI", b"data", promised_bytes) + content
    return struct.pack("<4sI4s", b"RIFF", 4 + len(form + before + data), b"WAVE") + (
        form + before + data
    )


@for_all(("kind", "subtype"), KINDS)
def test_every_format_is_decoded_to_the_sound_that_was_encoded(kind, subtype):
    sound = tone(24_000, 440, 48_000)
    samples, rate = decode(file_of(sound, 48_000, kind, subtype))
    assert (rate, samples.dtype, samples.shape) == (RATE, np.float32, (8_000,))
    middle = slice(1_000, 7_000)
    atol = 0.05 if subtype in CODED else 0.01 if subtype == "PCM_U8" else 1e-3
    np.testing.assert_allclose(samples[middle], tone(8_000, 440)[middle], atol=atol)


def test_channels_are_mixed_down_to_their_mean():
    channels = np.stack([noise(1_711, seed=i) for i in range(8)], axis=1)
    samples, _ = decode(file_of(channels, RATE, "WAV", "FLOAT"))
    np.testing.assert_allclose(samples, channels.mean(axis=1), atol=1e-7)


def test_seconds_limits_how_much_is_read():
    sound = noise(50 * RATE)
    data = file_of(sound, RATE, "WAV", "FLOAT")
    for seconds, found in ((10, 10), (0.5, 0.5), (99, LIMITS.seconds)):
        samples, _ = decode(data, seconds=seconds)
        np.testing.assert_array_equal(samples, sound[: int(found * RATE)])


def spoilt(bad: float) -> bytes:
    sound = noise(1_711)
    sound[1_000] = bad
    return file_of(sound, RATE, "WAV", "FLOAT")


THREE_SECONDS = file_of(noise(3 * RATE), RATE, "FLAC")
REFUSED = [
    ("empty_file", {}, b"", {}),
    *(("empty_sound", {}, data, {})
      for data in (file_of(np.zeros(0), RATE, "WAV"), wav(0, b""), wav(1_000, b"\0"))),
    *(("not_a_sound", {}, data, {})
      for data in ("我爱北京\n".encode() * 99, "text".encode("utf-16"), b"RIFF", b"\0")),
    ("file_too_large", {"size": 11, "limit": 10}, b"not a sound", {"file_bytes": 10}),
    ("sound_too_long", {"seconds": 3.0, "limit": 2.5}, THREE_SECONDS, {"seconds": 2.5}),
    ("damaged_sound", {}, THREE_SECONDS[: len(THREE_SECONDS) // 2], {}),
    *(("undefined_samples", {}, spoilt(bad), {}) for bad in (np.nan, np.inf)),
    *(("out_of_range", {"name": "sample_rate", "value": rate}, wav(200, bytes(200), rate), {})
      for rate in (7, 2_000_000_000)),
]  # fmt: skip


@for_all(("code", "fields", "data", "limits"), REFUSED)
def test_what_is_no_sound_or_too_much_of_one_is_refused_by_name(code, fields, data, limits):
    with refuses(code, **fields):
        decode(data, limits=replace(LIMITS, **limits))


def test_one_sample_and_silence_are_sounds():
    for rate in (RATE, 48_000):
        assert decode(file_of(np.array([0.5]), rate, "WAV", "FLOAT"))[0].shape == (1,)
    samples, _ = decode(file_of(np.zeros(1_711), RATE, "WAV"))
    np.testing.assert_array_equal(samples, np.zeros(1_711))


def test_a_length_just_beyond_the_limit_is_not_printed_as_the_limit():
    for rate, samples, seconds in ((48_000, 1_440_048, 30.001), (44_100, 1_323_001, 30.00002)):
        with refuses("sound_too_long", seconds=seconds, limit=30):
            decode(file_of(np.zeros(samples), rate, "FLAC"))
    with refuses("sound_breaks_off", promised=0.063, found=0.062):
        decode(wav(2_002, bytes(2_000)))


def test_channels_that_cancel_each_other_out_are_distinguished_from_silence():
    one = noise(RATE)
    stereo = file_of(np.stack([one, -one], axis=1), RATE, "WAV", "PCM_16")
    assert np.abs(decode(stereo)[0]).max() < 1e-4
    assert channels(stereo) == 2
    assert peak(stereo) == pytest.approx(np.abs(one).max(), abs=1e-4)
    mono = file_of(np.zeros(RATE), RATE, "FLAC")
    assert (channels(mono), peak(mono)) == (1, 0)
    assert peak(stereo, seconds=0.5) == pytest.approx(np.abs(one[: RATE // 2]).max(), abs=1e-4)


@pytest.fixture(scope="module")
def eight_hours():
    """Silence, which FLAC writes in few bytes."""
    file = BytesIO()
    with soundfile.SoundFile(file, "w", 1_000, 1, format="FLAC") as out:
        minute = np.zeros(60 * 1_000, np.int16)
        for _ in range(8 * 60):
            out.write(minute)
    return file.getvalue()


@contextmanager
def little_memory():
    tracemalloc.start()
    yield
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MOST


def test_eight_hours_are_refused_before_they_are_decoded_or_promised(eight_hours):
    hours = 8 * 3600
    with little_memory(), refuses("sound_too_long", seconds=hours):
        decode(eight_hours)
    with little_memory(), refuses("sound_breaks_off", promised=hours, found=1.0):
        decode(wav(2 * RATE * hours, bytes(2 * RATE)))


def test_the_first_seconds_of_eight_hours_take_no_more_memory_than_they_need(eight_hours):
    with little_memory():
        samples, _ = decode(eight_hours, seconds=10)
    assert len(samples) == 10 * RATE


def test_a_wav_file_written_before_its_length_was_known_is_read_to_its_end():
    assert decode(wav(2**32 - 1, bytes(2_000)))[0].shape == (1_000,)


def test_a_truncated_mp3_is_refused_as_incomplete():
    data = file_of(tone(3 * RATE, 440), RATE, "MP3")
    with refuses("sound_breaks_off", promised=3.0) as refusal:
        decode(data[: len(data) // 2])
    assert 0 < refusal.value.fields["found"] < 2


@settings(deadline=None, max_examples=60)
@given(
    kind=st.sampled_from(KINDS),
    end=st.floats(0, 1),
    noised=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=9),
)
def test_a_corrupted_recording_is_read_or_refused_by_name(kind, end, noised):
    data = bytearray(file_of(tone(1_711, 440), RATE, *kind))
    for at, byte in noised:
        data[int(at * (len(data) - 1))] = byte
    try:
        samples, rate = decode(bytes(data[: int(end * len(data))]))
    except InputError as refusal:
        assert str(refusal)
    else:
        assert samples.size
        assert rate == RATE
        assert np.isfinite(samples).all()


def test_what_is_written_is_read_again():
    sound = noise(1_711)
    samples, rate = decode(encode(sound, RATE))
    assert rate == RATE
    np.testing.assert_allclose(samples, sound, atol=1 / 2**15)


def test_samples_beyond_1_are_clipped_and_never_wrap_around():
    samples, _ = decode(encode(np.array([-3.0, 0.0, 3.0]), RATE))
    np.testing.assert_allclose(samples, [-1, 0, 1], atol=1e-4)


def test_nothing_and_what_is_no_number_cannot_be_written():
    for code, samples in (("empty_sound", np.zeros(0)), ("undefined_samples", np.array([np.nan]))):
        with refuses(code):
            encode(samples, RATE)


def test_the_channels_of_a_sound_are_bounded_together_before_any_is_decoded():
    """Silence on 32 channels at 192 kHz fits into 40 kB, and a format may have 255 of them."""
    sound = file_of(np.zeros((1_000, 6)), 48_000, "WAV", "PCM_16")
    decode(sound, limits=replace(LIMITS, samples=6_000))
    with refuses("too_many_samples", samples=6_000, limit=5_999):
        decode(sound, limits=replace(LIMITS, samples=5_999))
    assert LIMITS.samples >= 8 * 655_350 * LIMITS.seconds, "whatever a FLAC file can hold"
