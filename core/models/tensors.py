"""Tensors of safetensors files: memory-mapped, and copied only if they are not float32.

Format: https://github.com/huggingface/safetensors#format. The library checks the header before
any tensor is read.
"""

import errno
import json
import math
import mmap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from core.errors import InputError
from core.limits import HEADER_BYTES
from core.sources.file_type import HEAD, file_type

BLOCK_ROWS = 4096  # read at once
STORED = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "F64": "<f8"}  # bfloat16 by its bits


class Tensors:
    """The tensors of one file by name, read on demand."""

    def __init__(self, path: Path) -> None:
        """Read the header.

        Raises empty_file, wrong_file_type, damaged_checkpoint, checkpoint_file_too_large and
        beyond_memory.
        """
        try:
            with path.open("rb") as file:
                head = file.read(HEAD)
        except OSError as failure:
            raise InputError("damaged_checkpoint", file=path.name) from failure
        if not head:
            raise InputError("empty_file", file=path.name)
        # The length may be that of another type's signature; the header that follows is JSON.
        if head[8:9] != b"{" and (found := file_type(head)):
            raise found.refused("weights", path.name)
        length = int.from_bytes(head[:8], "little")
        if length > HEADER_BYTES:
            raise InputError(
                "checkpoint_file_too_large",
                file=f"{path.name} (header)",
                size=length,
                limit=HEADER_BYTES,
            )
        try:
            with safe_open(path, framework="np"):  # checks the header, and lets go of its own map
                pass
            with path.open("rb") as file:
                self._mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._header = json.loads(self._mapped[8 : 8 + length])
        except (SafetensorError, OSError, ValueError, MemoryError) as failure:
            if _is_out_of_memory(failure):
                raise InputError(
                    "beyond_memory", file=path.name, size=path.stat().st_size
                ) from failure
            raise InputError("damaged_checkpoint", file=path.name) from failure
        self._name, self._size = path.name, len(self._mapped)
        self._bytes = np.frombuffer(self._mapped, np.uint8, offset=8 + length)

    def __contains__(self, name: str) -> bool:
        """Whether there is a tensor of this name."""
        return name in self._header and name != "__metadata__"

    def check(self, name: str, shape: tuple[int, ...]) -> None:
        """Check a tensor's name, type and shape, without reading it.

        Raises missing_tensor, wrong_number_type and tensor_does_not_fit, and damaged_checkpoint if
        the file has been truncated meanwhile, since reading beyond its end would crash the process.
        """
        if self._mapped.size() < self._size:
            raise InputError("damaged_checkpoint", file=self._name)
        if name not in self:
            raise InputError("missing_tensor", name=name)
        entry = self._header[name]
        if entry["dtype"] not in STORED:
            raise InputError(
                "wrong_number_type", name=name, found=entry["dtype"], known=tuple(STORED)
            )
        if tuple(entry["shape"]) != shape:
            raise InputError(
                "tensor_does_not_fit",
                name=name,
                expected=_written(shape),
                found=_written(entry["shape"]),
            )

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """A tensor as float32, read-only, not copied if stored so. Raises what ``check`` raises."""
        self.check(name, shape)
        return self._read(name, 0, shape)

    def rows(self, name: str, shape: tuple[int, int], numbers: Sequence[int]) -> np.ndarray:
        """These rows of a matrix: (row, width) float32. Raises what ``check`` raises."""
        self.check(name, shape)
        return np.concatenate([self._read(name, row, (1, shape[1])) for row in numbers])

    def blocks(self, name: str, shape: tuple[int, int]) -> Iterator[np.ndarray]:
        """All rows of a matrix in order, some at once. Raises what ``check`` raises."""
        self.check(name, shape)
        for row in range(0, shape[0], BLOCK_ROWS):
            yield self._read(name, row, (min(BLOCK_ROWS, shape[0] - row), shape[1]))

    def _read(self, name: str, row: int, shape: tuple[int, ...]) -> np.ndarray:
        """A slice of a tensor, of this shape, from this row on."""
        entry = self._header[name]
        stored = np.dtype(STORED[entry["dtype"]])
        first = entry["data_offsets"][0] + row * math.prod(shape) * stored.itemsize
        buffer = self._bytes[first : first + math.prod(shape) * stored.itemsize]
        array = buffer.view(stored).reshape(shape)
        if entry["dtype"] == "BF16":
            return (array.astype(np.uint32) << 16).view(np.float32)
        with np.errstate(over="ignore"):  # infinite numbers are refused where they are used
            return array.astype(np.float32, copy=False)


class Shards:
    """The tensors of a sharded checkpoint."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        """Read all headers. files: by tensor name. Raises what ``Tensors`` raises."""
        opened = {path: Tensors(path) for path in dict.fromkeys(files.values())}
        self._of = {name: opened[path] for name, path in files.items()}

    def __contains__(self, name: str) -> bool:
        """Whether there is a tensor of this name."""
        return name in self._of

    def check(self, name: str, shape: tuple[int, ...]) -> None:
        """Like ``Tensors.check``."""
        self._file(name).check(name, shape)

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """Like ``Tensors.array``."""
        return self._file(name).array(name, shape)

    def rows(self, name: str, shape: tuple[int, int], numbers: Sequence[int]) -> np.ndarray:
        """Like ``Tensors.rows``."""
        return self._file(name).rows(name, shape, numbers)

    def blocks(self, name: str, shape: tuple[int, int]) -> Iterator[np.ndarray]:
        """Like ``Tensors.blocks``."""
        return self._file(name).blocks(name, shape)

    def _file(self, name: str) -> Tensors:
        if name not in self._of:
            raise InputError("missing_tensor", name=name)
        return self._of[name]


def _is_out_of_memory(failure: Exception) -> bool:
    """Whether a file could not be mapped; before 0.8 of safetensors by the message alone."""
    if isinstance(failure, MemoryError):
        return True
    return isinstance(failure, OSError) and (
        failure.errno == errno.ENOMEM or f"(os error {errno.ENOMEM})" in str(failure)
    )


def _written(shape: Sequence[int]) -> str:
    """A shape as text: 768 × 3072."""
    return " × ".join(map(str, shape)) or "1"
