"""The options of ``streamlit run app.py -- OPTIONS``; environment variables set them too.

``streamlit run`` leaves in ``sys.argv`` only the arguments after ``--``. Another server's own
arguments would be parsed as the app's, and rejected.
"""

import argparse
import os
from collections.abc import Sequence
from os.path import isdir
from pathlib import Path

from core.models import installed
from views.server import classroom, run

PROGRAM = "streamlit run app.py --"


def take_arguments(arguments: Sequence[str]) -> None:
    """Parse the options into their environment variables, which are also the defaults.

    Exits with a message, as argparse does, for a folder that is none, an address that cannot be
    one, or any other argument.
    """
    parser = argparse.ArgumentParser(prog=PROGRAM, allow_abbrev=False)
    parser.add_argument(
        "--models",
        metavar="DIR",
        default=os.environ.get(installed.VARIABLE),
        help="a folder of models to offer on the page of one's own model "
        f"(or set {installed.VARIABLE})",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        nargs="?",
        const=classroom.FIND,
        type=classroom.address,
        default=os.environ.get(classroom.VARIABLE) or None,
        help="show on the home page, with a QR code, at which address a class reaches this server; "
        f"without ADDRESS, that of this computer on its network (or set {classroom.VARIABLE})",
    )
    parser.add_argument(
        "--log",
        action="store_true",
        default=run.log_enabled(),
        help=f"write a line for each run to stderr (or set {run.LOG}=1)",
    )
    chosen = parser.parse_args(arguments)
    if chosen.models:
        if not isdir(chosen.models):
            parser.error(f"{chosen.models} is not a folder")
        os.environ[installed.VARIABLE] = str(Path(chosen.models).resolve())
    if chosen.host:
        os.environ[classroom.VARIABLE] = chosen.host
    os.environ[run.LOG] = str(int(chosen.log))
