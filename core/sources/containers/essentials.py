"""The parts of a picture file that are needed to decode it, and the cost of decoding.

A decoder reads every segment, chunk and block of a file: very many of them, or a few that expand
greatly, would take minutes or gigabytes. So comments, profiles, thumbnails, later frames and other
parts without pixels are removed first. Damaged files are left to the decoder.
"""

from dataclasses import dataclass
from typing import Literal

from core.errors import InputError
from core.limits import Limits

Further = Literal["", "frames", "pages"]


@dataclass(frozen=True)
class Essentials:
    """A picture file reduced to its first picture and its orientation.

    scanned: pixels in all scans; 0 for one scan. besides: bytes that decoding takes besides pixels.
    further: what the file has besides its first picture.
    """

    data: bytes
    scanned: int = 0
    besides: int = 0
    further: Further = ""


class Once:
    """A filter that keeps the first part of each kind, if it is within the limit."""

    def __init__(self, limits: Limits) -> None:
        """No kind has occurred yet."""
        self._met: set[bytes] = set()
        self._most = limits.metadata_bytes

    def keeps(self, kind: bytes, size: int) -> bool:
        """Whether to keep a part of this kind and size."""
        new = kind not in self._met
        self._met.add(kind)
        return new and size <= self._most


def check_count(parts: int, limits: Limits) -> None:
    """Raises too_many_parts if a file has more parts than the limit."""
    if parts > limits.parts:
        raise InputError("too_many_parts", limit=limits.parts)
