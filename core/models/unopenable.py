"""Folders that hold a model which cannot be opened, to name them with the reason."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core.errors import InputError
from core.models.folder import (
    CONFIG,
    INDEX,
    SHARDS,
    WEIGHTS,
    in_another_format,
    is_text,
    linked_out,
)

SNAPSHOTS = "snapshots"  # of a model in the download cache of Hugging Face


def unopenable(place: Path, known: Mapping[str, Path]) -> dict[str, InputError]:
    """This folder or its subfolders that ``checkpoints`` leaves out, sorted, with the reason.

    Weights without a configuration or in another format, a download cache, links out of the folder
    or to nothing, and models of such links. No file is opened. known: what ``checkpoints`` returns.
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
        return InputError("outside_folder", file=folder.name)
    if not folder.is_dir():
        return None
    if (folder / SNAPSHOTS).is_dir():
        return InputError("cache_folder", file=folder.name)
    if error := linked_out(folder):
        return error
    if any(any(folder.glob(name)) for name in (WEIGHTS, INDEX, SHARDS)):
        return InputError("missing_file", file=CONFIG)
    if folder == root:  # of which each link has its own reason
        return in_another_format(folder)
    return in_another_format(folder) or _only_links(folder)


def _only_links(folder: Path) -> InputError | None:
    """The error for a folder that holds nothing but links to nothing, perhaps once to a model."""
    files = sorted(folder.iterdir())
    if files and all(file.is_symlink() and not file.exists() for file in files):
        return InputError("outside_folder", file=files[0].name)
    return None
