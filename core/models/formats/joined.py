"""Files that are the pieces of one, memory-mapped and read as one."""

import errno
import mmap
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import numpy as np

from core.errors import InputError

ADVICE = getattr(mmap, "MADV_DONTNEED", None)  # not on every system


class JoinedFile:
    """The bytes of one or more files, one behind the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Map all files.

        Raises empty_file, beyond_memory, and damaged_checkpoint for one that cannot be read.
        """
        self.name = paths[0].name
        self._maps = [_mapped(path) for path in paths]
        self._sizes = [len(piece) for piece in self._maps]
        self._starts = [0, *accumulate(self._sizes)]

    def __len__(self) -> int:
        """The number of bytes."""
        return self._starts[-1]

    def check(self) -> None:
        """Raises damaged_checkpoint if a file was truncated since it was opened."""
        if any(piece.size() < size for piece, size in zip(self._maps, self._sizes, strict=True)):
            raise InputError("damaged_checkpoint", file=self.name)

    def read(self, offset: int, length: int) -> np.ndarray:
        """Bytes from an offset on: (length,) uint8, read-only; a copy only across two files.

        Raises damaged_checkpoint beyond the end, and if a file was truncated since it was opened,
        since reading beyond its end would crash the process.
        """
        if not 0 <= offset <= offset + length <= len(self):
            raise InputError("damaged_checkpoint", file=self.name)
        self.check()
        parts, end = [], offset + length
        while offset < end:
            i = bisect_right(self._starts, offset) - 1
            until = min(end, self._starts[i + 1])
            parts.append(
                np.frombuffer(self._maps[i], np.uint8, until - offset, offset - self._starts[i])
            )
            offset = until
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else np.empty(0, np.uint8)

    def release(self, offset: int, length: int) -> None:
        """Let go of the memory of bytes that were copied; if read again, they are mapped again."""
        if ADVICE is None:
            return
        end = offset + length
        for piece, first in zip(self._maps, self._starts, strict=False):
            begin, until = max(offset - first, 0), min(end - first, len(piece))
            begin = -(-begin // mmap.PAGESIZE) * mmap.PAGESIZE  # whole pages of these bytes alone
            until = until // mmap.PAGESIZE * mmap.PAGESIZE
            if begin < until:
                piece.madvise(ADVICE, begin, until - begin)


def _mapped(path: Path) -> mmap.mmap:
    try:
        with path.open("rb") as file:
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except ValueError as failure:  # of no bytes
        raise InputError("empty_file", file=path.name) from failure
    except (OSError, MemoryError) as failure:
        if refused := beyond_memory(failure, path):
            raise refused from failure
        raise InputError("damaged_checkpoint", file=path.name) from failure


def beyond_memory(failure: Exception, path: Path) -> InputError | None:
    """The error for a file that could not be mapped; None for another failure.

    safetensors before 0.8 says it in the message alone.
    """
    is_it = isinstance(failure, MemoryError) or (
        isinstance(failure, OSError)
        and (failure.errno == errno.ENOMEM or f"(os error {errno.ENOMEM})" in str(failure))
    )
    return InputError("beyond_memory", file=path.name, size=path.stat().st_size) if is_it else None
