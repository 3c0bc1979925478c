"""The microscope: a trace in the browser, where every cell answers the pointer at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from views import link, numbers
from views.doors import DOORS
from views.export import GAP, ExportOptions, html
from views.figures.photo import photo_checksum
from views.scene.blob import headed
from views.scene.scene import scene
from views.selection import Place, Selection, apply_browser_selection
from views.text import Words
from views.widgets.component import component

NAME = "main"  # by which other components of a page find it
FOLDER = "microscope"
LONGEST = 4_000  # characters of an address that a file names
Origin = Callable[[Words], str]  # where the weights come from, in words
PARTS = ("rail", "chips", "words", "sheets")


@dataclass
class Wanted:
    """file: of this page, asked for by the reader and not sent yet; what the browser said of it."""

    file: Mapping[str, Any] | None = None


def microscope(
    trace: Trace,
    selection: Selection,
    steps: tuple[str, ...],
    words: Words,
    *,
    origin: Origin,
    follow: bool,
    parts: tuple[str, ...] = PARTS,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
    sheet: str | None = None,
    heads: int = 1,
    spoken: Words | None = None,
) -> None:
    """Show the trace around the chosen step.

    origin: where the weights come from, in words, for the steps that depend on them. follow:
    whether cards of the page say what is at the chosen place, so that every place that the
    reader comes to rest at costs a run; else only numbers that were not sent do. parts: what stands
    around the figure. hidden: the places of tokens that are taken out of the picture where queries
    meet keys. photos: whose patches the tokens are, (batch, height, width, 3). sheet: which one is
    open below the step. heads: how many the whole has that the trace is a part of. spoken: the
    words of a file of this page, where they are not the same.
    """
    now, wanted = link.session(), link.remembered(Wanted)

    def rested() -> None:
        apply_browser_selection(st.session_state["run"].rest)

    def asked() -> None:
        wanted.file = st.session_state["run"].file
        link.mark_user_action()

    at = selection.at
    photo = None if photos is None else photo_checksum(photos[at["batch"]])
    packed = scene(
        trace, selection.key, at["batch"], at["head"], steps, words, selection.convention, hidden,
        photo, origin(words),
    )  # fmt: skip
    file = b""
    if wanted.file is not None:
        setting = ExportOptions(
            key=selection.key, sample=at["batch"], head=at["head"], steps=steps, parts=parts,
            convention=selection.convention, hidden=hidden, title=_title, origin=origin,
            picture=None if photos is None else photos[at["batch"]],
            **_told(wanted.file),
        )  # fmt: skip
        file = html(trace, spoken or words, setting).encode()
    chosen = {
        "name": NAME,
        "parts": parts,
        "follow": follow,
        "heads": heads,
        "file": {"bytes": len(file), "size": numbers.size(len(file))},
        "moves": link.remembered(Place).moves,
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
    component("streamlit", FOLDER)(key="microscope")
    component("run", FOLDER)(
        key="run",
        data=headed(chosen, packed) + file,
        on_rest_change=rested,
        on_file_change=asked,
    )
    wanted.file = None  # not before: a run that another one ends has sent nothing


def _told(asked: Mapping[str, Any]) -> dict[str, str]:
    """What the browser says of a file: where it comes from, and where it is to open."""
    return {name: str(asked[name])[:LONGEST] for name in ("address", "place")}


def _title(words: Words) -> str:
    """The page, and which part of a model is looked at."""
    now = link.session()
    part = now.values.get("part")
    return GAP.join([DOORS[words.code][now.page].title, *([part] if part else [])])
