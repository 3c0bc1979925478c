"""The choice of an erratum, and its card: as printed, as computed, and the reason."""

import inspect

import streamlit as st

from core import Trace
from core.exercises import proofreading
from core.models.errata import ERRATA, Erratum
from pages.understand.errata.claims import claim
from pages.understand.errata.printed import misprint
from views import link, parse
from views.preferences import in_language
from views.scene.naming import SHARED_AXES
from views.selection import go_to
from views.text import Words, words_beside
from views.text.spans import plain, spans
from views.widgets.prose import prose

WORDS = words_beside(__file__)

FIRST = "softmax_row_2"


def erratum_input(texts: Words) -> Erratum:
    """Draw the choice of an erratum and return it; the microscope opens its cell."""
    link.bind_param("erratum", FIRST, parse.one_of(ERRATA))
    name = st.pills(
        texts.choose, list(ERRATA), format_func=lambda one: plain(texts.names[one]),
        key="erratum", on_change=_go_to_cell, required=True,
    )  # fmt: skip
    return ERRATA[str(name)]


def positions_of(erratum: Erratum) -> dict[str, int]:
    """The head and the cell that show the erratum, from 0 by shared axis."""
    roles = erratum.sheet.trace()[erratum.stage].roles
    return {SHARED_AXES.get(role, role): at for role, at in zip(roles, erratum.cell, strict=True)}


def _go_to_cell() -> None:
    """Callback: move the microscope to the cell of the chosen erratum."""
    erratum = ERRATA[st.session_state["erratum"]]
    places = positions_of(erratum)
    go_to(erratum.stage, places.pop("head", 0), places)


def card(erratum: Erratum, trace: Trace, words: Words) -> None:
    """Draw the printed and the computed numbers or claims, and where they differ."""
    texts = in_language(WORDS)
    with st.container(border=True, key="erratum_card"):
        prose([spans(texts.where[erratum.name])], key="where", style="quiet")
        if erratum.printed is None:
            claim(erratum.name, texts)
        else:
            misprint(erratum, erratum.printed, trace, texts)


def code(texts: Words) -> None:
    """Draw the source code of the comparison."""
    with st.expander(texts.code):
        for function in (proofreading.agrees, proofreading.first_disagreement):
            st.code(inspect.getsource(function), language="python")
