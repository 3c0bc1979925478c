"""Inputs of one of several options: bound to the link, samples, and words of a sentence."""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Trace
from views import link, parse
from views.figures.axis import shortened
from views.navigation import ON_WALL
from views.scene.naming import num_heads
from views.selection import Selection, choose_token


def option_input(
    label: str,
    name: str,
    options: Iterable[Any],
    format_func: Callable[[Any], str] = str,
    *,
    first: Any = None,
    where: DeltaGenerator | None = None,
    pills: bool = False,
    **more: Any,
) -> Any:
    """Draw a segmented control, or pills, and return the chosen option.

    name: the query parameter, and the key of the widget. format_func: from an option to its label.
    first: the default option instead of the first. where: the container. more: for the widget.
    """
    listed = list(options)
    link.bind_param(name, listed[0] if first is None else first, parse.one_of(listed))
    if name in ON_WALL[link.session().page]["control"]:
        link.offer(name, listed)
    make = (where or st).pills if pills else (where or st).segmented_control
    return make(label, listed, format_func=format_func, key=name, required=True, **more)


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
    then: Callable[[], None] | None = None,
    **width: Any,
) -> None:
    """Draw a select box for a bound parameter.

    name: the parameter. format_func: from an option to its label. where: the container. then:
    callback, once the parameter has another value.
    The widget's key depends on the labels: a browser keeps the label that it shows even if the
    options change.
    """
    labels = [format_func(option) for option in options]
    key = f"{name}_{zlib.crc32(repr(labels).encode())}"
    link.show(key, st.session_state[name])

    def on_change() -> None:
        link.set_value(name, st.session_state[key])
        if then:
            then()

    (where or st).selectbox(
        label, options, format_func=format_func, key=key, on_change=on_change, **width
    )


def row_input(
    trace: Trace, selection: Selection, query_label: str, head_label: str
) -> tuple[int, int]:
    """Draw the controls inside a row; return head and query, from 0.

    The microscope must follow (``step_viewer``), and be drawn after.
    """
    names = trace["weights"].axis("query").names() or ()
    query = min(selection.at["query"], len(names) - 1)
    key = f"query_{zlib.crc32(repr(names).encode())}"  # a browser keeps labels of former options
    link.show(key, query)

    def chosen() -> None:
        choose_token(st.session_state[key])

    st.selectbox(
        query_label, range(len(names)), key=key, on_change=chosen, width=190,
        format_func=lambda i: f"{i + 1} · {shortened(names[i])}",
    )  # fmt: skip
    st.segmented_control(
        head_label, range(1, num_heads(trace) + 1), key="head", required=True,
        on_change=link.mark_selection_set, args=("head",),
    )  # fmt: skip
    return selection.at["head"], query
