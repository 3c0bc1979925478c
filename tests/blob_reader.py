"""Decodes a blob by the specification in ``views.scene.blob``, independently of its code."""

import json
import struct
from typing import Any, NoReturn

import numpy as np

TYPES = {"f2": "<f2", "f4": "<f4", "f8": "<f8", "i4": "<i4", "u1": "u1"}  # a browser's typed arrays


def unpacked(blob: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The header and the arrays. Raises ValueError for what ``JSON.parse`` would not read."""
    header, arrays, begins = header_of(blob), {}, 8 + struct.unpack_from("<II", blob)[1]
    for name, entry in header["arrays"].items():
        size = int(np.prod(entry["shape"], dtype=int))
        found = np.frombuffer(blob, TYPES[entry["type"]], size, begins + entry["begins"])
        arrays[name] = found.reshape(entry["shape"])
    return header, arrays


def header_of(blob: bytes) -> Any:
    """The header alone, with which a scene can be read whose weights are elsewhere."""
    _, length = struct.unpack_from("<II", blob)
    return json.loads(blob[8 : 8 + length].decode("utf-8"), parse_constant=_no_json)


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")
