"""The files of a checkpoint's folder, with checks of their path and size."""

import codecs
import json
from os.path import isfile
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.limits import INDEX_BYTES, SETTINGS_BYTES
from core.sources.file_type import HEAD, TEXTUAL, FileType, file_type

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
SHARDS = "model-*-of-*.safetensors"
PICKLES = (
    "pytorch_model.bin",
    "pytorch_model-00001-of-*.bin",
    "model.bin",
    "model.pt",
    "model.pth",
    "model.ckpt",
)
GGUF = ".gguf"
OTHER_WEIGHTS = {  # by the end of a file's name
    ".onnx": FileType("ONNX", "weights"),
    ".h5": FileType("HDF5", "weights"),
    ".npz": FileType("NPZ", "array"),
}
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def path_of(folder: Path, name: str) -> Path:
    """The path of this file in the folder.

    Raises missing_file, pickle_only and wrong_file_type if the weights exist in another format
    only, and outside_folder for a link out of the folder or to nothing.
    """
    root = folder.resolve()
    try:
        file = (root / name).resolve(strict=True)
    except (OSError, RuntimeError) as failure:  # not there, or a link to itself
        raise _missing(root, name) from failure
    if not file.is_relative_to(root):
        raise InputError("outside_folder", file=name)
    if not file.is_file():
        raise InputError("missing_file", file=name)
    return file


def _missing(root: Path, name: str) -> InputError:
    """The error for a missing file, which may be a link, or be there in another format."""
    if (root / name).is_symlink():
        return InputError("outside_folder", file=name)
    if name == WEIGHTS:
        if any(file.is_file() for file in root.glob(SHARDS)):
            return InputError("missing_file", file=INDEX)
        return in_another_format(root) or InputError("missing_file", file=name)
    return InputError("missing_file", file=name)


def in_another_format(folder: Path) -> InputError | None:
    """The error for weights in a format that is not read; None if there are none."""
    for pattern in PICKLES:
        for file in folder.glob(pattern):
            if file.is_file():
                return InputError("pickle_only", file=file.name)
    for end, found in OTHER_WEIGHTS.items():
        for file in sorted(folder.glob(f"*{end}")):
            if file.is_file():
                return found.refused("weights", file.name)
    return None


def shards(folder: Path) -> dict[str, Path]:
    """The file of each tensor, if the weights are sharded; else empty.

    Raises damaged_checkpoint for an invalid index, and for the index and the files that it names
    what ``text_of`` and ``path_of`` raise.
    """
    root = folder.resolve()
    if isfile(root / WEIGHTS) or not isfile(root / INDEX):
        return {}
    index = _read(text_of(folder, INDEX, INDEX_BYTES), INDEX)
    names = index.get("weight_map")
    if not isinstance(names, dict) or not names:
        raise InputError("damaged_checkpoint", file=INDEX)
    if not all(isinstance(name, str) and name == Path(name).name for name in names.values()):
        raise InputError("damaged_checkpoint", file=INDEX)
    paths = {name: path_of(folder, name) for name in dict.fromkeys(names.values())}
    return {tensor: paths[name] for tensor, name in names.items()}


def text_of(folder: Path, name: str, limit: int) -> str:
    """The content of a text file, in UTF-8, or in UTF-16 if it begins so. limit: in bytes.

    Raises checkpoint_file_too_large, empty_file, wrong_file_type, damaged_checkpoint, and what
    ``path_of`` raises.
    """
    path = _limited(folder, name, limit)
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
        if not head:
            raise InputError("empty_file", file=name)
        found = file_type(head)
        if found and found.group in TEXTUAL:
            raise found.refused("settings", name)
        return path.read_text("utf-16" if head[:2] in UTF_16 else "utf-8-sig")
    except UnicodeDecodeError as failure:
        if found:
            raise found.refused("settings", name) from failure
        raise InputError("damaged_checkpoint", file=name) from failure
    except OSError as failure:
        raise InputError("damaged_checkpoint", file=name) from failure


def bytes_of(folder: Path, name: str, limit: int) -> bytes:
    """The content of a file. limit: in bytes.

    Raises checkpoint_file_too_large, empty_file, wrong_file_type, damaged_checkpoint, and what
    ``path_of`` raises.
    """
    path = _limited(folder, name, limit)
    try:
        data = path.read_bytes()
    except OSError as failure:
        raise InputError("damaged_checkpoint", file=name) from failure
    if not data:
        raise InputError("empty_file", file=name)
    if found := file_type(data[:HEAD]):
        raise found.refused("settings", name)
    return data


def _limited(folder: Path, name: str, limit: int) -> Path:
    """The path of a file of at most so many bytes."""
    path = path_of(folder, name)
    size = path.stat().st_size
    if size > limit:
        raise InputError("checkpoint_file_too_large", file=name, size=size, limit=limit)
    return path


def settings(folder: Path, name: str, limit: int = SETTINGS_BYTES) -> dict[str, Any]:
    """The content of a JSON file. limit: in bytes. Raises what ``text_of`` raises."""
    return _read(text_of(folder, name, limit), name)


def optional_settings(folder: Path, name: str) -> dict[str, Any]:
    """The content of a JSON file that may be missing; then it is empty."""
    try:
        return settings(folder, name)
    except InputError as error:
        if error.code != "missing_file":
            raise
        return {}


def _read(text: str, name: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise InputError("damaged_checkpoint", file=name) from failure
    if not isinstance(found, dict):
        raise InputError("damaged_checkpoint", file=name)
    return found
