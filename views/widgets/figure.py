"""The step as a Plotly figure: to zoom, to read off, to save as PNG or SVG."""

import streamlit as st

from core import Trace
from views import link
from views.figures.arrange import narrowest
from views.figures.figure import step_figure
from views.figures.step import step_of
from views.naming import stage_words
from views.reader import theme
from views.selection import Selection
from views.spans import plain
from views.text import Words
from views.widgets.component import component

FORMATS = ("png", "svg")


def figure(trace: Trace, selection: Selection, words: Words, hidden: tuple[int, ...] = ()) -> None:
    """Draw the step in full size, with the tools of Plotly.

    hidden: the places of tokens that are taken out of the picture.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(words.viewer.figure_hint))
        kind = st.segmented_control(
            words.viewer.format, FORMATS, format_func=str.upper, key="format",
            on_change=link.touch, required=True, label_visibility="collapsed",
        )  # fmt: skip
    component("theme")(key="theme", data=theme(), on_theme_change=_redraw)
    drawn = step_figure(trace, selection.key, selection.at, theme(), selection.convention, hidden)
    with st.container(key="figure_scroll"):
        width = narrowest(step_of(trace, selection.key, selection.at, selection.convention))
        st.html(f"<style>:root {{ --figure-width: {width}px }}</style>")
        save = {"format": kind, "filename": selection.key, "scale": 2}
        st.plotly_chart(
            drawn,
            key="figure",
            theme=None,
            config={"displaylogo": False, "displayModeBar": True, "toImageButtonOptions": save},
            alt=stage_words(trace, selection.key, words).name,
        )


def _redraw() -> None:
    """The run that this callback begins is all that is wanted: it draws in the new theme."""
