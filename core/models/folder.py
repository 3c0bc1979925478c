"""The files of a checkpoint's folder: looked for by name, inside it, and no larger than is sane."""

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
    """The folders that hold a configuration: this one, or else those in it; by name, in order.

    Hidden ones are passed over, and so are those that cannot be looked into, those whose name is no
    text, and links that lead out of this place. Nothing is opened.
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
    """Whether a file's name is text: bytes that are none are surrogates in it (PEP 383)."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def path_of(folder: Path, name: str) -> Path:
    """The file of this name, which lies in the folder itself.

    Raises MissingFile; of the weights, PickleOnly where they lie in a pickle; and OutsideFolder for
    a link that leads out.
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
    """What to say of a file that is not there: of the weights, what lies in their place."""
    if name == WEIGHTS:
        if any(file.is_file() for file in root.glob(SHARDS)):
            return MissingFile(INDEX)
        found = [file.name for pattern in PICKLES for file in root.glob(pattern) if file.is_file()]
        if found:
            return PickleOnly(found[0])
    return MissingFile(name)


def shards(folder: Path) -> dict[str, Path]:
    """Of each tensor the file that it lies in, where the weights lie in several; else nothing.

    Raises DamagedCheckpoint for an index that is none, and as ``text_of``, of the index and of
    every file that it names.
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
    """What stands in a text file.

    Raises CheckpointFileTooLarge, DamagedCheckpoint, and as ``path_of``.
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
    """The names and values of a JSON file. Raises as ``text_of``."""
    return _read(text_of(folder, name, SETTINGS_BYTES), name)


def _read(text: str, name: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise DamagedCheckpoint(name) from failure
    if not isinstance(found, dict):
        raise DamagedCheckpoint(name)
    return found
