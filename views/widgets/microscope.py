"""The microscope: the component that shows a trace; the browser opens cells without a run."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import streamlit as st
from streamlit import runtime

from core import Trace
from core.errors import InputError
from core.rules import Given
from views import link
from views.export.file import GAP, PARTS, ExportOptions, Layers
from views.export.formats import WRITERS, Write, offers
from views.figures.photo import photo_checksum
from views.navigation import PAGE_INFO
from views.scene import blob
from views.scene.naming import fill_token_noun, part_title, shared_axis
from views.scene.scene import scene
from views.selection import Selection, SelectionState, apply_browser_selection
from views.text import Words, numbers
from views.text.spans import pieces
from views.widgets.component import beside, component
from views.widgets.errors import error_sentence

NAME = "main"  # by which other components of the page refer to it
LONGEST = 4_000  # characters of a URL in an exported file
# What a link names that is shown in the machine alone, below the first view.
OF_MACHINE = (link.SELECTION - {"row", "head"} - link.PRESENTER) | {"part", "board"}
# The last names of what others do not reach.
LOCAL = (".localhost", ".localdomain", ".local", ".lan", ".home", ".internal", ".home.arpa")
Origin = Callable[[Words], str]  # where the weights come from, in words


@dataclass(frozen=True)
class LinkOfWord:
    """The head that links a word most to another. query, key: from 0; layer, head: from 1.

    model: its name in the link. share: the weight.
    """

    model: str
    query: int
    key: int
    layer: int
    head: int
    share: float


@dataclass(frozen=True)
class HeadDoes:
    """What a head does, in words, and at which queries, from 0."""

    text: str
    queries: Sequence[int]


@dataclass(frozen=True)
class Switch:
    """A layer and its head, from 1, and the changes with which it is switched off, or on again.

    model: its name in the link.
    """

    model: str
    layer: int
    head: int
    change: str


@dataclass(frozen=True)
class FirstView:
    """What the words above the machine say beside its numbers.

    heads: what heads do, by head from 0. content: the tokens that are words with a content, from 0.
    rows: names of the queries that are yet to be written, if the machine has others. glosses: what
    the keys mean, if they are not of the reader's language.
    following: what the model predicts to come next. unused: of heads from 0 whose result is not
    taken over, the text that says so. links: of words that a head of some layer links to others.
    without: by heads from 0, what the model would predict without it; switches: the changes with
    which it is switched off, or on again; hiding: by words from 0, the changes with which no other
    one may look at it, or may again; hidden: the words of which that is so. below: draws what
    stands below all of this.
    """

    heads: Mapping[int, HeadDoes] = field(default_factory=dict)
    content: Sequence[int] = ()
    rows: tuple[str, ...] = ()
    glosses: Sequence[str] = ()
    following: str = ""
    unused: Mapping[int, str] = field(default_factory=dict)
    links: Sequence[LinkOfWord] = ()
    without: Mapping[int, str] = field(default_factory=dict)
    switches: Mapping[int, Switch] = field(default_factory=dict)
    hiding: Mapping[int, str] = field(default_factory=dict)
    hidden: Sequence[int] = ()
    below: Callable[[], None] | None = None


@dataclass
class PendingExport:
    """A file that is asked for.

    file: the browser's message that requests it, until it is sent. writers: what makes it, by its
    extension; the gallery takes trace and options instead (``views/export/gallery/record.py``).
    made: how many there were; Streamlit sends nothing again that is the same as before.
    """

    file: Mapping[str, Any] | None = None
    writers: Mapping[str, Write] = field(default_factory=lambda: WRITERS)
    made: int = 0


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
    layers: Layers | None = None,
) -> None:
    """Show the trace around the selected step.

    origin: where the weights come from, for the steps that depend on them. follow: whether other
    parts of the page depend on the selected cell, so that each selection reruns the page; else only
    requests for numbers that were not sent do. parts: of ``PARTS``. hidden: positions of tokens
    that are left out of query-by-key figures. photos: the pictures whose patches are the tokens,
    (batch, height, width, 3) uint8. sheet: the sheet that is open below the step. heads: the number
    of heads of the whole model. export_words: the words of an exported file, by default ``words``.
    first_view: see ``views.widgets.viewer.step_viewer``. layers: those that a file can have.
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
        photo, origin(words), serve=_serve,
    )  # fmt: skip
    where, weights, rest = _weights_apart(trace, packed)
    file, refused = b"", ""
    if pending.file is not None:
        selected, asked = _selected(trace, selection, pending.file), pending.file
        address, width = str(asked["address"])[:LONGEST], asked.get("width")
        options = ExportOptions(
            key=selected.key, sample=at["batch"], head=selected.at["head"], steps=steps,
            parts=parts, convention=selection.convention, hidden=hidden, title=_title,
            origin=origin, picture=None if photos is None else photos[at["batch"]], at=selected.at,
            address=address if is_hosted(address) else "", query=str(asked["query"])[:LONGEST],
            width=width if isinstance(width, int | float) else None,
            caption=str(asked.get("caption", ""))[:LONGEST],
            all_heads=bool(asked.get("all_heads")), layers=layers, beside=beside(),
        )  # fmt: skip
        write, pending.made = pending.writers[pending.file["format"]], pending.made + 1
        try:
            file = write(trace, export_words or words, options)
        except InputError as error:
            refused = error_sentence(error, words)
    view = {
        "name": NAME,
        "parts": parts if first_view is None else ("first_view", *parts),
        "texts": None if first_view is None else _first_view_texts(first_view, trace, words),
        "weights": {"id": blob.checksum(weights), "pieces": where},
        "opens": first_view is not None and _opens_machine(selection.key),
        "follow": follow,
        "heads": heads,
        "file": {
            "bytes": len(file),
            "size": numbers.size(len(file)),
            "refused": refused,
            "number": pending.made,
        },
        "offered": {
            "offers": offers(trace, words, layers, sum(one.size for one in beside())),
            "title": _title(words),
            "hosted": is_hosted(st.context.url or ""),
        },
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
    component("streamlit")(key="microscope")
    component("weights")(key="run_weights", data=weights)
    component("run")(
        key="run",
        data=blob.prepend_header(view, rest) + file,
        on_rest_change=on_rest,
        on_file_change=on_file,
    )
    pending.file = None  # only now: an interrupted run has sent nothing


def _weights_apart(trace: Trace, scene: bytes) -> tuple[list[tuple[int, int]], bytes, bytes]:
    """The weights of a scene in a message of their own, which a browser has from the input before.

    Where they belong in the scene, as ``blob.cut`` says; the message: a CRC-32 (uint64,
    little-endian), then the weights; and the rest of the scene.
    """

    def apart() -> tuple[list[tuple[int, int]], bytes, bytes]:
        names = {k for k, s in trace.items() if isinstance(s.rule, Given) and s.rule.is_weight}
        where, around = blob.cut(scene, names)
        weights = b"".join(scene[begin : begin + size] for begin, size in where)
        message = zlib.crc32(weights).to_bytes(8, "little") + weights
        return where, message, b"".join(around)

    return trace.derived(("weights apart", blob.checksum(scene)), apart)


def _serve(name: str, data: bytes) -> str:
    """The path under which Streamlit serves these bytes, while the session shows this page."""
    manager = runtime.get_instance().media_file_mgr
    path = manager.add(data, "application/octet-stream", f"microscope {name}")
    base = (st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{base}{path}" if base else path


def _opens_machine(shown: str) -> bool:
    """Whether a link or a control of the page leads to what the first view does not show.

    shown: the stage.
    """
    now = link.session()
    # In later runs, too, but the browser opens it once for an arrival.
    led = now.adopted is None and "stage" in now.named and shown != "weights"
    return led or bool(OF_MACHINE & _named_in_link())


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
    return {
        "says": says, "rows": given.rows, "glosses": given.glosses, "special": special,
        "content": given.content,
        "heads": {head: asdict(one) for head, one in given.heads.items()},
        "following": given.following, "unused": dict(given.unused), "without": dict(given.without),
        "links": {one.query: asdict(one) for one in given.links},
        "switches": {head: asdict(one) for head, one in given.switches.items()},
        "hiding": dict(given.hiding), "hidden": given.hidden,
    }  # fmt: skip


def is_hosted(address: str) -> bool:
    """Whether others can reach this URL: it names no computer of one's own network."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not f".{host}".endswith(LOCAL)


def _selected(trace: Trace, selection: Selection, message: Mapping[str, Any]) -> Selection:
    """The selection of the browser, which the server need not know."""
    stage = trace.get(message.get("stage", ""), trace[selection.key])
    given = message.get("positions", {}) | {"head": message.get("head", selection.at["head"])}
    at = {
        role: min(max(int(given[name]), 0), stage.size(role) - 1)
        for role in stage.roles
        if (name := shared_axis(trace, stage, role)) in given
    }
    return replace(selection, key=stage.key, at=selection.at | at)


def _title(words: Words) -> str:
    """The page's title, and the part of the model that is shown, if one was chosen."""
    part = st.session_state.get("part")
    title = PAGE_INFO[words.code][link.session().page].title
    return GAP.join([title, part_title(part, words.code)] if part else [title])
