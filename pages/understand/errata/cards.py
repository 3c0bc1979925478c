"""Which erratum is looked at, what is printed and what is so, and the cell that shows it."""

import inspect

import streamlit as st

from core import Trace
from core.exercises import proofreading
from core.models.errata import ERRATA, Erratum
from pages.understand.errata.claims import claim
from pages.understand.errata.printed import misprint
from pages.understand.errata.words import WORDS, ErrataWords
from views import link, parse
from views.naming import SHARED_AXES
from views.reader import in_language
from views.selection import go_to
from views.spans import plain, spans
from views.text import Words
from views.widgets.prose import prose

FIRST = "softmax_row_2"


def chosen(texts: ErrataWords) -> Erratum:
    """Which erratum the reader looks at; the microscope goes along."""
    link.bind_param("erratum", FIRST, parse.one_of(ERRATA))
    name = st.pills(
        texts.choose, list(ERRATA), format_func=lambda one: plain(texts.names[one]),
        key="erratum", on_change=_go_to_cell, required=True,
    )  # fmt: skip
    return ERRATA[str(name)]


def places_of(erratum: Erratum) -> dict[str, int]:
    """The head and the cell that show the erratum, from 0 by what each axis means."""
    roles = erratum.sheet.trace()[erratum.stage].roles
    return {SHARED_AXES.get(role, role): at for role, at in zip(roles, erratum.cell, strict=True)}


def _go_to_cell() -> None:
    """Callback: bring the microscope to the cell of the erratum that was chosen."""
    erratum = ERRATA[st.session_state["erratum"]]
    places = places_of(erratum)
    go_to(erratum.stage, places.pop("head", 0), places)


def card(erratum: Erratum, trace: Trace, words: Words) -> None:
    """As printed and as it is, where they part, and what a computation says about it."""
    texts = in_language(WORDS)
    with st.container(border=True, key="erratum_card"):
        prose([spans(texts.where[erratum.name])], key="where", style="quiet")
        if erratum.printed is None:
            claim(erratum.name, texts)
        else:
            misprint(erratum, erratum.printed, trace, texts)


def code(texts: ErrataWords) -> None:
    """The functions that compare."""
    with st.expander(texts.code):
        for function in (proofreading.agrees, proofreading.parting):
            st.code(inspect.getsource(function), language="python")
