"""Safetensors files. Format: https://github.com/huggingface/safetensors#format.

The library checks the header before any tensor is read.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from core.errors import InputError
from core.limits import HEADER_BYTES
from core.models.formats.entries import BF16, F16, F32, F64, Entry, EntryTensors
from core.models.formats.joined import JoinedFile, beyond_memory
from core.sources.file_type import HEAD, file_type

ENCODINGS = {one.name: one for one in (F32, F16, BF16, F64)}


class Tensors(EntryTensors):
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
        except (SafetensorError, OSError, MemoryError) as failure:
            if refused := beyond_memory(failure, path):
                raise refused from failure
            raise InputError("damaged_checkpoint", file=path.name) from failure
        mapped = JoinedFile([path])
        header = json.loads(mapped.read(8, length).tobytes())
        header.pop("__metadata__", None)
        self._types = {name: stated["dtype"] for name, stated in header.items()}
        super().__init__(
            mapped,
            {
                name: Entry(
                    ENCODINGS[stated["dtype"]],
                    tuple(stated["shape"]),
                    8 + length + stated["data_offsets"][0],
                )
                for name, stated in header.items()
                if stated["dtype"] in ENCODINGS
            },
        )

    def __contains__(self, name: str) -> bool:
        """Whether there is a tensor of this name."""
        return name in self._types

    def check(self, name: str, shape: tuple[int, ...]) -> None:
        """Check a tensor's name, type and shape, without reading it.

        Raises missing_tensor, wrong_number_type, tensor_does_not_fit and damaged_checkpoint.
        """
        found = self._types.get(name, F32.name)
        if found not in ENCODINGS:
            raise InputError("wrong_number_type", name=name, found=found, known=tuple(ENCODINGS))
        super().check(name, shape)


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
