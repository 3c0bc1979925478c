"""Folders that hold a model which cannot be opened, to name them with the reason."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core.errors import CacheFolder, InputError, MissingFile, OutsideFolder
from core.models.folder import (
    CONFIG,
    INDEX,
    SHARDS,
    WEIGHTS,
    in_another_format,
    is_text,
)

SNAPSHOTS = "snapshots"  # of a model in the download cache of Hugging Face


def unopenable(place: Path, known: Mapping[str, Path]) -> dict[str, InputError]:
    """This folder or its subfolders that ``checkpoints`` leaves out, sorted, with the reason.

    Weights without a configuration or in another format, a download cache, and links out of the
    folder or to nothing. No file is opened. known: what ``checkpoints`` returns.
    """
    root = place.resolve()
    if known.get(root.name) == root:
        return {}
    reasons = {}
    for folder in _folders(root):
        if folder.name in known or folder.name.startswith(".") or not is_text(folder.name):
            continue
        with suppress(OSError):  # gone meanwhile, or not to be read
            if reason := _reason(root, folder):
                reasons[folder.name] = reason
    return reasons


def _folders(root: Path) -> list[Path]:
    try:
        return [root, *sorted(root.iterdir())]
    except OSError:
        return []


def _reason(root: Path, folder: Path) -> InputError | None:
    """Why no model can be opened here; None if nothing of a model is here."""
    if folder.is_symlink() and (not folder.exists() or not folder.resolve().is_relative_to(root)):
        return OutsideFolder(folder.name)
    if not folder.is_dir():
        return None
    if (folder / SNAPSHOTS).is_dir():
        return CacheFolder(folder.name)
    if (folder / CONFIG).is_symlink():
        return OutsideFolder(CONFIG)
    if any(any(folder.glob(name)) for name in (WEIGHTS, INDEX, SHARDS)):
        return MissingFile(CONFIG)
    return in_another_format(folder)
