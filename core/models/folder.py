"""The files of a checkpoint's folder, with checks of their place and size."""

import json
from os.path import isfile
from pathlib import Path
from typing import Any

from core.errors import (
    CheckpointFileTooLarge,
    DamagedCheckpoint,
    MissingFile,
    OutsideFolder,
    PickleOnly,
)

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
SHARDS = "model-*-of-*.safetensors"
INDEX_BYTES = 20_000_000  # a line for each tensor; the largest models have a hundred thousand
PICKLES = (
    "pytorch_model.bin",
    "pytorch_model-00001-of-*.bin",
    "model.bin",
    "model.pt",
    "model.pth",
    "model.ckpt",
)
SETTINGS_BYTES = 1_000_000  # a configuration has one to five thousand


def checkpoints(place: Path) -> dict[str, Path]:
    """The folders with a configuration, sorted: this folder, or else its subfolders.

    Skips hidden and unreadable folders, names that are not valid text, and links out of the folder.
    No file is opened.
    """
    root = place.resolve()
    if isfile(root / CONFIG):
        return {root.name: root} if _is_text(root.name) else {}
    try:
        inside = sorted(root.iterdir())
    except OSError:  # gone since it was named, or not to be read
        return {}
    return {
        found.name: found
        for found in inside
        if not found.name.startswith(".")
        and _is_text(found.name)
        and isfile(found / CONFIG)
        and found.resolve().is_relative_to(root)
    }


def _is_text(name: str) -> bool:
    """Whether a file's name is valid text, without the surrogates of PEP 383."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def path_of(folder: Path, name: str) -> Path:
    """The path of this file in the folder.

    Raises MissingFile, PickleOnly if the weights exist as a pickle only, and OutsideFolder for a
    link out of the folder.
    """
    root = folder.resolve()
    try:
        file = (root / name).resolve(strict=True)
    except (OSError, RuntimeError) as failure:  # not there, or a link to itself
        raise _missing(root, name) from failure
    if not file.is_relative_to(root):
        raise OutsideFolder(name)
    if not file.is_file():
        raise MissingFile(name)
    return file


def _missing(root: Path, name: str) -> MissingFile | PickleOnly:
    """The error for a missing file: PickleOnly for weights in a pickle, else MissingFile."""
    if name == WEIGHTS:
        if any(file.is_file() for file in root.glob(SHARDS)):
            return MissingFile(INDEX)
        found = [file.name for pattern in PICKLES for file in root.glob(pattern) if file.is_file()]
        if found:
            return PickleOnly(found[0])
    return MissingFile(name)


def shards(folder: Path) -> dict[str, Path]:
    """The file of each tensor, if the weights are sharded; else empty.

    Raises DamagedCheckpoint for an invalid index, and for the index and the files that it names
    what ``text_of`` and ``path_of`` raise.
    """
    root = folder.resolve()
    if isfile(root / WEIGHTS) or not isfile(root / INDEX):
        return {}
    index = _read(text_of(folder, INDEX, INDEX_BYTES), INDEX)
    names = index.get("weight_map")
    if not isinstance(names, dict) or not names:
        raise DamagedCheckpoint(INDEX)
    if not all(isinstance(name, str) and name == Path(name).name for name in names.values()):
        raise DamagedCheckpoint(INDEX)
    paths = {name: path_of(folder, name) for name in dict.fromkeys(names.values())}
    return {tensor: paths[name] for tensor, name in names.items()}


def text_of(folder: Path, name: str, limit: int) -> str:
    """The content of a text file. limit: in bytes.

    Raises CheckpointFileTooLarge, DamagedCheckpoint, and what ``path_of`` raises.
    """
    path = path_of(folder, name)
    size = path.stat().st_size
    if size > limit:
        raise CheckpointFileTooLarge(name, size, limit)
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        raise DamagedCheckpoint(name) from failure


def settings(folder: Path, name: str) -> dict[str, Any]:
    """The content of a JSON file. Raises what ``text_of`` raises."""
    return _read(text_of(folder, name, SETTINGS_BYTES), name)


def _read(text: str, name: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise DamagedCheckpoint(name) from failure
    if not isinstance(found, dict):
        raise DamagedCheckpoint(name)
    return found
