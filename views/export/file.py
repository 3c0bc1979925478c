"""A trace as one self-contained HTML file: the microscope, its numbers and words in all languages.

The file is opened from disk; its Content-Security-Policy forbids every network request. Text from
the user is in it only as JSON data, never as markup.
"""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np

from core import Stage, Trace, nested
from core.errors import InputError
from views.export.bundle import (
    ASSETS,
    bundle_css,
    bundle_js,
    component_css,
    component_js,
    page_script,
)
from views.export.pieces import APART, Pieces, data_scripts
from views.export.reduced import attention_of
from views.figures.photo import photo_checksum, photo_url
from views.figures.plane import tokens_of
from views.figures.symbols import Convention
from views.scene import arrays, blob
from views.scene.naming import num_heads, part_title
from views.scene.scene import has_all_heads, is_sent_whole, scene
from views.scene.steps import all_steps, first_step
from views.text import EXPORT, LANGUAGES, Words, numbers
from views.text.spans import isolated

FOLDER = ASSETS / "microscope" / "hosts"
PARTS = ("stepper", "chips", "words", "sheets")  # around the figure
WITHOUT_CHIPS = ("stepper", "words", "sheets")
START = {"query": 1, "key": 2}  # the second and the third word, if no cell is given
NAMED = 60  # tokens that stand in the heading
TOGETHER = 4_000_000  # bytes of numbers up to which all heads and steps are in one scene
SAVED_BYTES = 12_000_000  # of numbers, up to which a file has all heads
LAYERS_BYTES = 24_000_000  # of numbers, up to which a file has all layers
OF_PAGE, OF_STAGE = (
    18_000,
    1_000,
)  # about how many bytes of a file are words, and say what a stage is
SAMPLE = 4_096  # numbers of which it is counted how many differ
GAP = " · "
_POLICY = (
    "default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; "
    "img-src data: blob:; media-src blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
)


def no_text(words: Words) -> str:
    """An empty text in any language."""
    return ""


@dataclass(frozen=True)
class Layers:
    """The attention of all layers of a model, by path.

    shown: the part that the page shows. origin: where the weights of each come from, in words; by
    default as the page says.
    """

    paths: tuple[str, ...]
    shown: str
    trace: Callable[[str], Trace]
    origin: Callable[[str], Callable[[Words], str]] | None = None


@dataclass(frozen=True)
class Beside:
    """A component of the page that goes along. data: JSON or bytes."""

    name: str
    data: Any

    @property
    def size(self) -> int:
        """About how many bytes it is."""
        if isinstance(self.data, bytes):
            return len(self.data)
        return sum(len(value) for value in self.data.values() if isinstance(value, str))


@dataclass(frozen=True)
class ExportOptions:
    """Contents and initial selection of an exported file.

    key, sample, head: the first step, the sample and the head, the last two counted from 0.
    steps: the steps on the stepper. parts: the parts around the figure, of ``PARTS``.
    query: query parameters of the cell to open, such as ``stage=weights&row=2``.
    hidden: positions of tokens that are left out of the figure, from 0.
    title, origin: the heading and where the weights come from, by language.
    picture: the input image, (height, width, 3) uint8. address: the URL of the page it comes from.
    one_head: whether a large trace is saved with that head alone, whatever its size.
    at: the selected cell, its position from 0 by axis role, for what is saved of one step alone.
    layers: of the model, for ``html_of_layers``. beside: components above the microscope.
    width, caption, all_heads: of a figure for a paper, in mm; whether it has all heads in a grid.
    """

    key: str = ""
    sample: int = 0
    head: int = 0
    steps: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    query: str = ""
    convention: Convention = "rows"
    hidden: tuple[int, ...] = ()
    title: Callable[[Words], str] = no_text
    origin: Callable[[Words], str] = no_text
    picture: np.ndarray | None = None
    address: str = ""
    one_head: bool = False
    at: Mapping[str, int] = field(default_factory=dict, hash=False)
    layers: Layers | None = None
    beside: tuple[Beside, ...] = ()
    width: float | None = None
    caption: str = ""
    all_heads: bool = False


def html(trace: Trace, words: Words, options: ExportOptions | None = None) -> str:
    """The HTML of the file. words: the language in which it opens; it contains all languages.

    Of a model's trace of several parts it shows the first attention; others by
    ``core.nested.subtrace``.
    """
    return _whole_page({"": attention_of(trace)}, "", words, options or ExportOptions())


def html_of_layers(trace: Trace, words: Words, options: ExportOptions) -> str:
    """The same with the attention of all layers of ``options``; it opens at the one that is shown.

    Layers of more than ``LAYERS_BYTES`` in all are saved from Q, K and V on.
    Raises layers_too_large where that is more as well.
    """
    assert options.layers
    paths, shorten = options.layers.paths, _shortened(trace, len(options.layers.paths))
    layers = {path: shorten(options.layers.trace(path)) for path in paths}
    shown = next((path for path in paths if path == options.layers.shown), paths[0])
    return _whole_page(layers, shown, words, options)


def _whole_page(
    parts: Mapping[str, Trace], shown: str, words: Words, options: ExportOptions
) -> str:
    pieces, languages = Pieces(), {**LANGUAGES, words.code: words}
    payload = {
        "language": words.code,
        "part": [*parts].index(shown),
        "choice": {code: texts.viewer.part for code, texts in languages.items()},
        "parts": [
            contents(trace, languages, _of_layer(options, trace, path), pieces)
            for path, trace in parts.items()
        ],
    }
    return _page(payload, pieces, options)


def _of_layer(options: ExportOptions, trace: Trace, path: str) -> ExportOptions:
    """The options for one of several layers, whose heading names it."""
    if not path:
        return options
    title, layers = options.title, options.layers
    return replace(
        options,
        key=options.key if options.key in trace else "",
        steps=tuple(step for step in options.steps if step in trace),
        origin=layers.origin(path) if layers and layers.origin else options.origin,
        title=lambda words: GAP.join(
            [title(words).partition(GAP)[0], part_title(path, words.code)]
        ),
    )


def _shortened(trace: Trace, count: int) -> Callable[[Trace], Trace]:
    """What is saved of each of so many layers of which this is one. Raises layers_too_large."""
    for shorten in (lambda layer: layer, nested.attention_alone):
        size = count * _needed_bytes(shorten(trace))
        if size <= LAYERS_BYTES:
            return shorten
    raise InputError(
        "layers_too_large", size=numbers.size(int(size)), limit=numbers.size(LAYERS_BYTES)
    )


def layers_bytes(trace: Trace, layers: Layers) -> float | None:
    """About how many bytes the file of all layers is; None if they are too many."""
    count = len(layers.paths)
    try:
        one = _shortened(trace, count)(trace)
    except InputError:
        return None
    return html_bytes(one) + (count - 1) * _scene_bytes(one)


def html_bytes(trace: Trace) -> float:
    """About how many bytes the file of a trace is."""
    return len(file_script()) + len(microscope_style()) + OF_PAGE + _scene_bytes(trace)


def _scene_bytes(trace: Trace) -> float:
    """About how many bytes of a file say one trace, packed: numbers that are alike take few."""
    return trace.derived("scene_bytes", lambda: _counted_bytes(trace))


def _counted_bytes(trace: Trace) -> float:
    packed = 0.0
    for key in arrays.required_stages(trace, trace):
        packed += arrays.num_bytes(trace, [key]) * _distinct(trace[key])
    is_one_head = _needed_bytes(trace) > SAVED_BYTES
    return OF_STAGE * len(trace) + packed / (num_heads(trace) if is_one_head else 1)


def _distinct(stage: Stage) -> float:
    """The share of distinct numbers among some of a stage."""

    def share() -> float:
        some = stage.tensor[(0,) * max(0, stage.tensor.ndim - 2)].ravel()
        some = some[:: max(1, some.size // SAMPLE)]
        return len(np.unique(some)) / some.size

    return stage.derived("distinct", share)


def _needed_bytes(trace: Trace) -> float:
    return arrays.num_bytes(trace, arrays.required_stages(trace, trace))


def contents(
    trace: Trace, languages: Mapping[str, Words], options: ExportOptions, pieces: Pieces
) -> dict[str, Any]:
    """The texts around the microscope and the names of its scenes, for ``file.js``, as JSON.

    languages: words by code. pieces: to which the bytes of the scenes are added.
    """
    key = options.key or ("scores" if "scores" in trace else first_step(trace))
    steps = options.steps or all_steps(trace)
    held = _held(trace, key, options)
    return {
        "languages": {
            code: _page_texts(trace, texts, options) for code, texts in languages.items()
        },
        "held": held,
        "scenes": {
            code: [
                [
                    pieces.name(piece)
                    for piece in _scene(
                        trace, keys[0], steps, texts, replace(options, head=head or 0)
                    )
                ]
                for head, keys in held
            ]
            for code, texts in languages.items()
        },
        "parts": options.parts or _parts(trace),
        "query": options.query,
        "start": {"stage": key, "head": options.head, "positions": START},
    }


def _parts(trace: Trace) -> tuple[str, ...]:
    """The parts around a figure; chips only for self-attention among words."""
    chips = trace.token in ("word", "piece") and "weights" in trace and "memory" not in trace
    return PARTS if chips else WITHOUT_CHIPS


def _held(
    trace: Trace, key: str, options: ExportOptions
) -> list[tuple[int | None, tuple[str, ...]]]:
    """What each scene of the file holds, first the one that opens first.

    That is one head, None for all, and steps, the first of which the scene is asked for by.
    """
    if is_sent_whole(trace, _most(options)):
        return [(None, tuple(trace))]
    first = {arrays.group_of(trace, name): name for name in reversed([*trace])}
    parts = [*dict.fromkeys((key, *(first | {arrays.group_of(trace, key): key}).values()))]
    heads = dict.fromkeys((options.head, *_heads(trace, options)))
    steps = {part: tuple(dict.fromkeys((part, *arrays.group_of(trace, part)))) for part in parts}
    held = (
        (None if has_all_heads(trace, steps[part], _most(options)) else head, steps[part])
        for head in heads
        for part in parts
    )
    return [*dict.fromkeys(held)]


def _most(options: ExportOptions) -> int:
    """The bytes of numbers that are in one scene."""
    return arrays.ALL_AT_ONCE if options.one_head else TOGETHER


def _heads(trace: Trace, options: ExportOptions) -> range:
    """The heads of a large trace whose numbers are in the file."""
    is_one = options.one_head or _needed_bytes(trace) > SAVED_BYTES
    return range(options.head, options.head + 1) if is_one else range(num_heads(trace))


def _scene(
    trace: Trace, key: str, steps: tuple[str, ...], words: Words, options: ExportOptions
) -> list[bytes]:
    packed = scene(
        trace, key, options.sample, options.head, steps, words, options.convention, options.hidden,
        None if options.picture is None else photo_checksum(options.picture),
        origin=options.origin(words), most=_most(options),
    )  # fmt: skip
    header, pieces = blob.unpack(packed)
    terms = header["sheets"]["terms"]
    header["sheets"]["terms"] = {
        key: [(name, _absolute_url(options.address, url)) for name, url in links]
        for key, links in terms.items()
    }
    return [*blob.header_parts(header, pieces, APART), *pieces]


def _absolute_url(address: str, url: str) -> str:
    """The absolute URL of a page of the app that is served at this address; "" if unknown."""
    return urljoin(address, url) if _is_web(address) else ""


def _is_web(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https")


def _page_texts(trace: Trace, words: Words, options: ExportOptions) -> dict[str, Any]:
    """The heading, title and facts of the page in one language."""
    texts, input_text = EXPORT[words.code], _input_text(trace, words, options.sample)
    facts = [(texts.input, input_text, "")]
    if origin := options.origin(words):
        facts.append((texts.weights, origin, ""))
    if options.address:
        url = options.address if _is_web(options.address) else ""
        facts.append((texts.address, options.address, url))
    heading = options.title(words) or words.product
    return {
        "name": words.name,
        "heading": heading,
        "title": GAP.join(dict.fromkeys((input_text, heading, words.product))),
        "facts": facts,
        "note": _head_note(trace, options, words),
    }


def _input_text(trace: Trace, words: Words, sample: int) -> str:
    """The input in words: its tokens, or how many there are if they have no names."""
    tokens = tokens_of(trace)
    if tokens is None:
        return ""
    axis, size = tokens
    if trace.token in EXPORT[words.code].counted:
        n = size - len(axis.positions("cls", "special", size=size, sample=sample))
        return EXPORT[words.code].counted[trace.token].format(n=n)
    padding = set(axis.positions("filling", size=size, sample=sample))
    named = [axis.label(i, sample) for i in range(size) if i not in padding]
    end = ["…"] if len(named) > NAMED else []
    return isolated(" ".join([*named[:NAMED], *end]))


def _head_note(trace: Trace, options: ExportOptions, words: Words) -> str:
    """Which head the file contains, if it does not contain all; else ""."""
    heads = num_heads(trace)
    if heads < 2 or is_sent_whole(trace, _most(options)) or len(_heads(trace, options)) == heads:
        return ""
    return EXPORT[words.code].one_head.format(head=options.head + 1, heads=heads)


def _page(payload: Mapping[str, Any], pieces: Pieces, options: ExportOptions) -> str:
    opened = payload["parts"][payload["part"]]["languages"][payload["language"]]
    beside, script = "".join(_beside(one, pieces) for one in options.beside), file_script()
    if beside:
        names = {one.name for one in options.beside}
        script = "\n" + page_script({name: component_js(name) for name in sorted(names)}, [script])
    is_drawn = any(one.name == "picture" for one in options.beside)
    return f"""<!DOCTYPE html>
<html lang="{payload["language"]}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(opened["title"])}</title>
<style>
{bundle_css(FOLDER / "file.css")}</style>
</head>
<body>
<header><h1></h1><nav></nav>{image(None if is_drawn else options.picture)}<dl></dl><p id="part"></p>
<p id="head-note" role="status"></p></header>
<section class="beside">{beside}</section>
<main id="microscope"><template shadowrootmode="open"><style>
{microscope_style()}</style></template></main>
{data_scripts(pieces, payload)}
<script type="module">{script}</script>
</body>
</html>
"""


def _beside(one: Beside, pieces: Pieces) -> str:
    is_bytes = isinstance(one.data, bytes)
    data = blob.parts(one.data) if is_bytes else [pieces.packed(one.data)]
    return pieces.component(
        one.name, data, "bytes" if is_bytes else "json", component_css(one.name)
    )


def policy(*scripts: str, beside: bool = False) -> str:
    """The Content-Security-Policy of a page with these inline scripts: it may request nothing.

    beside: whether scripts from the page's own folder are allowed.
    """
    digests = (b64encode(sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = [*(f"'sha256-{digest}'" for digest in digests), *["'self'"] * beside]
    return _POLICY.format(scripts=" ".join(allowed))


@cache
def file_script() -> str:
    """The script of the microscope in a file of its own."""
    return "\n" + bundle_js(FOLDER / "file.js")


@cache
def microscope_style() -> str:
    """The style of the microscope, within its shadow root."""
    return component_css("streamlit")


def image(picture: np.ndarray | None) -> str:
    """The picture as an element, or ""."""
    if picture is None:
        return ""
    return f'<img alt="" src="{photo_url(picture)}">'
