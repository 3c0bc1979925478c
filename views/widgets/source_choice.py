"""Where the weights of a page come from, kept in the link as ``model``."""

from collections.abc import Callable, Mapping

import streamlit as st

from views import link, parse


def source_choice(
    label: str,
    sources: tuple[str, ...],
    labels: Mapping[str, str],
    on_change: Callable[[], None] | None = None,
) -> str:
    """Draw the choice of one of these sources and return it. labels: by source."""
    link.bind_param("model", sources[0], parse.one_of(sources))
    st.segmented_control(
        label,
        sources,
        format_func=lambda name: labels[name],
        key="model",
        required=True,
        width="stretch",
        on_change=on_change,
    )
    chosen: str = st.session_state["model"]
    return chosen
