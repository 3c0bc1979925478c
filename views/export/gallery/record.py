"""Runs pages of the app without a browser, and records what they show."""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from core import Trace
from core.sources.picture import square
from views.export.file import GAP, ExportOptions, contents
from views.export.gallery.entries import LABELS, Entry
from views.export.gallery.markup import Markup, shown_value
from views.export.gallery.pictures import Drawn
from views.figures.photo import photo_url
from views.link import SESSION, Session
from views.navigation import PAGES
from views.scene.blob import split_header
from views.scene.naming import stage_words
from views.text import Words
from views.widgets import image_input
from views.widgets.microscope import PendingExport

FRAME = Path(__file__).parents[2] / "frame.py"
CONTENTS = "today"  # a page without controls
PHOTO = 448  # pixels of a sample picture's side, as the page's components have it
TIMEOUT = 120  # seconds that a page may take on a busy machine
CHECKSUM = re.compile(r"_\d+$")  # of its options, at the end of the key of a select box


@dataclass(frozen=True)
class Saved:
    """The microscope of a page, in the language of the run.

    contents: for ``file.js``. steps: those that it has, by key, with their names. picture: what the
    model sees of a photo. drawn: its preview.
    """

    contents: dict[str, Any]
    steps: dict[str, str]
    picture: np.ndarray | None
    drawn: Drawn


@dataclass(frozen=True)
class Recorded:
    """A page in one language.

    article: its elements, as HTML. label: of what is in it, such as its sentence; "" for the page.
    lead: the sentence with which it begins. drawn: its preview, if it has any numbers to draw.
    """

    article: str
    label: str
    lead: str
    saved: Saved | None
    drawn: Drawn | None


class Recorder:
    """One session of the app in one language, which opens page after page."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._app = AppTest.from_file(str(FRAME), default_timeout=TIMEOUT).run()

    def record(self, entry: Entry, markup: Markup, address: str) -> Recorded:
        """The page of an entry after its first run. markup: writes its elements, stores their data.

        address: of the page where the app is hosted, or "". Raises RuntimeError if the page fails
        or does not know its query.
        """
        saved: list[Saved] = []
        photo = _photo(entry)

        def write(trace: Trace, words: Words, options: ExportOptions) -> bytes:
            few = replace(options, one_head=True)  # visitors wait for what is in a page
            own = contents(trace, {self._code: words}, few, markup.pieces)
            steps = {
                key: stage_words(trace, key, words).name for key in options.steps if key in trace
            }
            drawn = Drawn.of_trace(trace, options, photo)
            saved.append(Saved(own, steps, options.picture, drawn))
            return b""

        app, requested = self._app, {"format": "html", "address": address, "query": ""}
        pending = PendingExport(requested, {"html": write})
        session = Session(self._code, memories={PendingExport: pending})
        app.switch_page(
            str(PAGES[CONTENTS])
        ).run()  # Streamlit forgets the controls of the last page
        app.session_state[SESSION] = session
        app.query_params.clear()
        for name, text in {**entry.query, "lang": self._code}.items():
            app.query_params[name] = text
        app.switch_page(str(PAGES[entry.page])).run()
        if app.exception or session.nonsense:
            reasons = [error.message for error in app.exception] or session.nonsense
            raise RuntimeError(f"{entry.name} ({self._code}): {reasons}")
        last = saved[-1] if saved else None
        if last:
            last.contents["start"] = _start(app.main)
        drawn = last.drawn if last else _drawn(app.main)
        article = markup.page(app.main, "" if photo is None else photo_url(photo))
        return Recorded(article, self._label(entry), _lead(app.main), last, drawn)

    def _label(self, entry: Entry) -> str:
        """The values of the controls that the query sets, such as the sentence."""
        named = [LABELS[name] for name in entry.query if name in LABELS]
        nodes = [node for block in (self._app.main, self._app.sidebar) for node in block]
        by_name = {CHECKSUM.sub("", str(getattr(node, "key", ""))): node for node in nodes}
        shown = {name: shown_value(by_name[name]) for name in named}
        return GAP.join(shown[name] for name in named).replace("\n", " / ")


def _photo(entry: Entry) -> np.ndarray | None:
    """The sample picture that an entry names: (side, side, 3) uint8."""
    name = entry.query.get("picture")
    return square(image_input.sample(name), PHOTO) if name else None


def _start(main: Block) -> dict[str, Any]:
    """The cell with which the page's microscope opens."""
    selection = split_header(next(_sent(main, "run")).bytes)[0]["selection"]
    return {name: selection[name] for name in ("stage", "head", "positions")}


def _lead(main: Block) -> str:
    for data in _components(main, "prose"):
        if data["style"] == "lead":
            return " ".join("".join(text for text, _ in spans) for spans in data["paragraphs"])
    return ""


def _drawn(main: Block) -> Drawn | None:
    """The largest table of a page without a microscope, or else its longest series as one row."""
    specs = [json.loads(node.proto.spec) for node in main if node.type == "plotly_chart"]
    tables = [_numbers(trace.get("z", trace.get("y"))) for spec in specs for trace in spec["data"]]
    tables += [data["weights"] for data in _components(main, "glance")]
    words = (data["meanings"]["stripes"] for data in _components(main, "same_word"))
    tables += [[layers[-1] for layers in stripes] for stripes in words]
    stories = (split_header(run.bytes)[0] for run in _sent(main, "run"))
    tables += [story["own"]["rows"] for story in stories if story.get("own")]
    tables += [grid["levels"] for data in _components(main, "grids") for grid in data["grids"]]
    found = [np.atleast_2d(np.array(table, float)) for table in tables]
    largest = max(found, key=lambda table: (len(table) > 1, table.size), default=None)
    return None if largest is None else Drawn.of_table(largest)


def _numbers(values: Any) -> Any:
    """Numbers of a chart; Plotly may have written them in base64."""
    if not isinstance(values, Mapping):
        return values
    array = np.frombuffer(base64.b64decode(values["bdata"]), np.dtype(values["dtype"]))
    return array.reshape([int(n) for n in str(values.get("shape", array.size)).split(",")])


def _components(main: Block, name: str) -> Iterator[Any]:
    return (json.loads(sent.bytes) for sent in _sent(main, name))


def _sent(main: Block, name: str) -> Iterator[Any]:
    """The messages of a component."""
    for node in main:
        if node.type == "bidi_component" and node.proto.component_name == name:
            yield node.proto
