"""Validation of the precompiled character map of a SentencePiece model.

Its bytes: how long a trie is (4 bytes, little-endian), the trie, as a double array of units of 32
bits ("An Efficient Digital Search Algorithm by Using a Double-Array Structure", Aoe, 1989), and the
texts that its leaves point to, each closed by a zero byte.
"""

import base64
import binascii

import numpy as np

UNIT = 4  # bytes
LEAF = np.uint32(1 << 31)


def growth_of(written: str) -> int:
    """The largest number of characters that one character can become.

    Checks that no step leaves the trie and that every leaf points to the start of a text.
    Raises ValueError for an invalid map, or texts that are not UTF-8.
    """
    try:
        held = base64.b64decode(written, validate=True)
    except binascii.Error as failure:
        raise ValueError("not in base 64") from failure
    size = int.from_bytes(held[:UNIT], "little")
    if len(held) < UNIT or size % UNIT or not 0 < size <= len(held) - UNIT:
        raise ValueError("the trie breaks off")
    texts = held[UNIT + size :]
    lengths = [len(text) for text in texts.decode("utf-8").split("\0")]
    if not texts.endswith(b"\0"):
        raise ValueError("the last text is not closed")
    units = np.frombuffer(held, "<u4", size // UNIT, UNIT)  # (place,)
    leaves = units[_leaves(units)] ^ LEAF
    if (leaves >= len(texts)).any() or _inside_a_character(texts)[leaves].any():
        raise ValueError("a leaf points to no text")
    return max(lengths)


def _leaves(units: np.ndarray) -> np.ndarray:
    """The indices of all reachable leaves. Raises ValueError for a step out of the trie."""
    if units[0] >= LEAF:
        raise ValueError("the trie has no root")
    steps = units[units < LEAF]
    places = np.flatnonzero(units < LEAF).astype(np.int64)
    offsets = (steps >> 10).astype(np.int64) << ((steps & 0x200) >> 6)
    behind = places ^ offsets  # and, for each byte that follows, behind ^ byte
    if ((behind | 0xFF) >= len(units)).any():
        raise ValueError("a step leads out of the trie")
    leaves = behind[(steps & 0x100) > 0]
    if (units[leaves] < LEAF).any():
        raise ValueError("a leaf holds no place of a text")
    return leaves


def _inside_a_character(texts: bytes) -> np.ndarray:
    """For each byte of UTF-8, whether it continues a character."""
    return (np.frombuffer(texts, np.uint8) & 0xC0) == 0x80
