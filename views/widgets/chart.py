"""A Plotly chart, which ``views.frame`` has drawn again when the theme changes."""

from contextlib import nullcontext
from typing import Any

import streamlit as st

WIDE = 6  # maps side by side from which a figure scrolls sideways rather than shrink to nothing


def show_chart(figure: Any, key: str, alt: str, *, maps: int = 1) -> None:
    """Show a figure of ``views.figures.chart``. alt: text for screen readers. maps: side by side.

    On a narrow screen a figure of more than ``WIDE`` maps scrolls sideways: see ``frame.css``.
    """
    with st.container(key=f"wide_{key}") if maps > WIDE else nullcontext():
        st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=alt)
