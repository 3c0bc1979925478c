"""The bytes in a saved page or a page of the gallery, decoded independently of its own code."""

import re
import zlib

import numpy as np

LETTERS = np.array([code for code in range(32, 127) if chr(code) not in " <&\\"])
_PIECE = re.compile(
    r'type="application/octet-stream" id="(.*?)" data-width="(\d)" data-size="(\d+)">(.*?)</script>'
)


def saved_pieces(page: str) -> dict[str, bytes]:
    """The pieces of a page, by name."""
    return {
        name: _joined(zlib.decompress(_bytes(text, int(size))), int(width))
        for name, width, size, text in _PIECE.findall(page)
    }


def _bytes(text: str, size: int) -> bytes:
    """13 bits of two letters."""
    values = np.searchsorted(LETTERS, np.frombuffer(text.encode(), np.uint8)).reshape(-1, 2)
    pairs = values[:, 0] * len(LETTERS) + values[:, 1]
    bits = pairs[:, np.newaxis] // 2 ** np.arange(12, -1, -1) % 2
    return np.packbits(bits.ravel()[: 8 * size].astype(np.uint8)).tobytes()


def _joined(apart: bytes, width: int) -> bytes:
    return np.frombuffer(apart, np.uint8).reshape(width, -1).T.tobytes()
