"""A Plotly chart, which ``views.frame`` has drawn again when the theme changes."""

from typing import Any

import streamlit as st


def show_chart(figure: Any, key: str, alt: str) -> None:
    """Show a figure of ``views.figures.chart``. alt: text for screen readers."""
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=alt)
