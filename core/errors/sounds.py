"""Errors of recordings."""

from dataclasses import dataclass

from core.errors.base import InputError


@dataclass(eq=False)
class NotASound(InputError):
    """The bytes are not a recording in a supported format."""

    message = "the file is not a WAV, FLAC, OGG or MP3 recording"


@dataclass(eq=False)
class DamagedSound(InputError):
    """The recording is damaged."""

    message = "the recording is damaged or incomplete"


@dataclass(eq=False)
class SoundBreaksOff(InputError):
    """A recording is shorter than its header says. promised, found: in seconds."""

    promised: float
    found: float
    message = "the recording breaks off after {found} s; its header promises {promised} s"


@dataclass(eq=False)
class EmptySound(InputError):
    """A recording without a single sample."""

    message = "the recording holds no sample"


@dataclass(eq=False)
class TooManySamples(InputError):
    """A sound whose channels have more samples together than may be decoded."""

    samples: int
    limit: int
    message = "the channels have {samples} samples together; the limit is {limit}"


@dataclass(eq=False)
class SoundTooLong(InputError):
    """More seconds than the limit, by the header."""

    seconds: float
    limit: float
    message = "the recording lasts {seconds} s; the limit is {limit} s"


@dataclass(eq=False)
class UndefinedSamples(InputError):
    """A recording with NaN or infinities among its samples."""

    message = "the recording holds samples that are not finite (NaN or infinite)"


@dataclass(eq=False)
class TooManyFrames(InputError):
    """More frames, after pooling, than the limit."""

    frames: int
    limit: int
    message = "the sound has {frames} frames; the limit is {limit}"
