"""What of a picture file its pixels are made of, and what decoding them takes.

A decoder looks at every segment, chunk and block of a file in turn and keeps them all: very many of
them, or a few that unpack to much, would take minutes or gigabytes. So comments, profiles,
thumbnails, later frames and whatever else no pixel needs are left out before it begins. What is
damaged stays damaged, for the decoder to say.
"""

from dataclasses import dataclass

from core.errors import TooManyParts
from core.limits import Limits


@dataclass(frozen=True)
class Essentials:
    """A picture file of its first picture, and of what says which way up that is.

    scanned: how many pixels a decoder goes over, each as often as it does; 0 for all of them once.
    besides: the bytes that it holds besides the pixels.
    """

    data: bytes
    scanned: int = 0
    besides: int = 0


class Once:
    """Parts of which the first is kept, if it is no larger than the limit."""

    def __init__(self, limits: Limits) -> None:
        """Nothing was met yet."""
        self._met: set[bytes] = set()
        self._most = limits.metadata_bytes

    def keeps(self, kind: bytes, size: int) -> bool:
        """Whether to keep this one."""
        new = kind not in self._met
        self._met.add(kind)
        return new and size <= self._most


def check_count(parts: int, limits: Limits) -> None:
    """Raise TooManyParts where a file has more parts than the limit."""
    if parts > limits.parts:
        raise TooManyParts(limits.parts)
