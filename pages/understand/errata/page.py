import streamlit as st

from core import Trace
from core.exercises.proofreading import agrees, first_disagreement
from core.models.errata import ERRATA, Erratum
from pages.understand.errata.check import check
from pages.understand.errata.claims import claim
from pages.understand.errata.printed import misprint
from views.preferences import in_language, words
from views.scene.naming import SHARED_AXES
from views.selection import go_to
from views.text import Words, words_beside
from views.text.spans import plain, spans
from views.widgets import lesson
from views.widgets.choice import option_input
from views.widgets.prose import heading, prose, source_code
from views.widgets.viewer import step_viewer

FIRST = "softmax_row_2"


def erratum_input(texts: Words) -> Erratum:
    """Draw the choice of an erratum and return it; the microscope opens its cell."""
    name = option_input(
        texts.choose, "erratum", ERRATA, lambda one: plain(texts.names[one]),
        first=FIRST, pills=True, on_change=_go_to_cell,
    )  # fmt: skip
    return ERRATA[name]


def positions_of(erratum: Erratum) -> dict[str, int]:
    """The head and the cell that show the erratum, from 0 by shared axis."""
    roles = erratum.sheet.trace()[erratum.stage].roles
    return {SHARED_AXES.get(role, role): at for role, at in zip(roles, erratum.cell, strict=True)}


def _go_to_cell() -> None:
    """Callback: move the microscope to the cell of the chosen erratum."""
    erratum = ERRATA[st.session_state["erratum"]]
    positions = positions_of(erratum)
    go_to(erratum.stage, positions.pop("head", 0), positions)


def card(erratum: Erratum, trace: Trace, texts: Words) -> None:
    """Draw the printed and the computed numbers or claims, and where they differ."""
    with st.container(border=True, key="erratum_card"):
        prose([spans(texts.where[erratum.name])], key="where", style="quiet")
        if erratum.printed is None:
            claim(erratum.name, texts)
        else:
            misprint(erratum, erratum.printed, trace, texts)


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
erratum = erratum_input(texts)
trace = erratum.sheet.trace()
card(erratum, trace, texts)
heading(texts.opened)
step_viewer(
    trace,
    words(),
    parts=("stepper", "sheets"),
    follow=False,
    first=erratum.stage,
    start=positions_of(erratum),
)
check(texts)
source_code(texts.code, agrees, first_disagreement)
lesson.footer(texts.lesson, words())
