"""The choice of a head and of a query, the same as in the microscope of the page."""

import zlib

import streamlit as st

from core import Trace
from views import link
from views.figures.axis import shortened
from views.scene.naming import num_heads
from views.selection import Selection, choose_token


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
        format_func=lambda place: f"{place + 1} · {shortened(names[place])}",
    )  # fmt: skip
    st.segmented_control(
        head_label, range(1, num_heads(trace) + 1), key="head", required=True,
        on_change=link.mark_selection_set, args=("head",),
    )  # fmt: skip
    return selection.at["head"], query
