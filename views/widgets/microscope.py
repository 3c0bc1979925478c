"""The microscope: a trace in the browser, where every cell answers the pointer at once."""

import numpy as np
import streamlit as st

from core import Trace
from views import link
from views.figures.photo import photo_checksum
from views.scene.blob import headed
from views.scene.scene import scene
from views.selection import Selection, rest_at
from views.text import Words
from views.widgets.component import component

NAME = "main"  # by which other components of a page find it
FOLDER = "microscope"
PARTS = ("rail", "chips", "words", "sheets")


def microscope(
    trace: Trace,
    selection: Selection,
    steps: tuple[str, ...],
    words: Words,
    *,
    origin: str,
    follow: bool,
    parts: tuple[str, ...] = PARTS,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
    sheet: str | None = None,
    heads: int = 1,
) -> None:
    """Show the trace around the chosen step.

    origin: where the weights come from, in words, for the steps that depend on them. follow:
    whether cards of the page say what is at the chosen place, so that every place that the
    reader comes to rest at costs a run; else only numbers that were not sent do. parts: what stands
    around the figure. hidden: the places of tokens that are taken out of the picture where queries
    meet keys. photos: whose patches the tokens are, (batch, height, width, 3). sheet: which one is
    open below the step. heads: how many the whole has that the trace is a part of.
    """

    def rested() -> None:
        rest_at(st.session_state["microscope"].rest)

    at = selection.at
    photo = None if photos is None else photo_checksum(photos[at["batch"]])
    packed = scene(
        trace, selection.key, at["batch"], at["head"], steps, words, selection.convention, hidden,
        photo, origin,
    )  # fmt: skip
    now = link.session()
    chosen = {
        "name": NAME,
        "parts": parts,
        "follow": follow,
        "heads": heads,
        "moves": now.things.get("moves", 0),
        "arrival": now.arrivals,
        "names": sorted(now.named),
        "linked": now.adopted is None or bool(link.PLACE & now.adopted.keys()),
        "place": {
            "stage": selection.key,
            "head": at["head"],
            "places": {role: place for role, place in at.items() if role not in ("batch", "head")},
            "locked": selection.locked,
            "presenting": selection.presenting,
            "sheet": sheet,
        },
    }
    component("streamlit", FOLDER)(
        key="microscope", data=headed(chosen, packed), on_rest_change=rested
    )
