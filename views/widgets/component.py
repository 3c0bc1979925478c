"""Components whose front end is real .js and .css files under ``assets/<name>/``."""

from functools import cache
from typing import Any

import streamlit as st

from views.bundle import ASSETS, bundle_css, bundle_js


@cache
def component(name: str, folder: str = "") -> Any:
    """The mounting command of a component, registered once for the whole server.

    Its front end is ``assets/<folder>/<name>.js`` and ``.css``, the latter behind ``common.css``;
    the folder has the component's name unless another is given.
    """
    path = ASSETS / (folder or name)
    css = bundle_css(ASSETS / "common.css") + bundle_css(path / f"{name}.css")
    return st.components.v2.component(name, css=css, js=bundle_js(path / f"{name}.js"))
