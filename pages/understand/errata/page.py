from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st

from core import Trace
from core.exercises.proofreading import agrees, first_disagreement
from core.models import errata
from core.models.errata import ERRATA, Erratum
from core.models.worked import D4_H2, WO_AI_BEIJING
from pages.understand.errata.printed import check, misprint
from views.figures.scale import Scale, signed_scale
from views.preferences import in_language, words
from views.scene.naming import SHARED_AXES
from views.selection import go_to
from views.text import Words, numbers, words_beside
from views.text.spans import mathematics, plain, spans
from views.widgets import lesson
from views.widgets.choice import option_input
from views.widgets.grids import Grid, grids
from views.widgets.lesson import page_link
from views.widgets.prose import heading, prose, source_code
from views.widgets.viewer import step_viewer

Fields = Mapping[str, str]
Shown = tuple[Sequence[Grid], Fields]
SHARES = Scale("share", 0, 1)
MORE = {  # the page where the claim can be tried
    "double_division": "break_it",
    "orthogonal": "heads",
    "source_causal": "masks",
    "mask_zero": "masks",
    "column_convention": "by_hand",
    "parameter_count": "heads",
    "nonlinear_combination": "heads",
    "rnn_previous_word": "before",
}
WORDS, PAIR, WIDE = WO_AI_BEIJING.tokens, ("1", "2"), ("1", "2", "3", "4")


def claim(name: str, texts: Words) -> None:
    """Draw the claim and its correction side by side, and the evidence below."""
    words = texts.claims[name]
    left, right = st.columns(2)
    for column, key, title, text in (
        (left, "claimed", texts.printed, words.printed),
        (right, "correct", texts.correct, words.correct),
    ):
        with column:
            st.caption(mathematics(title))
            prose([spans(text)], key=key, style="lead")
    drawn, fields = _SHOWN[name](words.get("grids", ()))
    if drawn:
        grids(drawn, key="evidence")
    prose([spans(words.shown, **fields)], key="findings")
    if name in MORE:
        page_link(texts.more, MORE[name])


def _double_division(titles: Sequence[str]) -> Shown:
    once, twice, left = errata.divided()
    sizes = {"d_model": errata.D_MODEL, "heads": errata.HEADS}
    fields = sizes | {"once": once, "twice": twice, "left": left}
    return (), {name: str(value) for name, value in fields.items()}


def _orthogonal(titles: Sequence[str]) -> Shown:
    cosines = errata.overlap_of_heads()
    grid = Grid(titles[0], cosines, Scale("signed", -1, 1), PAIR, PAIR, "d_k", "d_k")
    return (grid,), {"largest": numbers.plain(float(np.abs(cosines).max()))}


def _source_causal(titles: Sequence[str]) -> Shown:
    masked, whole = errata.source_masked()
    drawn = [
        Grid(titles[0], masked, SHARES, WORDS, WORDS, is_masked=np.triu(np.ones((3, 3), bool), 1)),
        Grid(titles[1], whole, SHARES, WORDS, WORDS),
    ]
    return drawn, {"masked": numbers.plain(masked[0, 0]), "whole": numbers.plain(whole[0, 2])}


def _mask_zero(titles: Sequence[str]) -> Shown:
    filled, right = errata.mask_filled_with_zero()
    forbidden = np.triu(np.ones((3, 3), bool), 1)
    drawn = [
        Grid(titles[0], filled, SHARES, WORDS, WORDS, marked=forbidden),
        Grid(titles[1], right, SHARES, WORDS, WORDS, is_masked=forbidden),
    ]
    leak = (filled * forbidden).sum(axis=1)
    return drawn, {"leak": numbers.plain(leak[0]), "other": numbers.plain(leak[1])}


def _column_convention(titles: Sequence[str]) -> Shown:
    rows, columns = errata.by_rows_and_columns()
    scale = signed_scale(rows)
    drawn = [
        Grid(titles[0], rows, scale, PAIR, PAIR, "query", "d_k"),
        Grid(titles[1], columns, scale, PAIR, PAIR, "d_k", "query"),
    ]
    shapes = (D4_H2.matrices["X"].shape, D4_H2.matrices["W_Q"][0].shape, rows.shape)
    fields = [f"{high} × {wide}" for high, wide in shapes]
    difference = numbers.difference(float(np.abs(rows - columns.T).max()))
    named = dict(zip(("rows", "matrix", "result"), fields, strict=True))
    return drawn, named | {"difference": difference}


def _parameter_count(titles: Sequence[str]) -> Shown:
    three, four = errata.parameters()
    return (), {
        "d_model": str(errata.D_MODEL),
        "heads": str(errata.HEADS),
        "three": numbers.count(three),
        "four": numbers.count(four),
    }


def _nonlinear(titles: Sequence[str]) -> Shown:
    one, other, output = errata.added_by_heads()
    scale = signed_scale(one, other, output)
    drawn = [
        Grid(title, part, scale, PAIR, WIDE, "query", "d_model", sign=sign)
        for title, part, sign in zip(titles, (one, other, output), ("+", "=", ""), strict=True)
    ]
    difference = float(np.abs(one + other - output).max())
    return drawn, {"difference": numbers.difference(difference)}


def _previous_word(titles: Sequence[str]) -> Shown:
    left = errata.left_of_the_words()
    scale = Scale("share", 0, float(left.max()))
    grid = Grid(titles[0], left[None], scale, (WORDS[-1],), WORDS, "query", "key")
    first, second, third = (numbers.plain(one) for one in left)
    weight = errata.CAUSAL.trace()["weights"].tensor[0, 0, 2, 0]
    return (grid,), {
        "seed": str(errata.SEED), "first": first, "second": second, "third": third,
        "weight": numbers.plain(weight, 4),
    }  # fmt: skip


def _subject(titles: Sequence[str]) -> Shown:
    score = WO_AI_BEIJING.trace()["scores"].tensor[0, 0, 0, 2]
    return (), {"score": numbers.plain(score, 0)}


_SHOWN: Mapping[str, Callable[[Sequence[str]], Shown]] = {
    "double_division": _double_division,
    "orthogonal": _orthogonal,
    "source_causal": _source_causal,
    "mask_zero": _mask_zero,
    "column_convention": _column_convention,
    "parameter_count": _parameter_count,
    "nonlinear_combination": _nonlinear,
    "rnn_previous_word": _previous_word,
    "subject_predicate": _subject,
}


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
