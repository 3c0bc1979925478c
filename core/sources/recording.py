"""Decoding and encoding of sound files."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import count
from math import ceil
from typing import Any

import numpy as np
import soundfile

from core.errors import InputError, out_of_range
from core.limits import LIMITS, SAMPLE_RATES, Limits
from core.sources.audio import SILENT, in_blocks, is_silent
from core.sources.file_type import file_type
from core.sources.spectrum import RATE

FORMATS = ("WAV", "WAVEX", "FLAC", "OGG", "MP3")
NUMBERS_AT_ONCE = 2**18  # decoded before they are mixed down
STREAMED = 2**32 - 1  # the size in a WAV file that was written before its size was known


def decode(
    data: bytes, *, seconds: float | None = None, limits: Limits = LIMITS
) -> tuple[np.ndarray, int]:
    """Decode a sound file to mono at 16 000 Hz.

    WAV, FLAC, OGG (Vorbis, Opus) and MP3, of any rate, channels and bits.
    seconds: the longest part from the start to decode; None: all of it.

    Returns the samples, (n,) float32, usually in ±1, and their rate. Decoded in blocks, so that
    memory does not depend on the header.

    Raises file_too_large before anything is read, empty_file, wrong_file_type, not_a_sound,
    sound_too_long, too_many_samples and out_of_range before anything is decoded, sound_breaks_off,
    empty_sound, undefined_samples and damaged_sound.
    """
    if len(data) > limits.file_bytes:
        raise InputError("file_too_large", size=len(data), limit=limits.file_bytes)
    if not data:
        raise InputError("empty_file", file="")
    if not _looks_like_sound(data[:12]):
        found = file_type(data)
        if found is None:
            raise InputError("not_a_sound")
        raise InputError("damaged_sound") if found.name in FORMATS else found.refused("sound")
    most = limits.seconds if seconds is None else min(seconds, limits.seconds)
    with _reading(), soundfile.SoundFile(_File(data)) as file:
        if file.format not in FORMATS:
            raise InputError("not_a_sound")
        if file.samplerate not in SAMPLE_RATES:
            raise out_of_range(
                "sample_rate", file.samplerate, f"from {SAMPLE_RATES[0]} to {SAMPLE_RATES[-1]}"
            )
        _check_promise(data, file)
        lasts = file.frames / file.samplerate
        if seconds is None and lasts > limits.seconds:
            shown, limit = _apart(lasts, limits.seconds)
            raise InputError("sound_too_long", seconds=shown, limit=limit)
        wanted = min(file.frames, ceil(most * file.samplerate))
        if wanted * file.channels > limits.samples:
            raise InputError(
                "too_many_samples", samples=wanted * file.channels, limit=limits.samples
            )
        parts = list(in_blocks(_mono(file, wanted), file.samplerate, RATE))
    if not sum(map(len, parts)):
        raise InputError("empty_sound")
    return np.concatenate(parts)[: ceil(most * RATE)], RATE


def read_sound(data: bytes) -> tuple[dict[str, Any], np.ndarray]:
    """The samples of a sound file, of one that is too long the first seconds.

    Returns too ``lasts``: the seconds of a file that is too long, else 0; its ``channels``; and
    whether they are ``cancelled``: their mean is silent although they are not. Raises what
    ``decode`` raises, except sound_too_long.
    """
    lasts = 0.0
    try:
        samples, _ = decode(data)
    except InputError as error:
        if error.code != "sound_too_long":
            raise
        samples, _ = decode(data, seconds=LIMITS.seconds)
        lasts = error.fields["seconds"]
    count = channels(data)
    cancelled = count > 1 and is_silent(samples) and peak(data) > SILENT
    return {"lasts": lasts, "channels": count, "cancelled": cancelled}, samples


def channels(data: bytes) -> int:
    """The number of channels of a sound file that ``decode`` can read, by its header."""
    with _reading(), soundfile.SoundFile(_File(data)) as file:
        return int(file.channels)


def peak(data: bytes, *, seconds: float = LIMITS.seconds) -> float:
    """The largest absolute sample of any channel in the first seconds of such a file."""
    with _reading(), soundfile.SoundFile(_File(data)) as file:
        wanted = min(file.frames, ceil(seconds * file.samplerate))
        at_once = max(1, NUMBERS_AT_ONCE // file.channels)
        blocks = file.blocks(at_once, frames=wanted, dtype="float32")
        return max((float(np.abs(block).max()) for block in blocks), default=0.0)


def encode(samples: np.ndarray, rate: int) -> bytes:
    """The samples as a 16-bit WAV file, clipped to ±1.

    samples: (n,). Raises empty_sound and undefined_samples.
    """
    if not samples.size:
        raise InputError("empty_sound")
    if not np.isfinite(samples).all():
        raise InputError("undefined_samples")
    file = BytesIO()
    soundfile.write(file, samples, rate, format="WAV", subtype="PCM_16")
    return file.getvalue()


class _File(BytesIO):
    """A BytesIO in which seeking before the start, as decoders try, goes to the start."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return super().seek(max(offset, 0) if whence == 0 else offset, whence)


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except soundfile.SoundFileError as failure:
        raise InputError("damaged_sound") from failure


def _looks_like_sound(head: bytes) -> bool:
    """Whether a file starts like WAV, FLAC, OGG or MP3 (with or without an ID3 tag)."""
    if head[:4] in (b"RIFF", b"RIFX"):
        return head[8:] == b"WAVE"
    # ISO/IEC 11172-3: eleven bits that are 1, the version, then 01 for layer III.
    is_frame = len(head) > 1 and head[0] == 0xFF and head[1] & 0xE6 == 0xE2
    return head[:4] in (b"fLaC", b"OggS") or head[:3] == b"ID3" or is_frame


def _check_promise(data: bytes, file: soundfile.SoundFile) -> None:
    """Raises sound_breaks_off for a truncated WAV file, which the decoder would accept."""
    promised, found_bytes = _wav_sizes(data)
    if promised != STREAMED and promised > found_bytes and file.frames:
        found = file.frames / file.samplerate
        promised_seconds, found = _apart(found * promised / found_bytes, found)
        raise InputError("sound_breaks_off", promised=promised_seconds, found=found)


def _apart(one: float, other: float) -> tuple[float, float]:
    """Both numbers, which differ, rounded to the first decimals from the second on that differ."""
    rounded = ((round(one, digits), round(other, digits)) for digits in count(2))
    return next((a, b) for a, b in rounded if a != b)


def _mono(file: soundfile.SoundFile, wanted: int) -> Iterator[np.ndarray]:
    """Yields the mean of the channels in blocks."""
    at_once = max(1, NUMBERS_AT_ONCE // file.channels)
    found = 0
    while found < wanted:
        block = file.read(min(at_once, wanted - found), dtype="float32", always_2d=True)
        if not len(block):
            rate = file.samplerate
            promised, seconds = _apart(file.frames / rate, found / rate)
            raise InputError("sound_breaks_off", promised=promised, found=seconds)
        if not np.isfinite(block).all():
            raise InputError("undefined_samples")
        found += len(block)
        yield block.mean(axis=1)  # (sample, channel) -> (sample,)


def _wav_sizes(data: bytes) -> tuple[int, int]:
    """The bytes of samples by a WAV file's header, and those it holds; 0 and 0 for other files.

    "Multimedia Programming Interface and Data Specifications 1.0" (IBM & Microsoft, 1991): chunks
    of a name, a size and as many bytes, each filled up to an even number.
    """
    at = 12
    while data[:4] == b"RIFF" and at + 8 <= len(data):
        name, size = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if name == b"data":
            return size, len(data) - at - 8
        at += 8 + size + size % 2
    return 0, 0
