"""A chart of an experiment on the page."""

from typing import Any

import streamlit as st

from views.reader import theme
from views.widgets.component import component


def show_chart(figure: Any, key: str, alt: str) -> None:
    """Show a figure made by ``views.figures.chart``; another theme makes the page draw it anew.

    alt: what it shows, for those who hear the page.
    """
    component("theme")(key=f"theme_{key}", data=theme(), on_theme_change=_redraw)
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=alt)


def _redraw() -> None:
    """The run that this callback begins is all that is wanted: it draws in the new theme."""
