"""Errors of recordings."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class NotASound(InputError):
    """The bytes are no recording in a format that is read here."""

    message = "the file is not a WAV, FLAC, OGG or MP3 recording"


@dataclass(eq=False)
class DamagedSound(InputError):
    """The file begins as a recording and then contradicts itself."""

    message = "the recording is damaged or incomplete"


@dataclass(eq=False)
class SoundBreaksOff(InputError):
    """A recording ends before it should by its own header."""

    promised: float
    found: float
    message = "the recording breaks off after {found} s; its header promises {promised} s"


@dataclass(eq=False)
class EmptySound(InputError):
    """A recording without a single sample."""

    message = "the recording holds no sample"


@dataclass(eq=False)
class SoundTooLong(InputError):
    """More seconds than the limit, known before any of them is decoded."""

    seconds: float
    limit: float
    message = "the recording lasts {seconds} s; the limit is {limit} s"


@dataclass(eq=False)
class UndefinedSamples(InputError):
    """A recording with NaN or infinities among its samples."""

    message = "the recording holds samples that are not finite (NaN or infinite)"


@dataclass(eq=False)
class TooManyFrames(InputError):
    """A sound with more frames, after they are pooled, than the limit."""

    frames: int
    limit: int
    message = "the sound has {frames} frames; the limit is {limit}"
