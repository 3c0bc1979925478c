"""The sounds that a reader brought: they live in the session, for no link can carry them."""

from dataclasses import dataclass, field

import numpy as np
from streamlit.runtime.uploaded_file_manager import UploadedFile

from core.errors import FileTooLarge, SoundTooLong
from core.limits import LIMITS
from core.sources.recording import decode
from views import link

BROUGHT = ("recording", "upload")


@dataclass(frozen=True, eq=False)
class Kept:
    """A sound as it was read. samples: (n,) float32, 16 000 a second.

    of: the file that it came from. lasts: the seconds of the whole file where it was cut; else 0.
    """

    of: str
    samples: np.ndarray
    lasts: float = 0.0


@dataclass
class Sounds:
    """by_way: the last sound that came each way, of BROUGHT."""

    by_way: dict[str, Kept] = field(default_factory=dict)


def kept(name: str) -> Kept | None:
    """The last sound that was brought this way and could be read."""
    return link.remembered(Sounds).by_way.get(name)


def keep_sound(name: str, file: UploadedFile) -> Kept:
    """Read a file once, and keep it. Of one that is too long the beginning is taken.

    Raises core.errors.InputError, and what was kept before stays.
    """
    before = kept(name)
    if before is not None and before.of == file.file_id:
        return before
    if file.size > LIMITS.file_bytes:
        raise FileTooLarge(file.size, LIMITS.file_bytes)
    found = _read(file.file_id, file.getvalue())
    link.remembered(Sounds).by_way[name] = found
    return found


def _read(name: str, data: bytes) -> Kept:
    try:
        return Kept(name, decode(data)[0])
    except SoundTooLong as error:
        return Kept(name, decode(data, seconds=LIMITS.seconds)[0], error.seconds)
