"""Tensors by name in a file of any format: decoded when they are read, and then cached.

All models of the process share one cache of decoded tensors, of ``LIMITS.decoded_bytes``.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from cachetools import LRUCache

from core.errors import InputError
from core.limits import LIMITS
from core.models.formats.joined import JoinedFile

Decode = Callable[[np.ndarray], np.ndarray]  # bytes of whole rows, (n,) uint8 -> (m,) float32
BLOCK_ROWS = 4096  # decoded at once
CACHED_SHARE = 4  # of the cache, at most, for one tensor; a larger one is decoded in blocks

_decoded: LRUCache[tuple[object, str], np.ndarray] = LRUCache(
    LIMITS.decoded_bytes, getsizeof=lambda array: array.nbytes
)
_lock = Lock()


@dataclass(frozen=True)
class Encoding:
    """How numbers are stored: in blocks of ``numbers`` that take ``size`` bytes each.

    name: F16, Q4_1, …
    """

    name: str
    numbers: int
    size: int
    decode: Decode

    @property
    def bits(self) -> int:
        """Bits per number, as the name has them: without the scales that a block shares."""
        found = re.search(r"\d+", self.name)
        assert found
        return int(found[0])


@dataclass(frozen=True, eq=False)
class Entry:
    """A tensor in a file.

    shape: as ``transformers`` has it. offset: of its first byte. transposed: whether the file has
    the transposed matrix. order: the row of the file for each row, if they differ: (row,).
    behind: where the rest of the tensor is, if it is not in one piece; of the same encoding.
    """

    encoding: Encoding
    shape: tuple[int, ...]
    offset: int
    transposed: bool = False
    order: np.ndarray | None = None
    behind: "Entry | None" = None


class EntryTensors:
    """The tensors of a file by the names of ``transformers``; see ``core.models.tensors``."""

    def __init__(self, file: JoinedFile, entries: Mapping[str, Entry]) -> None:
        """file: that the entries are in. Raises damaged_checkpoint if one lies outside."""
        self._file, self._entries, self._key = file, entries, object()
        for entry in entries.values():
            rest = 0 if entry.behind is None else math.prod(entry.behind.shape)
            if entry.offset + _size(entry, math.prod(entry.shape) - rest) > len(file):
                raise InputError("damaged_checkpoint", file=file.name)

    def __contains__(self, name: str) -> bool:
        """Whether there is a tensor of this name."""
        return name in self._entries

    def check(self, name: str, shape: tuple[int, ...]) -> None:
        """Check a tensor's name and shape, and that its file was not truncated meanwhile.

        Raises missing_tensor, tensor_does_not_fit and damaged_checkpoint.
        """
        self._file.check()
        if name not in self._entries:
            raise InputError("missing_tensor", name=name)
        found = self._entries[name].shape
        if found != shape:
            written = (" × ".join(map(str, one)) or "1" for one in (shape, found))
            raise InputError(
                "tensor_does_not_fit", name=name, expected=next(written), found=next(written)
            )

    def encoding(self, name: str) -> Encoding:
        """How a tensor is stored."""
        return self._entries[name].encoding

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """A tensor, float32, read-only. Raises what ``check`` raises, and damaged_checkpoint."""
        self.check(name, shape)
        key = (self._key, name)
        with _lock:
            found = _decoded.get(key)
        if found is None:
            found = self._array(self._entries[name], shape)
            if self._entries[name].encoding != F32 and _is_cached(shape):
                with _lock:
                    _decoded[key] = found
        return found

    def _array(self, entry: Entry, shape: tuple[int, ...]) -> np.ndarray:
        stored = shape[::-1] if entry.transposed else shape
        rest = 0 if entry.behind is None else math.prod(entry.behind.shape)
        decoded = self._decoded(entry, 0, math.prod(stored) - rest)
        if entry.behind is not None:
            decoded = np.concatenate([decoded, self._decoded(entry.behind, 0, rest)])
        decoded = decoded.reshape(stored)
        if entry.order is not None:
            decoded = decoded[entry.order]
        decoded.flags.writeable = False
        return decoded.T if entry.transposed else decoded

    def rows(self, name: str, shape: tuple[int, int], numbers: Sequence[int]) -> np.ndarray:
        """These rows of a matrix: (row, width) float32. Raises what ``array`` raises."""
        self.check(name, shape)
        entry = self._entries[name]
        assert not entry.transposed and entry.order is None
        decoded = [self._decoded(entry, row * shape[1], shape[1]) for row in numbers]
        return np.array(decoded, np.float32).reshape(len(numbers), shape[1])

    def blocks(self, name: str, shape: tuple[int, int]) -> Iterator[np.ndarray]:
        """All rows of a matrix in order, in blocks: a large one is never in memory whole."""
        self.check(name, shape)
        entry = self._entries[name]
        assert not entry.transposed and entry.order is None
        if _is_cached(shape):
            yield self.array(name, shape)
            return
        for row in range(0, shape[0], BLOCK_ROWS):
            count = min(BLOCK_ROWS, shape[0] - row)
            yield self._decoded(entry, row * shape[1], count * shape[1]).reshape(count, shape[1])

    def _decoded(self, entry: Entry, first: int, count: int) -> np.ndarray:
        """Numbers of an entry, from one that begins a block on: (count,) float32."""
        offset, size = entry.offset + _size(entry, first), _size(entry, count)
        stored = self._file.read(offset, size)
        decoded = entry.encoding.decode(stored)
        if not np.may_share_memory(decoded, stored):
            self._file.release(offset, size)
        return decoded


def _is_cached(shape: tuple[int, ...]) -> bool:
    return F32.size * math.prod(shape) * CACHED_SHARE <= LIMITS.decoded_bytes


def _size(entry: Entry, count: int) -> int:
    """The bytes of so many numbers, which are whole blocks."""
    return count // entry.encoding.numbers * entry.encoding.size


def plain(name: str, dtype: str) -> Encoding:
    """Numbers of a NumPy type as they are."""
    stored = np.dtype(dtype)

    def decode(given: np.ndarray) -> np.ndarray:
        with np.errstate(over="ignore"):  # what becomes infinite is refused where it is used
            return given.view(stored).astype(np.float32, copy=False)

    return Encoding(name, 1, stored.itemsize, decode)


def _bfloat16(given: np.ndarray) -> np.ndarray:
    return (given.view("<u2").astype(np.uint32) << 16).view(np.float32)


F32, F16, F64 = plain("F32", "<f4"), plain("F16", "<f2"), plain("F64", "<f8")
BF16 = Encoding("BF16", 1, 2, _bfloat16)
