"""Why softmax subtracts the maximum: a constant added to every score, with and without it."""

import numpy as np
import streamlit as st

from core import ops
from core.experiments.softmax_variants import largest_exponent, softmax_without_max
from pages.understand.softmax.cards import added, column
from pages.understand.softmax.controls import Row
from views import link, parse
from views.figures.scale import Scale
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.grids import grids
from views.widgets.prose import heading, prose

CONSTANTS = (-1000, -10, 0, 10, 1000)
FIRST = 1000
SHARE = Scale("share", 0, 1)


def constant_section(row: Row, texts: Words) -> None:
    """Draw the choice of the constant, and the naive and the stable softmax side by side."""
    heading(texts.heading)
    prose([spans(texts.lead)], key="constant_lead")
    constant: int = link.bind_param("constant", FIRST, parse.one_of(CONSTANTS))
    st.segmented_control(
        texts.label, CONSTANTS, format_func=lambda c: numbers.plain(c, 0),
        key="constant", required=True,
    )  # fmt: skip
    moved = np.array(row.scores) + constant
    naive, stable = softmax_without_max(moved), ops.softmax_steps(moved)
    left, right = st.columns(2)
    with left, st.container(border=True, height="stretch", key="naive_card"):
        heading(texts.naive, level=3)
        _naive(row, moved, naive)
    with right, st.container(border=True, height="stretch", key="stable_card"):
        heading(texts.stable, level=3)
        _stable(row, stable)
    total = float(naive["sum"])
    template = texts.overflow if np.isinf(total) else texts.fine if total else texts.underflow
    fields: dict[str, str | tuple[str, str]] = {
        "largest": (numbers.short(float(moved.max())), "sup"),
        "float64": numbers.plain(largest_exponent(64), 1),
        "float32": numbers.plain(largest_exponent(32), 1),
        "c": ("c", "sup"),
        "x": ("x", "sup"),
    }
    prose([spans(template, **fields), spans(texts.bias)], key="constant_reads")


def _naive(row: Row, moved: np.ndarray, steps: dict[str, np.ndarray]) -> None:
    exponentials, weights = steps["exponentials"], steps["weights"]
    total = numbers.short(float(steps["sum"]))
    largest = float(exponentials.max(initial=0, where=np.isfinite(exponentials))) or 1.0
    drawn = [
        column("x + c", moved, _signed(moved), rows=row.keys, sign="→"),
        column(
            "exp(x + c)",
            exponentials,
            Scale("share", 0, largest),
            is_masked=~np.isfinite(exponentials)[:, None],
            below=(f"Σ = {total}",),
            sign="÷ Σ =",
        ),
        column("weights", weights, SHARE, digits=3, is_masked=np.isnan(weights)[:, None]),
    ]
    grids(drawn, key="naive")


def _stable(row: Row, steps: dict[str, np.ndarray]) -> None:
    largest, shifted = numbers.short(float(steps["max"])), steps["shifted"]
    total, digits, equals = added(steps["exponentials"], float(steps["sum"]))
    below = (f"max = {largest}",)
    drawn = [
        column("x + c − max", shifted, _signed(shifted), rows=row.keys, below=below, sign="→"),
        column(
            "exp(…)",
            steps["exponentials"],
            SHARE,
            digits=digits,
            below=(f"Σ {equals} {total}",),
            sign="÷ Σ =",
        ),
        column("weights", steps["weights"], SHARE, digits=3),
    ]
    grids(drawn, key="stable")


def _signed(values: np.ndarray) -> Scale:
    limit = float(np.abs(values).max()) or 1.0
    return Scale("signed", -limit, limit)
