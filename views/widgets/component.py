"""Streamlit components v2, whose front ends are .js and .css files under ``assets/<name>/``."""

from functools import cache
from typing import Any

import streamlit as st

from views.export.bundle import ASSETS, bundle_css, bundle_js


@cache
def component(name: str, folder: str = "") -> Any:
    """The mount function of a component, registered once per server process.

    Its front end is ``assets/<folder>/<name>.js`` and ``.css``, preceded by ``common.css``. folder:
    by default the component's name.
    """
    path = ASSETS / (folder or name)
    css = bundle_css(ASSETS / "common.css") + bundle_css(path / f"{name}.css")
    return st.components.v2.component(name, css=css, js=bundle_js(path / f"{name}.js"))
