"""The microscope: the component that shows a trace; the browser opens cells without a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from views import link
from views.export.file import GAP, PARTS, ExportOptions, html
from views.figures.photo import photo_checksum
from views.navigation import PAGE_INFO
from views.scene.blob import prepend_header
from views.scene.naming import fill_token_noun, part_title
from views.scene.scene import scene
from views.selection import Selection, SelectionState, apply_browser_selection
from views.text import Words, numbers
from views.text.spans import pieces
from views.widgets.component import component

NAME = "main"  # by which other components of the page refer to it
FOLDER = "microscope/hosts"
LONGEST = 4_000  # characters of a URL in an exported file
# What a link names that is shown in the machine alone, below the first view.
OF_MACHINE = (link.SELECTION - {"row", "head"}) | {"part", "board"}
Origin = Callable[[Words], str]  # where the weights come from, in words


@dataclass(frozen=True)
class FirstView:
    """What the words above the machine say beside its numbers.

    heads: what heads do, by head from 0. rows: names of the queries, if the machine has others.
    """

    heads: Mapping[int, str] = field(default_factory=dict)
    rows: tuple[str, ...] = ()


@dataclass
class PendingExport:
    """An HTML export that is asked for.

    file: the browser's message that requests it, until it is sent. write: what makes it; the
    gallery takes trace and options instead (``views/export/gallery/record.py``).
    """

    file: Mapping[str, Any] | None = None
    write: Callable[[Trace, Words, ExportOptions], str] = html


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
    export_words: Words | None = None,
    first_view: FirstView | None = None,
) -> None:
    """Show the trace around the selected step.

    origin: where the weights come from, for the steps that depend on them. follow: whether other
    parts of the page depend on the selected cell, so that each selection reruns the page; else only
    requests for numbers that were not sent do. parts: of ``PARTS``. hidden: positions of tokens
    that are left out of query-by-key figures. photos: the pictures whose patches are the tokens,
    (batch, height, width, 3) uint8. sheet: the sheet that is open below the step. heads: the number
    of heads of the whole model. export_words: the words of an exported file, by default ``words``.
    first_view: see ``views.widgets.viewer.step_viewer``.
    """
    now, pending = link.session(), link.remembered(PendingExport)

    def on_rest() -> None:
        apply_browser_selection(st.session_state["run"].rest)

    def on_file() -> None:
        pending.file = st.session_state["run"].file
        link.mark_user_action()

    at = selection.at
    photo = None if photos is None else photo_checksum(photos[at["batch"]])
    packed = scene(
        trace, selection.key, at["batch"], at["head"], steps, words, selection.convention, hidden,
        photo, origin(words),
    )  # fmt: skip
    file = b""
    if pending.file is not None:
        options = ExportOptions(
            key=selection.key, sample=at["batch"], head=at["head"], steps=steps, parts=parts,
            convention=selection.convention, hidden=hidden, title=_title, origin=origin,
            picture=None if photos is None else photos[at["batch"]],
            **_export_fields(pending.file),
        )  # fmt: skip
        file = pending.write(trace, export_words or words, options).encode()
    view = {
        "name": NAME,
        "parts": parts if first_view is None else ("first_view", *parts),
        "texts": None if first_view is None else _first_view_texts(first_view, trace, words),
        "opens": first_view is not None and bool(OF_MACHINE & _named_in_link()),
        "follow": follow,
        "heads": heads,
        "file": {"bytes": len(file), "size": numbers.size(len(file))},
        "moves": link.remembered(SelectionState).moves,
        "arrival": now.arrivals,
        "names": sorted(now.named),
        "linked": now.adopted is None or bool(link.SELECTION & now.adopted.keys()),
        "selection": {
            "stage": selection.key,
            "head": at["head"],
            "positions": {
                role: position for role, position in at.items() if role not in ("batch", "head")
            },
            "locked": selection.locked,
            "presenting": selection.presenting,
            "sheet": sheet,
        },
    }
    component("streamlit", FOLDER)(key="microscope")
    component("run", FOLDER)(
        key="run",
        data=prepend_header(view, packed) + file,
        on_rest_change=on_rest,
        on_file_change=on_file,
    )
    pending.file = None  # only now: an interrupted run has sent nothing


def _named_in_link() -> set[str]:
    """The parameters that this run has taken from a link."""
    now = link.session()
    return ((now.adopted or {}).keys() & now.taken) - now.nonsense.keys()


def _first_view_texts(given: FirstView, trace: Trace, words: Words) -> dict[str, Any]:
    """The sentences of the first view as spans, what heads do, and what special tokens are."""
    texts = words.first_view
    says = {
        name: pieces(fill_token_noun(text, trace, texts.nouns))
        for name, text in texts.items()
        if isinstance(text, str)
    }
    special = texts.special.as_dict() if trace.token in ("word", "piece") else {}
    return {"says": says, "heads": dict(given.heads), "rows": given.rows, "special": special}


def _export_fields(message: Mapping[str, Any]) -> dict[str, str]:
    """The fields of ``ExportOptions`` that the browser reports: its URL, and the cell to open."""
    return {name: str(message[name])[:LONGEST] for name in ("address", "query")}


def _title(words: Words) -> str:
    """The page's title, and the part of the model that is shown, if one was chosen."""
    part = st.session_state.get("part")
    title = PAGE_INFO[words.code][link.session().page].title
    return GAP.join([title, part_title(part, words.code)] if part else [title])
