"""The microscope: a trace in the browser, where every cell answers the pointer at once."""

from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from views import link
from views.figures.photo import photo_checksum
from views.scene.blob import checksum
from views.scene.scene import scene
from views.selection import Selection, rest_at
from views.text import Words
from views.widgets.component import component

FOLDER = "microscope"


def bring(
    trace: Trace,
    selection: Selection,
    steps: tuple[str, ...],
    words: Words,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
) -> None:
    """Send the trace around the chosen step, and which cell is chosen.

    hidden: the places of tokens that are taken out of the picture where queries meet keys.
    photos: whose patches the tokens are, (batch, height, width, 3).
    The numbers are the same bytes until another input, sample or head is chosen, and Streamlit
    sends the same message only once; the chosen cell goes in a small message of its own.
    """

    def rested() -> None:
        rest_at(st.session_state["chosen"].rest)

    at = selection.at
    photo = None if photos is None else photo_checksum(photos[at["batch"]])
    packed = scene(
        trace, selection.key, at["batch"], at["head"], steps, words, selection.convention, hidden,
        photo,
    )  # fmt: skip
    component("scene", FOLDER)(key="scene", data=packed)
    chosen: dict[str, Any] = {
        "scene": checksum(packed),
        "stage": selection.key,
        "head": at["head"],
        "places": {role: place for role, place in at.items() if role not in ("batch", "head")},
        "locked": selection.locked,
        "presenting": selection.presenting,
        "moves": link.session().things.get("moves", 0),
    }
    component("chosen", FOLDER)(key="chosen", data=chosen, on_rest_change=rested)


def part(name: str) -> None:
    """Draw one of the parts that show what ``bring`` brought: rail, microscope, words or heads."""
    component(name, FOLDER)(key=f"{name}_part")
