"""The binary format of a scene: a JSON header, followed by the arrays that it describes."""

import json
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

ALIGNED = 8


def pack(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """A CRC-32 of what follows (uint32), the header's length (uint32), the header in UTF-8 and the
    arrays, all little-endian.

    ``arrays`` is added in front of the header: for each array its ``type`` (NumPy's, such as
    ``f4``), ``shape`` and ``begins``, its offset in bytes after the header. Parts are aligned to 8
    bytes.
    """
    descriptions: dict[str, dict[str, Any]] = {}
    pieces: list[bytes] = []
    begins = 0
    for name, array in arrays.items():
        descriptions[name] = described(array) | {"begins": begins}
        piece = bytes_of(array)
        pieces.append(piece + bytes(-len(piece) % ALIGNED))
        begins += len(pieces[-1])
    return b"".join([header_bytes({"arrays": descriptions, **header}, pieces), *pieces])


def described(array: np.ndarray) -> dict[str, Any]:
    """The type of an array's numbers, NumPy's such as ``f4``, and its shape."""
    return {"type": f"{array.dtype.kind}{array.dtype.itemsize}", "shape": array.shape}


def bytes_of(array: np.ndarray) -> bytes:
    """Its numbers one after the other, little-endian."""
    return np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes()


def header_bytes(header: Mapping[str, Any], pieces: Sequence[bytes]) -> bytes:
    """The bytes before the arrays: the checksum, the header's length and the header."""
    head = _json(header).encode()
    head += b" " * (-len(head) % ALIGNED)
    head = len(head).to_bytes(4, "little") + head
    checksum = zlib.crc32(head)
    for piece in pieces:
        checksum = zlib.crc32(piece, checksum)
    return checksum.to_bytes(4, "little") + head


def header_parts(header: Mapping[str, Any], pieces: Sequence[bytes], least: int) -> list[bytes]:
    """``header_bytes`` in parts: each value of ``least`` letters or more by itself.

    Scenes and languages have many of them in common.
    """
    written = header_bytes(header, pieces)
    parts, short = [], written[:8]
    for text in _values(header, least):
        if len(text) < least:
            short += text.encode()
        else:
            parts += [short, text.encode()]
            short = b""
    return [*parts, short + b" " * (len(written) - sum(map(len, parts)) - len(short))]


def _values(value: Any, least: int) -> Iterator[str]:
    """The JSON of a value, that of a mapping value by value."""
    text = _json(value)
    if not isinstance(value, dict) or len(text) < least:
        yield text
        return
    before = "{"
    for name, inner in value.items():
        yield f"{before}{_json(name)}:"
        yield from _values(inner, least)
        before = ","
    yield "}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def unpack(blob: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """The header of a blob, and the bytes of each array including its padding."""
    header, *arrays = parts(blob)
    return json.loads(header[8:]), arrays


def parts(blob: bytes) -> list[bytes]:
    """The bytes of a blob's header, and of each array including its padding."""
    return [blob[begin:end] for begin, end in pairwise([0, *_begins(blob).values(), len(blob)])]


def cut(blob: bytes, names: Collection[str]) -> tuple[list[tuple[int, int]], list[bytes]]:
    """Where the arrays of these names are in a blob, and what of it is around them.

    In bytes: begin and size of each piece; neighbours are one.
    """
    begins = _begins(blob)
    found: list[tuple[int, int]] = []
    for (name, begin), end in zip(begins.items(), [*begins.values(), len(blob)][1:], strict=True):
        if name in names and found and sum(found[-1]) == begin:
            found[-1] = (found[-1][0], end - found[-1][0])
        elif name in names:
            found.append((begin, end - begin))
    ends = [0, *(edge for begin, size in found for edge in (begin, begin + size)), len(blob)]
    return found, [blob[begin:end] for begin, end in zip(ends[::2], ends[1::2], strict=True)]


def _begins(blob: bytes) -> dict[str, int]:
    """Where each array begins in a blob, by name: all else in the header need not be read."""
    start = 8 + int.from_bytes(blob[4:8], "little")
    arrays, _ = json.JSONDecoder().raw_decode(blob[8:start].decode(), len('{"arrays":'))
    return {name: start + array["begins"] for name, array in arrays.items()}


def prepend_header(header: Mapping[str, Any], scene: bytes) -> bytes:
    """A scene preceded by the page's own header: its length (uint64, little-endian), then JSON.

    The scene is aligned to 8 bytes.
    """
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNED)
    return len(text).to_bytes(8, "little") + text + scene


def split_header(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the scene that ``prepend_header`` joined."""
    begins = 8 + int.from_bytes(data[:8], "little")
    return json.loads(data[8:begins]), data[begins:]


def checksum(blob: bytes) -> int:
    """The CRC-32 at the beginning of a blob, by which the browser identifies it."""
    return int.from_bytes(blob[:4], "little")
