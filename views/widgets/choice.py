"""Buttons for samples, and a select box whose options may change, such as words of a sentence."""

import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from views import link


def sample_buttons(samples: Mapping[str, str], choose: Callable[[str], None] | None = None) -> None:
    """Draw a button for each sample, which by default becomes the parameter ``text``.

    samples: by the labels of their buttons. choose: callback, given the sample.
    """
    choose = choose or partial(link.set_value, "text")
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, (label, sample) in enumerate(samples.items()):
            st.button(label, key=f"sample_{number}", on_click=choose, args=(sample,))


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
