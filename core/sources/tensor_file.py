"""Files with attention that another program computed: .npz and .safetensors."""

import json
import struct
import zlib
from io import BytesIO
from math import prod
from typing import Any
from zipfile import BadZipFile

import numpy as np
from safetensors import SafetensorError, deserialize

from core import nested
from core.errors import InputError, out_of_range
from core.given_tensors import LAYER, trace_of
from core.limits import COUNTED, LIMITS
from core.sources.file_type import ZIP, file_type
from core.trace import Trace

NUMBERS = ("weights", "Q", "K", "V", "mask", "W_O")
NAMES = ("tokens", "key_tokens")
NOT_WEIGHTS = 1e-3  # from which on weights are not those of the same file's Q and K
SHOWN = 12  # names of a file's tensors that an error quotes
_TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "BOOL": "?", "I64": "<i8",
    "I32": "<i4", "U8": "u1",
}  # fmt: skip
_DAMAGES = (
    ValueError, OSError, EOFError, RuntimeError, KeyError, BadZipFile, SafetensorError,
    struct.error, zlib.error,
)  # fmt: skip


def read_tensors(data: bytes) -> tuple[dict[str, Any], np.ndarray]:
    """The tensors of a file, in a row, (n,) float32, with their names and shapes as facts.

    Of all in it those named weights, or Q, K and V; mask, W_O, and tokens and key_tokens, lists of
    names (of safetensors as JSON in its metadata). Nothing is unpickled.

    Raises empty_file, wrong_file_type, damaged_tensors, no_tensors and trace_too_large.
    """
    if not data:
        raise InputError("empty_file", file="")
    is_npz = data.startswith(ZIP) and (known := file_type(data)) and known.name == "NPZ"
    if not is_npz and data[8:9] != b"{":
        found = file_type(data)
        raise found.refused("tensors") if found else InputError("damaged_tensors")
    try:
        arrays, names = _npz(data) if is_npz else _safetensors(data)
        labels = {side: _labels(names[side]) for side in NAMES if side in names}
    except _DAMAGES as failure:
        raise InputError("damaged_tensors") from failure
    if "weights" not in arrays and not {"Q", "K", "V"} <= arrays.keys():
        raise InputError("no_tensors", names=tuple(names)[:SHOWN])
    _check_size(arrays)
    with np.errstate(over="ignore"):  # trace_of names what is not finite
        rows = [array.astype(np.float32).ravel() for array in arrays.values()]
    shapes = [(name, array.shape, array.dtype == bool) for name, array in arrays.items()]
    return {"shapes": shapes, "labels": labels}, np.concatenate(rows)


def _npz(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """The arrays by name, and what stands under each name beside them."""
    with np.load(BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in NUMBERS if name in file}
        return arrays, {name: file[name].tolist() if name in NAMES else None for name in file.files}


def _safetensors(data: bytes) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    arrays, stored = {}, dict(deserialize(data))  # type: ignore[no-untyped-call]
    for name in NUMBERS:
        if name in stored:
            kind = stored[name]["dtype"]
            array = np.frombuffer(stored[name]["data"], _TYPES[kind])
            if kind == "BF16":
                array = (array.astype(np.uint32) << 16).view(np.float32)
            arrays[name] = array.reshape(stored[name]["shape"])
    about = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")]).get("__metadata__", {})
    labels = {name: json.loads(about[name]) for name in NAMES if name in about}
    return arrays, dict.fromkeys(stored) | labels


def _labels(names: Any) -> list[Any]:
    """A list of names, or one for each sample, as texts. Raises ValueError for anything else."""
    if not isinstance(names, list) or len({isinstance(one, list) for one in names}) > 1:
        raise ValueError("no list of names")
    return [[*map(str, one)] if isinstance(one, list) else str(one) for one in names]


def _check_size(arrays: dict[str, np.ndarray]) -> None:
    """Raises out_of_range and trace_too_large; four steps of Q and K are as large as weights."""
    for name, array in arrays.items():
        many = max(array.shape[:-2], default=0)  # layers, samples or heads
        if name in ("weights", "Q", "K", "V") and many > COUNTED["heads"]:
            raise out_of_range(name, many, f"≤ {COUNTED['heads']}")
    needed = sum(4 * array.size for array in arrays.values())
    if {"Q", "K"} <= arrays.keys():
        needed += 16 * prod(arrays["Q"].shape[:-1]) * prod(arrays["K"].shape[-2:-1])
    if needed > LIMITS.cached_bytes:
        raise InputError("trace_too_large", needed=needed, limit=LIMITS.cached_bytes)


def trace_in(facts: dict[str, Any], row: np.ndarray) -> Trace:
    """The trace of a file's tensors, with the parts ``layer/1``, …, if there is one layer, too.

    facts, row: of ``read_tensors``. Raises what ``trace_of`` raises, and not_its_weights.
    """
    arrays: dict[str, Any] = {}
    begins = 0
    for name, shape, is_bool in facts["shapes"]:
        size = prod(shape)
        arrays[name] = row[begins : begins + size].reshape(shape)
        arrays[name] = arrays[name].astype(bool) if is_bool else arrays[name]
        begins += size
    labels: dict[str, Any] = {name: facts["labels"].get(name) for name in NAMES}
    heads = [arrays.get(name) for name in "QKV"]
    if any(tensor is None for tensor in heads):
        trace = trace_of(arrays["weights"], **labels)
    else:
        trace = trace_of(*heads, mask=arrays.get("mask"), W_O=arrays.get("W_O"), **labels)
        if "weights" in arrays:
            _check_same(trace, arrays["weights"])
    return trace if nested.parts(trace) else nested.compose({LAYER.format(1): trace}, {})


def _check_same(trace: Trace, given: np.ndarray) -> None:
    found = trace["weights"].tensor
    same_size = given.size == found.size
    apart = float(np.abs(given.reshape(found.shape) - found).max()) if same_size else 1.0
    if not apart < NOT_WEIGHTS:
        raise InputError("not_its_weights", value=f"{apart:.3g}")
