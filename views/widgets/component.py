"""Streamlit components v2, whose front ends are .js and .css files under ``assets``.

Streamlit would send a component's code again with its data in every run. Instead the browser
imports that of all components once, as ``views.export.front_end`` puts it together, and Streamlit
sends the few lines that do so.
"""

import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import streamlit as st

from views import link
from views.export.bundle import ASSETS, bundle_js
from views.export.file import Beside
from views.export.front_end import address

ALONG = ("picture", "decoding", "samples", "timeline", "speech")  # components that a file takes
TEXTS = ("lead", "learnt")  # and texts, by key
# As serverUrl of assets/shared/server.js: the app may be served below a path. A connection may be
# lost for a moment. Once the script is there nothing waits, so that no run is drawn before another.
_DRAW = """const {{ src }} = document.querySelector('script[type="module"][src]');
const load = () => import(new URL("../../{address}", src));
const again = () => new Promise((done) => setTimeout(done, 1000)).then(load);
let draw;
const begin = (module, given) => (draw = module.draw)("{name}", given);
export default (given) =>
  draw ? draw("{name}", given) : load().catch(again).then((module) => begin(module, given));
"""


@dataclass
class Mounted:
    """What the page shows that a file takes along: in this run, and in the one before.

    By key; of a photo that is shown twice the first.
    """

    page: str = ""
    now: dict[str, Beside] = field(default_factory=dict)
    before: dict[str, Beside] = field(default_factory=dict)


def begin_run() -> None:
    """Forget what was mounted two runs ago, or on another page."""
    mounted, page = link.remembered(Mounted), link.session().page
    mounted.before = mounted.now if page == mounted.page else {}
    mounted.now, mounted.page = {}, page


def beside() -> tuple[Beside, ...]:
    """What goes along in a file, whether this run has drawn it already or will."""
    mounted = link.remembered(Mounted)
    return (*(mounted.before | mounted.now).values(),)


def component(name: str) -> Any:
    """The mount function of a component. Its data: JSON, or bytes as ``is_json`` knows them."""
    mount = _registered(name)

    def mounted(*, key: str, data: Any = None, **more: Any) -> Any:
        if name in ALONG or key in TEXTS:
            is_photo = name == "picture"
            shown = f"{data['checksum']} {data['weights'] is None}" if is_photo else key
            link.remembered(Mounted).now.setdefault(shown, Beside(name, data))
        # As bytes: in anything else Streamlit looks for tables, and writes it as JSON twice.
        sent = (
            data
            if data is None or isinstance(data, bytes)
            else json.dumps(data, ensure_ascii=False).encode()
        )
        return mount(key=key, data=sent, **more)

    return mounted


def is_json(sent: bytes) -> bool:
    """Whether bytes that a component is sent are JSON.

    Others begin with a number of 8 bytes, such as the size of a header, whose last is 0.
    """
    return sent[7:8] != b"\0"


@cache
def _registered(name: str) -> Any:
    """The mount function, registered once per server process."""
    return st.components.v2.component(name, js=_DRAW.format(address=address(), name=name))


@cache
def early_keys() -> str:
    """What hears keys for presenter view before any component is there."""
    return f'<script type="module">{bundle_js(ASSETS / "wall" / "early.js")}</script>'
