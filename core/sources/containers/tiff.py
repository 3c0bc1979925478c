"""TIFF: a directory of tags, each with a kind, a count and values that lie anywhere in the file.

Source: Adobe, "TIFF Revision 6.0" (1992), section 2, and "BigTIFF Design" of libtiff.
"""

from collections.abc import Mapping
from itertools import zip_longest
from math import ceil

import numpy as np

from core.errors import InputError
from core.limits import Limits
from core.sources.containers.essentials import Essentials, Further, check_count

WIDTH, HEIGHT, BITS, COMPRESSION, SAMPLES, ROWS = 256, 257, 258, 259, 277, 278
ORIENTATION = 274
SUBFILE, REDUCED = 254, 1  # what a directory holds, and the bit of a smaller copy
STRIPS, STRIP_BYTES, TILE_WIDTH, TILE_HEIGHT, TILES, TILE_BYTES = 273, 279, 322, 323, 324, 325
# These and how the values are coded, what colours they stand for, and which way is up.
NEEDED = [
    WIDTH, HEIGHT, BITS, COMPRESSION, 262, 266, STRIPS, ORIENTATION, SAMPLES, ROWS, STRIP_BYTES,
    284, 292, 293, 317, 320, TILE_WIDTH, TILE_HEIGHT, TILES, TILE_BYTES, 332, 338, 339, 347,
    *range(512, 522), 529, 530, 531, 532,
]  # fmt: skip
# Of whole numbers, as NumPy writes them; a decoder takes those with a sign as well.
KINDS = {1: "u1", 3: "u2", 4: "u4", 6: "i1", 8: "i2", 9: "i4", 16: "u8", 17: "i8"}
UNCOMPRESSED, OLD_JPEG, JPEG = 1, 6, 7
WINDOWED = (34925, 50000)  # LZMA and Zstandard, which keep what they unpacked to copy from it
SCAN = b"\xff\xda"
PIXEL = 4  # bytes, of a picture that is turned while it stands in memory


def tiff(data: bytes, limits: Limits) -> Essentials:
    """The TIFF file with a new directory at its end, of the first picture only.

    Raises too_many_parts and overlapping_parts.
    """
    order = {b"II": "<", b"MM": ">"}[data[:2]]
    big = data[2:4] == np.array(43, f"{order}u2").tobytes()
    place, number = (8, f"{order}u8") if big else (4, f"{order}u4")
    counts = number if big else f"{order}u2"
    entry = np.dtype(
        [("tag", f"{order}u2"), ("kind", f"{order}u2"), ("count", number), ("value", number)]
    )
    try:
        first = int(np.frombuffer(data, number, 1, place)[0])
        entries = _entries(data, first, counts, entry)
    except (ValueError, OverflowError):  # the file ends before
        return Essentials(data)
    check_count(len(entries), limits)
    behind = first + np.dtype(counts).itemsize + entries.nbytes
    further: Further = "pages" if _is_page(data, behind, counts, entry, order) else ""
    entries = entries[np.isin(entries["tag"], NEEDED)]
    for one in entries:
        if int(one["value"]) + int(one["count"]) <= len(data):
            check_count(int(one["count"]), limits)
    tags = {int(one["tag"]): _numbers(data, one, order) for one in entries[::-1]}
    directory = np.array([len(entries)], counts).tobytes() + entries.tobytes()
    end = len(data) + len(data) % 2
    parts = [
        data[:place], np.array([end], number).tobytes(), data[place + entry["value"].itemsize :],
        bytes(len(data) % 2), directory, np.array([0], number).tobytes(),
    ]  # fmt: skip
    return Essentials(b"".join(parts), *_work(data, tags, limits), further)


def _entries(data: bytes, at: int, counts: str, entry: np.dtype) -> np.ndarray:
    """The entries of a directory. Raises ValueError and OverflowError if the file ends before."""
    count = int(np.frombuffer(data, counts, 1, at)[0])
    return np.frombuffer(data, entry, count, at + np.dtype(counts).itemsize)


def _is_page(data: bytes, at: int, counts: str, entry: np.dtype, order: str) -> bool:
    """Whether the place of a directory of another page, not of a smaller copy, stands here."""
    try:
        place = int(np.frombuffer(data, entry["value"], 1, at)[0])
        entries = _entries(data, place, counts, entry) if place else ()
    except (ValueError, OverflowError):
        return False
    stated = [_numbers(data, one, order) for one in entries if one["tag"] == SUBFILE]
    return bool(len(entries)) and not any(kind[0] & REDUCED for kind in stated if len(kind))


def _numbers(data: bytes, entry: np.void, order: str) -> np.ndarray:
    """The values of a tag; empty if they are not integers or lie beyond the file."""
    kind, count = KINDS.get(int(entry["kind"])), int(entry["count"])
    if kind is None:
        return np.empty(0, np.int64)
    held = entry["value"].tobytes()
    if count * np.dtype(kind).itemsize <= len(held):
        return np.frombuffer(held, order + kind, count).astype(np.int64)
    try:
        found = np.frombuffer(data, order + kind, count, int(entry["value"]))
    except (ValueError, OverflowError):
        return np.empty(0, np.int64)
    return found.astype(np.int64)


def _work(data: bytes, tags: Mapping[int, np.ndarray], limits: Limits) -> tuple[int, int]:
    """Pixels in all scans of an embedded JPEG, and bytes of decoding besides the pixels."""

    def first(tag: int, default: int) -> int:
        found = tags.get(tag)
        return int(found[0]) if found is not None and len(found) else default

    width, height, coded = first(WIDTH, 0), first(HEIGHT, 0), first(COMPRESSION, UNCOMPRESSED)
    tiled = TILE_WIDTH in tags or TILE_HEIGHT in tags
    across, down = (
        (first(TILE_WIDTH, width), first(TILE_HEIGHT, height))
        if tiled
        else (width, min(first(ROWS, height), height))
    )
    strip = across * down * first(SAMPLES, 1) * ceil(first(BITS, 1) / 8)
    held = 0 if coded == UNCOMPRESSED else strip * (2 if coded in WINDOWED else 1)
    if first(ORIENTATION, 1) != 1:
        held += width * height * PIXEL
    if coded == UNCOMPRESSED:
        return 0, held
    parts = _parts(tags, len(data))
    read = sum(end - begin for begin, end in parts)
    if read > limits.file_bytes:
        raise InputError("overlapping_parts", read=read, limit=limits.file_bytes)
    if coded == OLD_JPEG:
        return data.count(SCAN) * width * height, held
    scans = sum(data.count(SCAN, begin, end) for begin, end in parts) if coded == JPEG else 0
    return scans * across * down, held


def _parts(tags: Mapping[int, np.ndarray], length: int) -> list[tuple[int, int]]:
    """Start and end of each strip or tile in the file; they may overlap."""
    parts = []
    for places, sizes in ((STRIPS, STRIP_BYTES), (TILES, TILE_BYTES)):
        both = (tags[tag].tolist() if tag in tags else () for tag in (places, sizes))
        for begin, size in zip_longest(*both, fillvalue=0):
            parts.append((begin, max(begin, min(begin + size, length))))
    return parts
