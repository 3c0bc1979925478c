"""A select box whose options may change, such as the words of a sentence."""

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from views import link


def choice(
    label: str,
    name: str,
    options: Sequence[Any],
    format_func: Callable[[Any], str] = str,
    *,
    where: DeltaGenerator | None = None,
    **width: Any,
) -> None:
    """Draw a select box for a bound parameter.

    name: the parameter. format_func: from an option to its label. where: the container.
    The widget's key depends on the labels: a browser keeps the label that it shows even if the
    options change.
    """
    labels = [format_func(option) for option in options]
    key = f"{name}_{zlib.crc32(repr(labels).encode())}"
    link.show(key, st.session_state[name])

    def on_change() -> None:
        link.set_value(name, st.session_state[key])

    (where or st).selectbox(
        label, options, format_func=format_func, key=key, on_change=on_change, **width
    )
