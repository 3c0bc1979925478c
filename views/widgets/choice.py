"""A select box whose options change under the reader, such as the words of a sentence."""

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
    called: Callable[[Any], str] = str,
    *,
    where: DeltaGenerator | None = None,
    **width: Any,
) -> None:
    """Let the reader choose the value of a kept parameter among these options.

    called: what an option is called. A browser answers with the name that it shows, and holds on to
    it when the names change; so a box with other names is another widget.
    """
    names = [called(option) for option in options]
    key = f"{name}_{zlib.crc32(repr(names).encode())}"
    link.show(key, st.session_state[name])

    def chosen() -> None:
        link.set_value(name, st.session_state[key])

    (where or st).selectbox(label, options, format_func=called, key=key, on_change=chosen, **width)
