"""Printed numbers beside the computed ones: of an erratum, and of a table that the user pastes."""

import math
import re
from collections.abc import Callable, Mapping

import numpy as np
import streamlit as st

from core import Trace
from core.exercises.judging import Guess, parse_number
from core.exercises.proofreading import (
    INSTEAD,
    SIGNS,
    Print,
    difference_behind,
    explained_by_signs,
    farthest,
    first_disagreement,
    plane,
    shared_instead,
)
from core.limits import PRINTED
from core.models.errata import Erratum, in_order
from core.models.worked import D4_H2, WHOLE_NUMBERS, WO_AI_BEIJING
from core.sources.matrix import grouped
from views import link, parse
from views.figures.scale import Scale, scale_of
from views.scene.steps import ATTENTION
from views.text import Words, numbers
from views.text.spans import Span, mathematics, spans
from views.widgets.choice import choice
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose

EXACT = 4  # digits of a computed number beside a printed one
Fields = Mapping[str, str]


def misprint(erratum: Erratum, printed: Print, trace: Trace, texts: Words) -> None:
    """Draw both side by side, where they differ first, and the computed cause."""
    side_by_side(printed, trace, "erratum_grids", texts)
    why = spans(texts.why[erratum.name], **_WHY[erratum.name](erratum, printed, trace))
    prose([_first_difference(erratum, printed, trace, texts), why], key="findings")


def side_by_side(printed: Print, trace: Trace, key: str, texts: Words) -> None:
    """Draw printed, computed and difference, with disagreeing numbers framed."""
    given, computed, wrong = printed.values(), printed.computed(trace), printed.wrong(trace)
    stage = trace[printed.stage]
    rows, columns = stage.roles[-2:]
    last = printed.row + len(given)
    names = [stage.axis(rows).label(i) for i in range(printed.row, last)]
    across = [stage.axis(columns).label(j) for j in range(given.shape[1])]
    unread = np.isnan(given)
    with np.errstate(invalid="ignore"):
        off = np.where(given == computed, 0, given - computed)
    limit = float(np.abs(off[np.isfinite(off)]).max(initial=0)) or 1.0
    digits = max((_digits(one.unit) for row in printed.numbers for one in row if one), default=2)

    def grid(title: str, values: np.ndarray, scale: Scale, digits: int, sign: str) -> Grid:
        return Grid(
            title, np.nan_to_num(values, nan=0, posinf=np.inf, neginf=-np.inf), scale, names,
            across, rows, columns, marked=wrong if sign != "=" else None,
            covered=unread if unread.any() and sign != "=" else None, digits=digits, sign=sign,
            is_masked=np.isneginf(values) if np.isneginf(values).any() else None,
        )  # fmt: skip

    scale = scale_of(trace, printed.stage)
    grids(
        [
            grid(f"{printed.stage} · {texts.printed}", given, scale, digits, "−"),
            grid(f"{printed.stage} · {texts.computed}", computed, scale, EXACT, "="),
            grid(texts.off, off, Scale("signed", -limit, limit), EXACT, ""),
        ],
        key=key,
    )


def _first_difference(erratum: Erratum, printed: Print, trace: Trace, texts: Words) -> list[Span]:
    """A sentence on the first step whose printed numbers differ from the computed ones."""
    first = first_disagreement(in_order(erratum), trace)
    row, column, off = farthest(printed, trace)
    if first is None:
        value = float(printed.computed(trace)[0, 0])
        return spans(
            texts.parts_nowhere,
            printed=numbers.plain(printed.values()[0, 0], 0),
            computed=numbers.plain(value, EXACT),
        )
    if first is not printed:
        before = numbers.plain(farthest(first, trace)[2], EXACT)
        here = numbers.plain(off, EXACT)
        return spans(texts.parts_before, stage=first.stage, off=before, here=here)
    wrong = printed.wrong(trace)
    return spans(
        texts.parts,
        stage=first.stage,
        wrong=str(int(wrong.sum())),
        all=str(wrong.size),
        off=numbers.plain(off, EXACT),
        row=str(row + 1),
        column=str(column + 1),
    )


def _of_query(erratum: Erratum, printed: Print, trace: Trace) -> Fields:
    """How many wrong numbers are explained by wrong signs and by omitted products."""
    X, W = D4_H2.matrices["X"], D4_H2.matrices["W_Q"][printed.head]
    wrong = np.argwhere(printed.wrong(trace)).tolist()
    explained = [
        (i, j)
        for i, j in wrong
        if (one := printed.numbers[i][j]) and explained_by_signs(one, X[i], W[:, j])
    ]
    ways = len(SIGNS) ** len(W)
    return {"ways": str(ways), "wrong": str(len(wrong)), "explained": str(len(explained))}


def _of_softmax(erratum: Erratum, printed: Print, trace: Trace) -> Fields:
    """The scores, or another normalisation, that give the printed weights."""
    shares = [one for one in printed.numbers[0] if one]
    a, b = scores = trace["scaled"].tensor[0, 0, 1, :2]
    least, most = difference_behind(shares)
    return {
        "a": numbers.plain(a, 2), "b": numbers.plain(b, 3), "gap": numbers.plain(b - a, 3),
        "p": numbers.plain(shares[0].value, 2), "q": numbers.plain(shares[1].value, 2),
        "least": numbers.plain(least, 2), "most": numbers.plain(most, 2),
        "tried": ", ".join(INSTEAD), "found": ", ".join(shared_instead(shares, scores)),
    }  # fmt: skip


def _of_inherited(erratum: Erratum, printed: Print, trace: Trace) -> Fields:
    """The weighted sum with the weights as printed."""
    shares = [one.value for one in in_order(erratum)[0].numbers[0] if one]
    V = trace["V"].tensor[0, 0, :2, 0]
    return {
        "p": numbers.plain(shares[0], 2), "v": numbers.plain(V[0], 0),
        "q": numbers.plain(shares[1], 2), "w": numbers.plain(V[1], 0),
        "total": numbers.plain(float(np.dot(shares, V)), 1),
    }  # fmt: skip


def _of_rounded(erratum: Erratum, printed: Print, trace: Trace) -> Fields:
    """The weighted sum with weights rounded to one digit."""
    row, V = trace["weights"].tensor[0, 0, printed.row], trace["V"].tensor[0, 0, :, 0]
    rounded = [float(numbers.rounded(weight, 1)) for weight in row]
    total, value = float(np.dot(rounded, V)), float(printed.computed(trace)[0, 0])
    return {
        "weights": ", ".join(numbers.plain(one, 1) for one in rounded),
        "total": numbers.plain(total, 1),
        "here": numbers.plain(total - value, EXACT),
        "computed": numbers.plain(value, EXACT),
    }


_WHY: Mapping[str, Callable[[Erratum, Print, Trace], Fields]] = {
    "q1": _of_query,
    "q2": _of_query,
    "softmax_row_2": _of_softmax,
    "output_row_2": _of_inherited,
    "output_row_3": _of_rounded,
}


def _digits(unit: float) -> int:
    """The number of decimals of a number whose last digit has this unit."""
    if not unit:
        return EXACT
    return 0 if unit >= 1 else round(-math.log10(unit))


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


UNREAD = ("?", "…", "...", "*")
_BRACKETS = str.maketrans({bracket: " " for bracket in "[](){}|，；【】（）"} | {"\u3000": " "})


class TableError(ValueError):
    """The text is not a table. kind: the reason. fields: for its sentence."""

    def __init__(self, kind: str, **fields: str | int) -> None:
        super().__init__(f"{kind}: {fields}")
        self.kind = kind
        self.fields: Mapping[str, str | int] = fields


def parse_table(text: str) -> tuple[tuple[Guess | None, ...], ...]:
    """Parse rows of numbers; None for ``?`` or ``…``, which are not compared.

    Rows end with a line break or semicolon. Tabs, spaces and brackets separate numbers, and so do
    commas if some number has a decimal point. Raises TableError of the kind ``empty``, ``long``,
    ``large``, ``ragged`` or ``number``, with rows and columns counted from 1, or ``grouped`` for
    thousands separators that could also separate numbers.
    """
    if len(text) > PRINTED.text:
        raise TableError("long", limit=PRINTED.text)
    grouped_number = grouped(text.translate(_BRACKETS))
    if grouped_number and (
        "." in grouped_number.text or "," not in grouped_number.text
    ):  # 1,000 is a decimal comma here
        raise TableError("grouped", text=grouped_number.text[:24], plain=grouped_number.plain[:24])
    rows = [_cells(line, "." in text) for line in re.split(r"[\n\r;；]+", text)]
    rows = [row for row in rows if row]
    if not rows:
        raise TableError("empty")
    width = len(rows[0])
    if len(rows) > PRINTED.lines or width > PRINTED.tokens:
        raise TableError("large", rows=len(rows), columns=width, limit=PRINTED.lines)
    for number, row in enumerate(rows, start=1):
        if len(row) != width:
            raise TableError("ragged", row=number, columns=len(row), first=width)
    return tuple(
        tuple(_number(cell, i, j) for j, cell in enumerate(row, start=1))
        for i, row in enumerate(rows, start=1)
    )


def _cells(line: str, points: bool) -> list[str]:
    plain = line.translate(_BRACKETS)
    return re.sub(r",(?=\s|$)" if not points else ",", " ", plain).split()


def _number(text: str, row: int, column: int) -> Guess | None:
    if text in UNREAD:
        return None
    try:
        return parse_number(text)
    except ValueError:
        raise TableError("number", row=row, column=column, text=text[:24]) from None
