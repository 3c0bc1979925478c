"""Backwards on the sheet: how one number of the result changes with every number before it."""

import numpy as np
import streamlit as st

from core import Trace, backward
from core.kinds import GRADIENT
from views import link, parse
from views.navigation import PAGES
from views.text import Words, numbers
from views.text.spans import isolated, spans
from views.widgets.choice import option_input
from views.widgets.prose import prose

DIRECTIONS = ("forwards", "backwards")
FIRST = {"forwards": "scores", "backwards": f"{GRADIENT}scaled"}
STRIP = tuple(f"{GRADIENT}{key}" for key in ("head_output", "weights", "scaled", "Q", "K", "V"))


def is_backwards() -> bool:
    """Whether the link says backwards, also before the control is drawn."""
    return str(link.bind_param("direction", DIRECTIONS[0], parse.one_of(DIRECTIONS))) != "forwards"


def direction_input(texts: Words) -> None:
    """Draw the choice of the direction."""
    option_input(
        texts.label, "direction", DIRECTIONS, texts.options.__getitem__, on_change=_show_first
    )


def _show_first() -> None:
    link.set_value("stage", FIRST[st.session_state["direction"]])


def gradients(trace: Trace, texts: Words) -> tuple[Trace, dict[str, int]]:
    """Draw the choice of the number that is watched.

    Returns the trace with the gradients behind it, and the cell that is watched, by axis.
    """
    result = [*trace.values()][-1]
    cells = [*np.ndindex(result.tensor.shape[1:])]

    def name(cell: tuple[int, ...]) -> str:
        labels = (axis.label(i) for axis, i in zip(result.axes[1:], cell, strict=True))
        return f"{result.key}[{', '.join(map(isolated, labels))}]"

    link.bind_param("watched", 1, parse.number(1, 10**6))
    if st.session_state["watched"] > len(cells):
        link.replace_param("watched", 1)
    st.selectbox(
        texts.watched, range(1, len(cells) + 1), format_func=lambda n: name(cells[n - 1]),
        key="watched",
    )  # fmt: skip
    cell = cells[st.session_state["watched"] - 1]
    seed = np.zeros(result.tensor.shape)
    seed[0][cell] = 1
    value = numbers.short(float(result.tensor[0][cell]))
    prose([spans(texts.says, watched=(name(cell), "symbol"), value=value)], key="backwards_says")
    st.page_link(
        str(PAGES["predict"]), label=f"{texts.paper} →",
        query_params=link.query_of("predict") | {"direction": DIRECTIONS[1], "paper": "shown"},
    )  # fmt: skip
    return backward(trace, {result.key: seed}), dict(zip(result.roles[1:], cell, strict=True))
