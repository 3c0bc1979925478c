"""Printed numbers next to computed ones: where they differ, and a possible cause."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from core import Trace
from core.exercises.proofreading import (
    INSTEAD,
    SIGNS,
    Print,
    difference_behind,
    explained_by_signs,
    farthest,
    first_disagreement,
    shared_instead,
)
from core.models.errata import Erratum, in_order
from core.models.worked import D4_H2
from views.figures.scale import Scale, scale_of
from views.text import Words, numbers
from views.text.spans import Span, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose

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
