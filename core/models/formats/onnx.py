"""Initializers of an ONNX file, where they are, so that they need not be copied.

Format: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, by the rules of protocol buffers
(https://protobuf.dev/programming-guides/encoding). The package ``onnx`` would read the whole file
into memory and bring three others; what is needed of the format are the names of nodes and the
offsets of arrays. Nothing of the graph is computed.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.errors import InputError
from core.models.formats.entries import F16, F32, Entry, EntryTensors
from core.models.formats.joined import JoinedFile

GRAPH = 7  # fields of ModelProto
NODE, INITIALIZER = 1, 5  # of GraphProto
INPUT, NAME, OPERATION = 1, 3, 4  # of NodeProto
DIMS, TYPE, TENSOR_NAME, RAW = 1, 2, 8, 9  # of TensorProto
ENCODINGS = {1: F32, 10: F16}
NUMBERED = "onnx::"  # how the exporter names a weight that it has transposed or cut
Span = tuple[int, int]


def read(path: Path, module: str) -> EntryTensors:
    """The tensors of one module of an exported model, by their names in it.

    module: its name, such as ``backbone``. A transposed weight of a linear layer has the name of
    the node that multiplies by it: ``/backbone/encoder/layer.0/mlp/fc1/MatMul``.
    Raises empty_file and damaged_checkpoint.
    """
    file = JoinedFile([path])
    try:
        entries = dict(_named(file, module))
    except (KeyError, ValueError) as failure:
        if isinstance(failure, InputError):
            raise
        raise InputError("damaged_checkpoint", file=path.name) from failure
    return EntryTensors(file, entries)


def _named(file: JoinedFile, module: str) -> Iterator[tuple[str, Entry]]:
    (graph,) = [span for field, span in _fields(file, (0, len(file))) if field == GRAPH]
    stored, users = {}, {}
    for field, span in _fields(file, graph):
        if field == INITIALIZER:
            name, entry = _tensor(file, span)
            if entry is not None:
                stored[name] = entry
        elif field == NODE:
            found = [(number, _text(file, inner)) for number, inner in _fields(file, span)
                     if number in (INPUT, NAME, OPERATION)]  # fmt: skip
            by_field = dict(found)
            for number, name in found:
                if number == INPUT and name.startswith(NUMBERED):
                    users[name] = by_field[NAME], by_field.get(OPERATION, "")
    positions = {}
    for name, entry in stored.items():
        if not name.startswith(NUMBERED):
            if name.startswith(f"{module}."):
                yield name.removeprefix(f"{module}."), entry
            continue
        path, operation = users.get(name, ("", ""))
        owner = path.removeprefix(f"/{module}/").rpartition("/")[0]
        if not path.startswith(f"/{module}/"):
            continue
        if operation == "MatMul":
            layer = owner.replace("/", ".")
            yield f"{layer}.weight", replace(entry, shape=entry.shape[::-1], transposed=True)
        elif owner == "embeddings" and operation in ("Concat", "Reshape"):
            positions[operation] = entry
    if len(positions) == 2:  # of [CLS], and of the patches, which are resized for another picture
        first, rest = positions["Concat"], positions["Reshape"]
        shape = (1, first.shape[1] + rest.shape[1], first.shape[2])
        yield "embeddings.position_embeddings", replace(first, shape=shape, behind=rest)


def _tensor(file: JoinedFile, span: Span) -> tuple[str, Entry | None]:
    """The name of an initializer, and where its numbers are; None for those that are no weights."""
    shape, kind, name, raw = [], 0, "", None
    for field, found in _fields(file, span):
        if field == DIMS:
            shape.append(found[0])
        elif field == TYPE:
            kind = found[0]
        elif field == TENSOR_NAME:
            name = _text(file, found)
        elif field == RAW:
            raw = found
    if kind not in ENCODINGS or raw is None:
        return name, None
    if raw[1] - raw[0] != math.prod(shape) * ENCODINGS[kind].size:
        raise ValueError(name)
    return name, Entry(ENCODINGS[kind], tuple(shape), raw[0])


def _fields(file: JoinedFile, span: Span) -> Iterator[tuple[int, Span]]:
    """The fields of a message: each number with its first and last byte, or with its value twice.

    Raises ValueError for a message that does not end where it should.
    """
    at, end = span
    while at < end:
        key, at = _varint(file, at, end)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(file, at, end)
            yield number, (value, value)
            continue
        length, at = _varint(file, at, end) if wire == 2 else ({5: 4, 1: 8}[wire], at)
        if at + length > end:
            raise ValueError(number)
        yield number, (at, at + length)
        at += length


def _varint(file: JoinedFile, at: int, end: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    found = 0
    for i, byte in enumerate(file.read(at, min(10, end - at)).tolist()):
        found |= (byte & 0x7F) << 7 * i
        if byte < 0x80:
            return found, at + i + 1
    raise ValueError(at)


def _text(file: JoinedFile, span: Span) -> str:
    return file.read(span[0], span[1] - span[0]).tobytes().decode("utf-8", "replace")
