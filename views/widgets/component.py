"""Streamlit components v2, whose front ends are .js and .css files under ``assets/<name>/``."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import streamlit as st

from views import link
from views.export.bundle import ASSETS, bundle_css, bundle_js
from views.export.file import Beside

ALONG = ("picture", "decoding", "samples", "timeline", "speech")  # components that a file takes
TEXTS = ("lead", "learnt")  # and texts, by key


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


def component(name: str, folder: str = "") -> Any:
    """The mount function of a component."""
    mount = _registered(name, folder)
    if name not in (*ALONG, "prose"):
        return mount

    def remembering(*, key: str, data: Any, **more: Any) -> Any:
        if name in ALONG or key in TEXTS:
            is_photo = name == "picture"
            shown = f"{data['checksum']} {data['weights'] is None}" if is_photo else key
            link.remembered(Mounted).now.setdefault(shown, Beside(name, folder or name, data))
        return mount(key=key, data=data, **more)

    return remembering


@cache
def _registered(name: str, folder: str) -> Any:
    """The mount function, registered once per server process.

    Its front end is ``assets/<folder>/<name>.js`` and ``.css``, preceded by ``common.css``. folder:
    by default the component's name.
    """
    path = ASSETS / (folder or name)
    css = bundle_css(ASSETS / "common.css") + bundle_css(path / f"{name}.css")
    return st.components.v2.component(name, css=css, js=bundle_js(path / f"{name}.js"))


@cache
def early_keys() -> str:
    """What hears keys for presenter view before any component is there."""
    return f'<script type="module">{bundle_js(ASSETS / "wall" / "early.js")}</script>'
