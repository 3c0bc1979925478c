"""A trace as one HTML file: the microscope, its numbers and words in both languages.

The file is opened from disk and asks nothing of any network: a policy in it forbids every request.
What a reader wrote stands in it as data alone.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from html import escape
from itertools import islice
from typing import Any
from urllib.parse import urljoin, urlsplit
from zlib import compress

import numpy as np

from core import Trace
from views.bundle import ASSETS, bundled, styled
from views.figures.photo import photo_url
from views.figures.plane import tokens_of
from views.figures.symbols import Convention
from views.naming import heads_of, only_head
from views.scene import arrays, blob
from views.scene.scene import scene
from views.steps import all_steps, first_step
from views.text import LANGUAGES, Words
from views.text.export import WORDS

FOLDER = ASSETS / "microscope"
PARTS = ("rail", "chips", "words", "sheets")
START = {"query": 1, "key": 2}  # the second word and the third, where a cell is not named
GAP = " · "
_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'"
)


def _unsaid(words: Words) -> str:
    return ""


@dataclass(frozen=True)
class Setting:
    """What a file shows of a trace beside its numbers, and how it opens.

    key, sample, head: the step to begin with, the sample that is shown, the head that is chosen.
    steps: those on the rail; parts: what stands around the figure. place: the parameters of a link
    that lead to where it opens, such as ``stage=weights&row=2``. hidden: the places of tokens that
    are taken out of the picture. title, origin: what is shown and where the weights come from, in
    each language. picture: what went in, (height, width, 3). address: where the file comes from.
    """

    key: str = ""
    sample: int = 0
    head: int = 0
    steps: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    place: str = ""
    convention: Convention = "rows"
    hidden: tuple[int, ...] = ()
    title: Callable[[Words], str] = _unsaid
    origin: Callable[[Words], str] = _unsaid
    picture: np.ndarray | None = None
    address: str = ""


@dataclass
class _Pieces:
    """Bytes by a name each; the same bytes are kept once."""

    names: dict[bytes, str] = field(default_factory=dict)

    def name(self, piece: bytes) -> str:
        return self.names.setdefault(piece, f"piece-{len(self.names)}")


def html(trace: Trace, words: Words, setting: Setting | None = None) -> str:
    """The file. words: those of the language in which it opens; both are in it."""
    setting = setting or Setting()
    key = setting.key or _first(trace)
    steps = setting.steps or all_steps(trace)
    pieces = _Pieces()
    spoken = {**LANGUAGES, words.code: words}
    told: dict[str, Any] = {
        "language": words.code,
        "languages": {code: _around(trace, said, setting) for code, said in spoken.items()},
        "scenes": {
            code: [
                [pieces.name(piece) for piece in _scene(trace, part, steps, said, setting)]
                for part in _keys(trace, key)
            ]
            for code, said in spoken.items()
        },
        "parts": setting.parts or _parts(trace),
        "place": setting.place,
        "start": {"stage": key, "head": setting.head, "places": START},
    }
    return _page(told, pieces, setting.picture)


def _parts(trace: Trace) -> list[str]:
    """All that stands around a figure; chips only where the tokens are words that look at words."""
    chips = trace.token in ("word", "piece") and "weights" in trace and "memory" not in trace
    return [part for part in PARTS if chips or part != "chips"]


def _first(trace: Trace) -> str:
    return "scores" if "scores" in trace else first_step(trace)


def _keys(trace: Trace, key: str) -> list[str]:
    """A step of each scene that it takes to have all of them, the scene that opens first."""
    if _is_whole(trace):
        return [key]
    here = arrays.group_of(trace, key)
    away = (name for name in trace if name not in here and name in arrays.group_of(trace, name))
    return [key, *islice(away, 1)]


def _is_whole(trace: Trace) -> bool:
    return arrays.weigh(trace, arrays.needed(trace, trace)) <= arrays.ALL_AT_ONCE


def _scene(
    trace: Trace, key: str, steps: tuple[str, ...], words: Words, setting: Setting
) -> list[bytes]:
    packed = scene(
        trace, key, setting.sample, setting.head, steps, words, setting.convention, setting.hidden,
        origin=setting.origin(words),
    )  # fmt: skip
    header, pieces = blob.parts(packed)
    terms = header["sheets"]["terms"]
    header["sheets"]["terms"] = {
        key: [(name, _known(setting.address, way)) for name, way in found]
        for key, found in terms.items()
    }
    return [blob.head_of(header, pieces), *pieces]


def _known(address: str, way: str) -> str:
    """Where a page of the app stands whose file came from this address; "" where nobody knows."""
    return urljoin(address, way) if _is_web(address) else ""


def _is_web(address: str) -> bool:
    return urlsplit(address).scheme in ("http", "https")


def _around(trace: Trace, words: Words, setting: Setting) -> dict[str, Any]:
    """What stands around the microscope in one language."""
    said, given = WORDS[words.code], _given(trace, words, setting.sample)
    facts = [(said.input, given, "")]
    if origin := setting.origin(words):
        facts.append((said.weights, origin, ""))
    if setting.address:
        way = setting.address if _is_web(setting.address) else ""
        facts.append((said.address, setting.address, way))
    heading = setting.title(words) or words.product
    return {
        "name": words.name,
        "heading": heading,
        "title": GAP.join(dict.fromkeys((given, heading, words.product))),
        "facts": facts,
        "kept": _kept(trace, setting.head, words),
    }


def _given(trace: Trace, words: Words, sample: int) -> str:
    """What went in: the tokens that have names, or how many there are."""
    found = tokens_of(trace)
    if found is None:
        return ""
    axis, size = found
    if trace.token in WORDS[words.code].counted:
        n = size - len(axis.places("cls", size=size, sample=sample))
        return WORDS[words.code].counted[trace.token].format(n=n)
    filled = set(axis.places("filling", size=size, sample=sample))
    return " ".join(axis.label(i, sample) for i in range(size) if i not in filled)


def _kept(trace: Trace, head: int, words: Words) -> str:
    """Which head of several is here, where not all are."""
    heads, only = heads_of(trace), only_head(trace)
    if heads < 2 or (_is_whole(trace) and only is None):
        return ""
    shown = head if only is None else only
    return WORDS[words.code].one_head.format(head=shown + 1, heads=heads)


def _page(told: Mapping[str, Any], pieces: _Pieces, picture: np.ndarray | None) -> str:
    script = _script()
    opened = told["languages"][told["language"]]
    policy = _POLICY.format(script=b64encode(sha256(script.encode()).digest()).decode())
    kept = "\n".join(
        f'<script type="application/octet-stream" id="{name}">{_text(compress(piece, 9))}</script>'
        for piece, name in pieces.names.items()
    )
    return f"""<!DOCTYPE html>
<html lang="{told["language"]}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{escape(opened["title"])}</title>
<style>
{styled(FOLDER / "file.css")}</style>
</head>
<body>
<header><h1></h1><nav></nav>{_image(picture)}<dl></dl><p id="kept" role="status"></p></header>
<main id="microscope"><template shadowrootmode="open"><style>
{_style()}</style></template></main>
<script type="application/json" id="told">{_data(told)}</script>
{kept}
<script type="module">{script}</script>
</body>
</html>
"""


@cache
def _script() -> str:
    return "\n" + bundled(FOLDER / "file.js")


@cache
def _style() -> str:
    return styled(ASSETS / "common.css") + styled(FOLDER / "streamlit.css")


def _data(told: Mapping[str, Any]) -> str:
    """JSON that cannot end the script element that it stands in."""
    return json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")


def _text(piece: bytes) -> str:
    return b64encode(piece).decode()


def _image(picture: np.ndarray | None) -> str:
    if picture is None:
        return ""
    return f'<img alt="" src="{photo_url(picture)}">'
