"""The map of characters that a SentencePiece model brings along, looked at before it is used.

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
    """How many characters one character can become.

    Every step through the trie stays inside it, and every leaf points to where a text begins.
    Raises ValueError for a map of which that cannot be said, or whose texts are no UTF-8.
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
    """The places of all leaves that a step can end at; ValueError where one leads out."""
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
    """Of each byte of UTF-8, whether a character has begun before it."""
    return (np.frombuffer(texts, np.uint8) & 0xC0) == 0x80
