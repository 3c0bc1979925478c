"""Compare printed numbers, pasted by the user, with the computed ones of an example."""

import streamlit as st

from core import Trace
from core.exercises.proofreading import Print, farthest, plane
from core.models.worked import D4_H2, WHOLE_NUMBERS, WO_AI_BEIJING
from pages.understand.errata.parse_table import TableError, parse_table
from pages.understand.errata.printed import EXACT, side_by_side
from views import link, parse
from views.scene.steps import ATTENTION
from views.text import Words, numbers
from views.text.spans import Span, mathematics, spans
from views.widgets.choice import choice
from views.widgets.prose import heading, prose

BOOKS = {
    "wo_ai_beijing_causal": WO_AI_BEIJING.with_options(causal=True),
    "wo_ai_beijing": WO_AI_BEIJING,
    "whole_numbers": WHOLE_NUMBERS,
    "d4_h2": D4_H2,
}
FIRST_BOOK, FIRST_STAGE = "wo_ai_beijing_causal", "weights"
FIRST_TEXT = "1 0 0\n0.31 0.69 0\n0.11 0.20 0.69"


def check(texts: Words) -> None:
    """Draw the choice of example and step, the text area, and the comparison."""
    with st.container(border=True, key="check_card"):
        heading(texts.check)
        st.caption(mathematics(texts.check_lead))
        left, right = st.columns([1, 1.4], gap="medium")
        with left:
            trace, stage, head = _chosen(texts)
        with right:
            link.bind_param("pasted", FIRST_TEXT)
            st.text_area(texts.pasted, key="pasted", height=122, help=texts.pasted_help)
        _compared(trace, stage, head, texts)


def _chosen(texts: Words) -> tuple[Trace, str, int]:
    """Draw the choices; return the trace, the stage and the head from 0."""
    link.bind_param("book", FIRST_BOOK, parse.one_of(BOOKS))
    book = st.selectbox(
        texts.book, list(BOOKS), format_func=lambda one: texts.books[one], key="book",
    )  # fmt: skip
    trace = BOOKS[str(book)].trace()
    steps = [key for key in ATTENTION if key in trace]
    link.bind_param("printed", FIRST_STAGE, parse.one_of(ATTENTION))
    if st.session_state["printed"] not in steps:
        st.session_state["printed"] = FIRST_STAGE
    stage = trace[st.session_state["printed"]]
    link.bind_param("printed_head", 1, parse.number(1, D4_H2.trace()["Q"].size("head")))
    heads = stage.size("head")
    st.session_state["printed_head"] = min(st.session_state["printed_head"], heads)
    with st.container(horizontal=True):
        choice(texts.stage, "printed", steps, width=190)
        if heads > 1:
            choice(texts.head, "printed_head", range(1, heads + 1), width=110)
    return trace, stage.key, st.session_state["printed_head"] - 1


def _compared(trace: Trace, stage: str, head: int, texts: Words) -> None:
    """Draw both side by side, or a sentence that says why they cannot be compared."""
    rows, columns = plane(trace, stage, head).shape
    try:
        pasted = parse_table(st.session_state["pasted"])
        size = {"pasted_rows": len(pasted), "pasted_columns": len(pasted[0])}
        if (*size.values(),) != (rows, columns):
            raise TableError("shape", stage=stage, rows=rows, columns=columns, **size)
    except TableError as error:
        text = texts.errors[error.kind].format(**error.fields)
        prose([[(text, "")]], key="check_error", style="error")
        return
    printed = Print(stage, pasted, head)
    side_by_side(printed, trace, "check_grids", texts)
    prose([_result(printed, trace, texts)], key="check_told")


def _result(printed: Print, trace: Trace, texts: Words) -> list[Span]:
    """A sentence on how many numbers disagree, and on the largest difference."""
    wrong = printed.wrong(trace)
    read = str(sum(one is not None for row in printed.numbers for one in row))
    if not wrong.any():
        return spans(texts.agrees, all=read)
    row, column, off = farthest(printed, trace)
    return spans(
        texts.disagrees,
        wrong=str(int(wrong.sum())),
        all=read,
        off=numbers.plain(off, EXACT),
        row=str(row + 1),
        column=str(column + 1),
        printed=numbers.short(float(printed.values()[row, column])),
        computed=numbers.plain(float(printed.computed(trace)[row, column]), EXACT),
    )
