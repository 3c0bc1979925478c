"""The contents of a page that AppTest ran, as plain data."""

import base64
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from zlib import crc32

import numpy as np
from blob_reader import unpacked
from in_node import evaluate
from source_tree import ROOT
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node, Selectbox, TextArea, TextInput

from views import navigation
from views.scene.blob import split_header
from views.widgets.component import is_json
from views.widgets.interventions import CARD

Open = Callable[..., AppTest]
# What a link does, the size of a file with the page's present words, and what fills up.
LED_HERE = re.compile(rb'"(linked|named|arrival)": ?\w+|\\u(?:2248|7ea6) ?[\d.]+ kB| +')
FOLDERS = Path(__file__).parents[1] / "core" / "models" / "data" / "checkpoints"
SMALL = {  # links to a small input
    "sentence": {"mask": "causal", "residual": "1"},
    "image": {"model": "seeded", "size": "64", "patch": "16", "d_model": "16", "heads": "2"},
    "audio": {"pool": "80", "d_model": "16", "heads": "2"},
}
MODULES = ("blob", "readings", "trace")
STEPS = {  # of a small input, by page; the sentence has a causal mask and a residual connection
    "sentence": [
        "tokens", "embedding", "position", "X", "Q", "K", "V", "scores", "scaled", "masked",
        "weights", "head_output", "concat", "output", "residual", "normalised",
    ],
    "image": [
        "patches", "flattened", "embedding", "sequence", "position", "X", "Q", "K", "V",
        "scores", "scaled", "weights", "head_output", "concat", "output",
    ],
    "audio": [
        "frames", "windowed", "power", "mel", "log_mel", "level", "pooled", "embedding", "X",
        "Q", "K", "V", "scores", "scaled", "weights", "head_output", "concat", "output",
    ],
}  # fmt: skip
READ = """
  const shown = new trace.Trace(blob.unpacked(given.scene));
  return readings.readings(shown, given.key, given.at);
"""


@dataclass(frozen=True)
class Microscope:
    """The data sent to the browser: the trace, and the chosen cell."""

    packed: bytes
    header: dict[str, Any]
    arrays: dict[str, np.ndarray]
    chosen: dict[str, Any]
    parts: list[str]

    @property
    def steps(self) -> dict[str, str]:
        """The steps on the stepper, and why those that are greyed are not there."""
        return {step["key"]: step["absent"] for step in self.header["steps"]}

    def label(self, stage: str, role: str) -> str:
        """The name of the chosen position along an axis."""
        return self.names(stage, role)[self.chosen["positions"][role]]

    def names(self, stage: str, role: str) -> list[str]:
        """The names of all positions along an axis."""
        stage_data = self.header["stages"][stage]
        number = stage_data["names"][stage_data["roles"].index(role)]
        found: list[str] = self.header["names"][number]
        return found

    def description(self) -> str:
        """Headline and explanation of the chosen step, and where its numbers come from."""
        key, sheets = self.chosen["stage"], self.header["sheets"]
        stage_data = self.header["stages"][key]
        title = "".join(part for part in stage_data["title"] if isinstance(part, str))
        origin = sheets["origin"] if key in sheets["weighted"] else sheets["words"]["exact"]
        return f"{title}\n{''.join(text for text, _ in stage_data['does'])}\n{origin}"

    def reads(self) -> str:
        """The reading of the chosen cell, as the browser writes it."""
        given = {
            "scene": self.packed,
            "key": self.chosen["stage"],
            "at": self.chosen["positions"]
            | {"batch": self.header["sample"], "head": self.chosen["head"]},
        }
        sentences = evaluate([f"microscope/engine/{name}.js" for name in MODULES], READ, given)
        return "\n".join("".join(text for text, _ in sentence) for sentence in sentences)


def floats(text: str) -> np.ndarray:
    """The numbers that are sent as text."""
    return np.frombuffer(base64.b64decode(text), "<f4")


def captions(at: AppTest) -> str:
    """All captions, one below the other."""
    return "\n".join(caption.value for caption in at.caption)


def write(at: AppTest, text: str) -> AppTest:
    """The page with another sentence."""
    text_box(at).set_value(text).run()
    assert not at.exception
    return at


def is_nonsense(at: AppTest) -> bool:
    """Whether the page says that it could not read a part of its link."""
    return bool(paragraphs(at, "notice"))


def queries_to(at: AppTest, page: str) -> list[dict[str, str]]:
    """The query of every link to a page, but for those of the menu."""
    links = [element.proto for element in at.get("page_link")]
    return [dict(parse_qsl(link.query_string)) for link in links if link.page == page]


def menu(at: AppTest) -> dict[str, dict[str, str]]:
    """The query of each page in the menu."""
    (sent,) = component_data(at, "menu")
    found = [urlsplit(page["address"]) for one in sent["chapters"] for page in one["pages"]]
    return {one.path: dict(parse_qsl(one.query)) for one in found}


def goes(at: AppTest, page: str) -> AppTest:
    """The page that a link of the menu leads to."""
    query = menu(at)[page]
    for name in [*at.query_params]:
        del at.query_params[name]
    for name, value in query.items():
        at.query_params[name] = value
    at.switch_page(f"../{navigation.PAGES[page].relative_to(ROOT)}").run()
    assert not at.exception
    return at


def changing(at: AppTest) -> AppTest:
    """The page with its changes opened."""
    at.session_state[CARD] = True
    return at.run()


def component_data(at: AppTest, name: str) -> list[Any]:
    """The data of every component of this name on the page."""
    return [
        json.loads(element.proto.bytes)
        for element in at.get("bidi_component")
        if element.proto.component_name == name
    ]


def paragraphs(at: AppTest, style: str) -> list[str]:
    """The text of every paragraph of prose in this style, such as ``error``."""
    assert not at.exception
    found = [data for data in component_data(at, "prose") if data["style"] == style]
    return ["".join(text for text, _ in line) for data in found for line in data["paragraphs"]]


def blobs(at: AppTest, name: str) -> list[bytes]:
    """The bytes of every component of this name."""
    sent = [element.proto for element in at.get("bidi_component")]
    return [one.bytes for one in sent if one.component_name == name]


def model_map(at: AppTest) -> dict[str, Any]:
    """The map of the model on the page."""
    (blob,) = blobs(at, "model_map")
    return unpacked(blob)[0]


def models_box(at: AppTest, among: str) -> Selectbox:
    """The list of models, this one among them."""
    (box,) = [box for box in at.selectbox if among in box.options]
    return box


def choose_model(at: AppTest, model: str) -> AppTest:
    """The page with another model of its list."""
    models_box(at, model).set_value(model).run()
    assert not at.exception
    return at


def headed(at: AppTest, name: str) -> list[tuple[dict[str, Any], bytes]]:
    """The data of every component of this name: the header, and the bytes of the scene."""
    found = []
    for element in at.get("bidi_component"):
        if element.proto.component_name == name:
            header, scene = split_header(element.proto.bytes)
            found.append((header, _with_weights(at, header, scene)))
    return found


def sent(at: AppTest) -> dict[str, Any]:
    """The header that the page sends with the scene."""
    ((header, _),) = headed(at, "run")
    return header


def _with_weights(at: AppTest, header: dict[str, Any], scene: bytes) -> bytes:
    """A scene with the weights that are in a message of their own, as the browser joins them."""
    if "weights" not in header:
        return scene
    messages = (one.proto for one in at.get("bidi_component"))
    weights = next(one.bytes for one in messages if one.component_name == "weights")[8:]
    for begin, size in header["weights"]["pieces"]:
        scene, weights = scene[:begin] + weights[:size] + scene[begin:], weights[size:]
    return scene


def charts(at: AppTest) -> list[dict[str, Any]]:
    """Plotly's charts, in the order of the page."""
    return [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]


def grids(at: AppTest) -> list[dict[str, Any]]:
    """The small matrices, in the order of the page."""
    return [grid for data in component_data(at, "grids") for grid in data["grids"]]


def titled(at: AppTest) -> dict[str, dict[str, Any]]:
    """The small matrices by their titles; of two of one title the first."""
    return {grid["title"]: grid for grid in reversed(grids(at))}


def printed(grid: dict[str, Any]) -> np.ndarray:
    """The numbers that the cells of a small matrix show."""
    return np.array([[float(cell.replace("−", "-")) for cell in row] for row in grid["printed"]])


def drawn(at: AppTest) -> list[tuple[str, int]]:
    """All figures and tables on the page, as the browser gets them: their kinds and checksums."""
    sent = [element.proto for element in at.get("bidi_component")]
    found = [
        (one.component_name, LED_HERE.sub(b"", one.bytes if is_json(one.bytes) else one.bytes[8:]))
        for one in sent
        if one.component_name not in ("prose", "long_values", "menu")  # words, not figures
    ]
    found += [("chart", chart.proto.spec.encode()) for chart in at.get("plotly_chart")]
    found += [("table", table.value.to_json().encode()) for table in at.table]
    return [(name, crc32(content)) for name, content in found]


def microscope(at: AppTest) -> Microscope:
    """The microscope of the page."""
    ((header, packed),) = headed(at, "run")
    return Microscope(packed, *unpacked(packed), header["selection"], header["parts"])


def sent_position(data: Any) -> tuple[int, int]:
    """The head and the token, from 0, that the server sent for sentences that follow."""
    head, token = data["begins"]
    return head, token


def summary_sentences(data: Any, head: int, token: int) -> list[str]:
    """The sentences that follow the microscope, for a head and a token, both from 0."""
    names, index = data["names"], [head - data["begins"][0], token - data["begins"][1]]
    if not data["by_head"]:
        index[0] = 0
    query = _token_name(names, token)
    looks = {"head": str(head + 1), "query": query}

    def value(found: Any) -> Any:
        for at in index:
            if isinstance(found, list):
                found = found[at] if at < len(found) else None
        return found

    def read(sentence: Any) -> str:
        fields = {name: value(found) for name, found in sentence["fields"].items()} | looks
        return "".join(fields[t] if role == "{}" else t for t, role in sentence["pieces"])

    return [
        "".join(read(one) for one in sentences if value(one["when"]))
        for sentences in data["paragraphs"]
    ]


def _token_name(names: Any, token: int) -> str:
    patch = token - len(names["specials"])
    number = str(patch + 1)
    return names["specials"][token] if patch < 0 else names["patch"].replace("{number}", number)


def label_of(picture: Any) -> str:
    """The label of a photo with the head and the token that the server sent."""
    label: str = picture["label"]
    if "names" not in picture:
        return label
    names = picture["names"]
    query = _token_name(names, picture["chosen"] + len(names["specials"]))
    return label.replace("{query}", query).replace("{head}", str(picture["head"] + 1))


def along(weights: np.ndarray, picture: Any) -> np.ndarray:
    """How far along the scale of a lit photo weights are, 0 … 1; by rows where it has none."""
    if picture["largest"] is None:
        return weights / weights.max(axis=-1, keepdims=True)
    share = np.minimum(1, weights / picture["largest"])
    return np.sqrt(share) if picture["root"] else share


def path_of(node: Node, key: str, path: tuple[int, ...] = ()) -> tuple[int, ...] | None:
    """The indices in Streamlit's tree that lead to an element or container with this key."""
    if str(getattr(node.proto, "id", "")).endswith(f"-{key}"):
        return path
    children = node.children.items() if isinstance(node, Block) else ()
    found = (path_of(child, key, (*path, index)) for index, child in children)
    return next(filter(None, found), None)


def unmarked(text: str) -> str:
    """A text without the marks by which symbols such as W_h are set as mathematics."""
    return re.sub(r"[\\$^_{}]", "", text)


def text_box(at: AppTest) -> TextInput | TextArea:
    """Where the sentence is typed: of one line, or of several if the sentence has several."""
    return next(box for box in (*at.text_input, *at.text_area) if box.key == "text")


def texts(at: AppTest) -> str:
    """All sentences and headings on the page, those of the chosen step among them."""
    found = [
        "".join(text for text, _ in paragraph)
        for data in component_data(at, "prose")
        for paragraph in data["paragraphs"]
    ]
    found += [
        one
        for data in component_data(at, "summary")
        for one in summary_sentences(data, *sent_position(data))
    ]
    if any("selection" in header for header, _ in headed(at, "run")):
        found.append(microscope(at).description())
    return "\n".join([*found, *(element.value for element in at.markdown)])


def source(at: AppTest) -> str:
    assert not at.exception
    assert "could not be read" not in texts(at)
    value: str = at.session_state["model"]
    return value


def choose_source(at: AppTest, name: str) -> AppTest:
    """Choose another model in the list of them."""
    (box,) = (box for box in at.selectbox if str(box.key).startswith("model"))
    return box.set_value(name).run()
