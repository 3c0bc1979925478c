"""Components whose front end is real .js and .css files under ``assets/<name>/``."""

from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

ASSETS = Path(__file__).parents[2] / "assets"


@cache
def component(name: str) -> Any:
    """The mounting command of a component, registered once for the whole server.

    Its front end is ``assets/<name>/<name>.js`` and ``.css``, the latter behind ``common.css``.
    """
    folder = ASSETS / name
    css = (ASSETS / "common.css").read_text("utf-8") + (folder / f"{name}.css").read_text("utf-8")
    js = (folder / f"{name}.js").read_text("utf-8")
    return st.components.v2.component(name, css=css, js=js)
