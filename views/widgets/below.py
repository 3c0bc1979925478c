"""What stands below a step: the map of all steps, the shapes, the code, a figure to save."""

from collections.abc import Mapping

import streamlit as st

from core import Trace
from views import link, parse
from views.naming import stage_words
from views.selection import Selection
from views.text import Words
from views.widgets.code import code
from views.widgets.computation_map import computation_map
from views.widgets.figure import FORMATS, figure
from views.widgets.shape_table import heads_cost, shape_table

SHEETS = ("map", "shapes", "code", "figure")


def chosen_sheet() -> str:
    """Which of the sheets the reader looks at; kept in the link, with the format of the figure."""
    link.keep("format", FORMATS[0], parse.one_of(FORMATS))
    sheet: str = link.keep("below", SHEETS[0], parse.one_of(SHEETS))
    return sheet


def below(
    trace: Trace,
    selection: Selection,
    sheet: str,
    words: Words,
    hidden: tuple[int, ...] = (),
) -> None:
    """Show the chosen sheet. The others are not made: every step would pay for them.

    hidden: the places of tokens that are taken out of the figure.
    """
    key = selection.key
    labels = {name: getattr(words.viewer, name) for name in SHEETS}
    state = f"below_{words.code}"
    link.show(state, labels[sheet])
    tabs = st.tabs(list(labels.values()), key=state, on_change=_turned, args=(state, labels))
    with tabs[SHEETS.index(sheet)]:
        if sheet == "map":
            st.caption(words.viewer.map_hint)
            names = {name: stage_words(trace, name, words).name for name in trace}
            computation_map(trace, words.viewer.map, names, selection.convention)
        elif sheet == "shapes":
            with st.container(key="shapes"):
                shape_table(trace, key, words, selection.convention)
            heads_cost(trace, words)
        elif sheet == "code":
            code(trace, key, words, selection.convention)
        else:
            figure(trace, selection, words, hidden)


def _turned(state: str, labels: Mapping[str, str]) -> None:
    chosen = st.session_state[state]
    link.set_value("below", next(name for name, label in labels.items() if label == chosen))
