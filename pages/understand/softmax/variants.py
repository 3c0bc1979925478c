"""Softmax over other axes than the keys, and with a constant added to every score."""

import numpy as np
import streamlit as st

from core import ops
from core.experiments.softmax_variants import (
    OVER,
    Over,
    WeightSums,
    largest_exponent,
    softmax_over,
    softmax_without_max,
)
from pages.understand.softmax.cards import added, column
from pages.understand.softmax.controls import Row
from views.figures.scale import Scale, signed_scale
from views.preferences import words
from views.text import Words, numbers
from views.text.spans import plain, spans
from views.widgets.grids import Grid, grids
from views.widgets.option_input import option_input
from views.widgets.prose import heading, prose

TOKENS = ("我", "爱", "北京")
Q = K = np.array([[2.0], [3.0], [5.0]])  # (query, d_k), (key, d_k)
V = np.array([[10.0], [20.0], [30.0]])
SCALE = 1 / 8
CONSTANTS = (-1000, -10, 0, 10, 1000)
FIRST = 1000
SHARE = Scale("share", 0, 1)


def axis_section(texts: Words) -> None:
    """Draw the choice of an axis, the scores and weights, and what is wrong with them."""
    heading(texts.heading)
    prose([spans(texts.lead)], key="axis_lead")
    over: Over = option_input(
        texts.label, "over", OVER, lambda option: plain(texts.options[option]), first="key"
    )
    scaled = ops.scale_scores(ops.dot_product_scores(Q, K), SCALE)
    shares = softmax_over(scaled, over)
    before = Grid("scaled", scaled, signed_scale(scaled), TOKENS, TOKENS, sign="→", digits=3)
    after = Grid(
        "weights",
        shares.weights,
        SHARE,
        TOKENS,
        TOKENS,
        marked=np.repeat(~shares.whole[:, None], len(TOKENS), axis=1),
        after=[
            (texts.row_sum if whole else texts.not_one).format(sum=numbers.short(total))
            for total, whole in zip(shares.row_sums.tolist(), shares.whole, strict=True)
        ],
        below=[texts.row_sum.format(sum=numbers.short(s)) for s in shares.column_sums.tolist()],
        digits=3,
    )
    template = {"key": texts.right, "query": texts.wrong, "both": texts.thin}[over]
    figure, text = st.columns([3, 2])
    with figure:
        grids([before, after], key="axis_grids")
    with text:
        prose([spans(template, **_fields(shares)), spans(texts.answer)], key="axis_reads")


def _fields(shares: WeightSums) -> dict[str, str | tuple[str, str]]:
    """The fields of the sentences; each uses some of them."""
    outputs = ops.weighted_sum(shares.weights, V)[:, 0].tolist()
    most, least = int(shares.row_sums.argmax()), int(shares.row_sums.argmin())
    return {
        "outputs": words().list_mark.join(numbers.short(value) for value in outputs),
        "most": (TOKENS[most], "query"),
        "least": (TOKENS[least], "query"),
        "high": numbers.short(float(shares.row_sums[most])),
        "low": numbers.short(float(shares.row_sums[least])),
    }


def constant_section(row: Row, texts: Words) -> None:
    """Draw the choice of the constant, and the naive and the stable softmax side by side."""
    heading(texts.heading)
    prose([spans(texts.lead)], key="constant_lead")
    constant: int = option_input(
        texts.label, "constant", CONSTANTS, lambda c: numbers.plain(c, 0), first=FIRST
    )
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
        column("x + c", moved, signed_scale(moved), rows=row.keys, sign="→"),
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
        column("x + c − max", shifted, signed_scale(shifted), rows=row.keys, below=below, sign="→"),
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
