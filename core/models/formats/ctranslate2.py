"""``model.bin`` of CTranslate2, as Whisper is often converted: names, shapes and arrays in order.

Format: https://github.com/OpenNMT/CTranslate2, ``ModelSpec._serialize``. Queries, keys and values
of a layer are one matrix, which is split into its rows here.
"""

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.models.formats.entries import BF16, F16, F32, Entry, EntryTensors, plain
from core.models.formats.joined import JoinedFile

VERSION, SPECIFICATION = 6, "WhisperSpec"
ENCODINGS = {0: F32, 4: F16, 5: BF16}
INT16, I16 = 2, plain("I16", "<i2")
MOST_AXES = 4
_PARTS = {"gamma": "weight", "beta": "bias"}  # of a norm
_MODULES = {
    "self_attention/layer_norm": "self_attn_layer_norm",
    "self_attention/linear_1": "self_attn.out_proj",
    "attention/layer_norm": "encoder_attn_layer_norm",
    "attention/linear_0": "encoder_attn.q_proj",
    "attention/linear_2": "encoder_attn.out_proj",
    "ffn/layer_norm": "final_layer_norm",
    "ffn/linear_0": "fc1",
    "ffn/linear_1": "fc2",
}
_JOINED = {
    "self_attention/linear_0": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "attention/linear_1": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
}
_OUTSIDE = {
    "conv1": "conv1",
    "conv2": "conv2",
    "layer_norm": "layer_norm",
    "position_encodings": "embed_positions",
    "embeddings": "embed_tokens",
}


def read(paths: Sequence[Path]) -> tuple[dict[str, Any], EntryTensors]:
    """What ``config.json`` would say of Whisper in a file, or in several pieces, and its tensors.

    Raises empty_file and damaged_checkpoint, also for another model than Whisper.
    """
    file = JoinedFile(paths)
    try:
        stored, heads = dict(_entries(file)), {}
        for side in ("encoder", "decoder"):
            heads[side] = int(file.read(stored[f"{side}/num_heads"].offset, 2).view("<u2")[0])
    except (KeyError, struct.error, UnicodeDecodeError, ValueError) as failure:
        if isinstance(failure, InputError):
            raise
        raise InputError("damaged_checkpoint", file=file.name) from failure
    tensors = EntryTensors(file, dict(_renamed(stored)))
    return _settings(stored, heads), tensors


def _settings(stored: Mapping[str, Entry], heads: Mapping[str, int]) -> dict[str, Any]:
    vocabulary, d_model = stored["decoder/embeddings/weight"].shape
    stated: dict[str, Any] = {
        "model_type": "whisper", "d_model": d_model, "vocab_size": vocabulary,
        "num_mel_bins": stored["encoder/conv1/weight"].shape[1],
        "max_source_positions": stored["encoder/position_encodings/encodings"].shape[0],
        "max_target_positions": stored["decoder/position_encodings/encodings"].shape[0],
    }  # fmt: skip
    for side, count in heads.items():
        stated[f"{side}_layers"] = len(
            {name.split("/")[1] for name in stored if name.startswith(f"{side}/layer_")}
            - {"layer_norm"}
        )
        stated[f"{side}_attention_heads"] = count
        stated[f"{side}_ffn_dim"] = stored[f"{side}/layer_0/ffn/linear_0/weight"].shape[0]
    return stated


def _entries(file: JoinedFile) -> Iterator[tuple[str, Entry]]:
    """The tensors by CTranslate2's names; those of int16 are settings, such as ``num_heads``."""
    at = 0

    def number(form: str) -> int:
        nonlocal at
        size = struct.calcsize(form)
        (found,) = struct.unpack(form, file.read(at, size).tobytes())
        at += size
        return int(found)

    def text() -> str:
        nonlocal at
        size = number("<H")
        found = file.read(at, size).tobytes()
        at += size
        return found.rstrip(b"\0").decode("utf-8")

    version, name, _ = number("<I"), text(), number("<I")
    if (version, name) != (VERSION, SPECIFICATION):
        raise ValueError(f"{name} of version {version}")
    for _ in range(number("<I")):
        name, axes = text(), number("<B")
        if axes > MOST_AXES:
            raise ValueError(f"{axes} axes")
        shape = tuple(number("<I") for _ in range(axes))
        kind, size = number("<B"), number("<I")
        if kind == INT16:
            yield name, Entry(I16, shape, at)
        if kind in ENCODINGS:
            if size != math.prod(shape) * ENCODINGS[kind].size:
                raise ValueError(f"{size} bytes")
            yield name, Entry(ENCODINGS[kind], shape, at)
        at += size


def _renamed(stored: Mapping[str, Entry]) -> Iterator[tuple[str, Entry]]:
    """The tensors by the names of ``transformers``; a joined matrix is one entry for each part."""
    for name, entry in stored.items():
        side, _, rest = name.partition("/")
        layer, _, inner = rest.partition("/")
        module, _, part = (
            inner if layer.startswith("layer_") and "/" in inner else rest
        ).rpartition("/")
        part = _PARTS.get(part, "weight" if part == "encodings" else part)
        if not layer.removeprefix("layer_").isdigit():
            if module in _OUTSIDE:
                yield f"model.{side}.{_OUTSIDE[module]}.{part}", entry
            continue
        prefix = f"model.{side}.layers.{layer.removeprefix('layer_')}."
        if module in _MODULES:
            yield f"{prefix}{_MODULES[module]}.{part}", entry
        for number, one in enumerate(_JOINED.get(module, ())):
            rows = entry.shape[0] // len(_JOINED[module])
            shape = (rows, *entry.shape[1:])
            offset = entry.offset + number * math.prod(shape) * entry.encoding.size
            yield f"{prefix}{one}.{part}", Entry(entry.encoding, shape, offset)
