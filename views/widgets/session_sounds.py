"""Recorded and uploaded sounds, kept in the session because no link can carry them."""

from dataclasses import dataclass, field

import numpy as np
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import InputError
from core.limits import LIMITS
from core.sources import apart, recording
from views import link

USER_SOURCES = ("recording", "upload")


@dataclass(frozen=True, eq=False)
class SessionSound:
    """A decoded sound. samples: (n,) float32 at 16 kHz.

    file_id: of the upload. lasts: the seconds of the whole file if it was cut, else 0.
    channels: of the file, of which the samples are the mean. cancelled: whether that is silent
    although the channels are not.
    """

    file_id: str
    samples: np.ndarray
    lasts: float = 0.0
    channels: int = 1
    cancelled: bool = False


@dataclass
class Sounds:
    """by_source: the last sound of each of ``USER_SOURCES``."""

    by_source: dict[str, SessionSound] = field(default_factory=dict)


def session_sound(name: str) -> SessionSound | None:
    """The last sound of a source that could be decoded; None if there is none."""
    return link.remembered(Sounds).by_source.get(name)


def read_sound(name: str, file: UploadedFile) -> SessionSound:
    """Decode a file once, and keep it in the session; a file that is too long is cut.

    Raises file_too_large, takes_too_much and what ``recording.read_sound`` raises, all
    core.errors.InputError; then the previous sound is kept.
    """
    before = session_sound(name)
    if before is not None and before.file_id == file.file_id:
        return before
    if file.size > LIMITS.file_bytes:
        raise InputError("file_too_large", size=file.size, limit=LIMITS.file_bytes)
    facts, samples = apart.read(recording.read_sound, file.getvalue())
    sound = SessionSound(file.file_id, samples, **facts)
    link.remembered(Sounds).by_source[name] = sound
    return sound
