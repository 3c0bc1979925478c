"""Bytes and JSON in an HTML file: compressed pieces, each once, which ``pieces.js`` reads."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from zlib import Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FULL_FLUSH, compressobj

import numpy as np

WIDTHS = (1, 2, 4, 8)  # bytes of a number: bytes of equal weight compress better side by side
# The letters in which bytes are written: 13 bits in two of them. None ends a script element.
LETTERS = "".join(map(chr, range(ord(" "), ord("~") + 1))).translate(
    {ord(c): None for c in " <&\\"}
)
_BYTES = '<script type="application/octet-stream"'
APART = 2_000  # letters from which a value is a piece of its own, shared by scenes and languages
NAMED_APART = "piece of the page: "  # before the name of a string that is apart, as in mounted.js


@dataclass
class Pieces:
    """Byte strings, each under one name; equal ones are stored once."""

    names: dict[bytes, str] = field(default_factory=dict)

    def name(self, piece: bytes) -> str:
        """The name of a piece; a new piece is added."""
        return self.names.setdefault(piece, f"piece-{len(self.names)}")

    def component(self, name: str, data: Iterable[bytes], kind: str, style: str) -> str:
        """The element of a component of the app. kind: of its data, ``json`` or ``bytes``."""
        parts = " ".join(map(self.name, data))
        return (
            f'<div data-component="{name}" data-pieces="{parts}" data-kind="{kind}" '
            f'data-style="{self.name(style.encode())}"></div>'
        )

    def packed(self, data: Any) -> bytes:
        """JSON of a component or chart, without long strings, the same in every language."""

        def apart(value: Any) -> Any:
            if isinstance(value, dict):
                return {name: apart(one) for name, one in value.items()}
            if isinstance(value, list | tuple):
                return [apart(one) for one in value]
            if isinstance(value, str) and len(value) > APART:
                return f"{NAMED_APART}{self.name(value.encode())}"
            return value

        return json.dumps(apart(data), ensure_ascii=False, separators=(",", ":")).encode()


def data_scripts(pieces: Pieces, payload: Mapping[str, Any] | None = None) -> str:
    """The script elements that hold data: the payload, if there is one, and each of the pieces."""
    script = f'<script type="application/json" id="contents">{_data(payload)}</script>\n'
    samples = {_waveform(piece): name for piece, name in pieces.names.items() if len(piece) > 1}
    return (script if payload else "") + "\n".join(
        f'{_BYTES} id="{name}" data-samples="{samples[piece]}"></script>'
        if piece in samples
        else _piece_script(name, piece)
        for piece, name in pieces.names.items()
    )


def _waveform(piece: bytes) -> bytes:
    """The samples of a sound in float32 from −1 to 1, which may be given as 16-bit integers."""
    return (np.frombuffer(piece[: len(piece) // 2 * 2], "<i2") / np.float32(2**15)).tobytes()


def _data(payload: Mapping[str, Any] | None) -> str:
    """JSON that cannot close the script element around it."""
    return json.dumps(payload, ensure_ascii=False).replace("<", "\\u003c")


def _piece_script(name: str, piece: bytes) -> str:
    """A compressed piece; with the bytes of its numbers transposed if that is smaller.

    ``data-width`` is the number of bytes of a number if they are transposed, else 1.
    """
    forms = {
        width: _deflated(np.frombuffer(piece, np.uint8).reshape(-1, width).T)
        for width in WIDTHS
        if len(piece) % width == 0
    }
    width = min(forms, key=lambda width: len(forms[width]))
    return (
        f'{_BYTES} id="{name}" data-width="{width}" '
        f'data-size="{len(forms[width])}">{in_letters(forms[width])}</script>'
    )


def _deflated(rows: np.ndarray) -> bytes:
    """Rows of bytes, deflated; each is flushed, so that it gets Huffman codes of its own."""
    stream = compressobj(9, strategy=Z_FILTERED if len(rows) > 1 else Z_DEFAULT_STRATEGY)
    parts = [stream.compress(row.tobytes()) + stream.flush(Z_FULL_FLUSH) for row in rows]
    return b"".join([*parts, stream.flush()])


def in_letters(data: bytes) -> str:
    """Bytes as text: 13 bits, the last filled up with zeros, are two letters; in base64, 12.

    ``pieces.js`` reads it.
    """
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    words = np.pad(bits, (0, -bits.size % 13)).reshape(-1, 13)
    pairs = np.stack(np.divmod(words @ (1 << np.arange(12, -1, -1)), len(LETTERS)), axis=1)
    return np.frombuffer(LETTERS.encode(), np.uint8)[pairs].tobytes().decode()
