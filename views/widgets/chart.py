"""A Plotly chart that follows the theme."""

from typing import Any

import streamlit as st

from views.preferences import theme
from views.widgets.component import component


def show_chart(figure: Any, key: str, alt: str) -> None:
    """Show a figure of ``views.figures.chart``; a change of theme reruns the page.

    alt: text for screen readers.
    """
    component("theme")(key=f"theme_{key}", data=theme(), on_theme_change=_redraw)
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=alt)


def _redraw() -> None:
    """Callback that does nothing: the rerun that it causes draws the chart in the new theme."""
