"""One blob of bytes: a JSON header, then the arrays that it describes."""

import json
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

ALIGNED = 8


def packed(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """A checksum of all that follows (uint32), the header's length (uint32), the header in UTF-8
    and the arrays, all little-endian.

    The header gains ``arrays``: for each its ``type`` (NumPy's, such as ``f4``), ``shape``, and
    where it ``begins``, in bytes after the header. Each part begins at a multiple of 8.
    """
    described: dict[str, dict[str, Any]] = {}
    pieces: list[bytes] = []
    begins = 0
    for name, array in arrays.items():
        piece = np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        described[name] = {"type": kind, "shape": array.shape, "begins": begins}
        pieces.append(_filled(piece))
        begins += len(pieces[-1])
    return b"".join([head_of({**header, "arrays": described}, pieces), *pieces])


def head_of(header: Mapping[str, Any], pieces: Sequence[bytes]) -> bytes:
    """What stands before the arrays: the checksum, the header's length and the header."""
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":"))
    head = text.encode()
    head += b" " * (-len(head) % ALIGNED)
    head = len(head).to_bytes(4, "little") + head
    found = zlib.crc32(head)
    for piece in pieces:
        found = zlib.crc32(piece, found)
    return found.to_bytes(4, "little") + head


def parts(packed: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The header of a blob, and the bytes of each array with what fills them up."""
    start = 8 + int.from_bytes(packed[4:8], "little")
    header = json.loads(packed[8:start])
    begins = [start + array["begins"] for array in header["arrays"].values()]
    return header, [packed[a:b] for a, b in pairwise([*begins, len(packed)])]


def headed(header: Mapping[str, Any], scene: bytes) -> bytes:
    """A header that the page adds to a scene, as JSON behind its length (uint64, little-endian).

    The scene begins at a multiple of 8.
    """
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNED)
    return len(text).to_bytes(8, "little") + text + scene


def checksum(packed: bytes) -> int:
    """The checksum that a blob begins with; it names the blob."""
    return int.from_bytes(packed[:4], "little")


def _filled(piece: bytes) -> bytes:
    return piece + bytes(-len(piece) % ALIGNED)
