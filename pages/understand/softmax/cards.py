"""Softmax of one row step by step, its weights as bars, and what temperature does to them."""

from typing import Any

import numpy as np
import streamlit as st

from core import ops
from core.experiments import measures
from pages.understand.softmax.charts import entropy_curve, weight_bars
from pages.understand.softmax.controls import TEMPERATURES, Row, short
from views.figures.scale import Scale, signed_scale
from views.preferences import theme
from views.text import Words, numbers
from views.text.spans import Span, mathematics, spans
from views.widgets.chart import show_chart
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose

MILLION = 1e6
LEAST_DIGITS = 3
STUCK = 0.01  # slope of the largest weight below which a row is called saturated


def sum_card(row: Row, texts: Words) -> None:
    """Draw softmax of the row step by step, from scores to weights."""
    heading(texts.sum_heading)
    steps = ops.softmax_steps(row.scaled)
    exponentials, weights = steps["exponentials"], steps["weights"]
    largest = numbers.short(float(steps["max"]))
    total, digits, equals = added(exponentials, float(steps["sum"]))
    one, weight_digits, is_one = added(weights, float(weights.sum()))
    signed, share = signed_scale(row.scaled, steps["shifted"]), Scale("share", 0, 1)
    drawn = [
        column(
            "x = scores" if row.temperature == 1 else f"x = scores / {short(row.temperature)}",
            row.scaled,
            signed,
            rows=row.keys,
            below=(f"max = {largest}",),
            marked=row.scaled[:, None] == steps["max"],
            sign=f"− {numbers.bracketed(largest)} =",
        ),
        column("x − max", steps["shifted"], signed, below=("≤ 0",), sign="→"),
        column(
            "exp(x − max)",
            exponentials,
            share,
            digits=digits,
            below=(f"Σ {equals} {total}",),
            sign=f"÷ {total} =",
        ),
        column("weights", weights, share, digits=weight_digits, below=(f"Σ {is_one} {one}",)),
    ]
    grids(drawn, key="sum")
    st.caption(mathematics(texts.sum_note))


def bars(row: Row, texts: Words) -> None:
    """Draw the weights as bars."""
    heading(texts.bars_heading)
    drawn = weight_bars(ops.softmax(row.scaled), row.keys, theme(), x=texts.weights_axis, y="")
    show_chart(drawn, key="bars", alt=texts.bars_heading)


def entropy_card(row: Row, texts: Words) -> None:
    """Draw the entropy over temperature, with a marker at the current one."""
    weights, n = ops.softmax(row.scaled), len(row.keys)
    curve = np.geomspace(TEMPERATURES[0], TEMPERATURES[-1], 121)
    entropy = measures.entropy_over_temperature(np.array(row.scores), curve)
    here = row.temperature, float(measures.entropy(weights))
    title = texts.entropy_heading.format(n=n)
    heading(title)
    figure = entropy_curve(
        curve, entropy, measures.most_entropy(n), here, theme(),
        x=texts.temperature_axis, y=texts.entropy_axis,
    )  # fmt: skip
    show_chart(figure, key="entropy", alt=title)
    st.caption(mathematics(texts.temperature_of))


def summary(row: Row, texts: Words) -> None:
    """Draw sentences on the largest weight, the ratio to the next, and the entropy."""
    weights, n = ops.softmax(row.scaled), len(row.keys)
    entropy = spans(
        texts.entropy,
        entropy=numbers.short(float(measures.entropy(weights))),
        n=str(n),
        most=numbers.short(measures.most_entropy(n)),
        perplexity=numbers.short(float(measures.perplexity(weights))),
    )
    prose([_largest(row, weights, texts), entropy, _learns(row, weights, texts)], key="reads")


def _learns(row: Row, weights: np.ndarray, texts: Words) -> list[Span]:
    """Sentences on what comes back to the scores: the slope of the largest weight."""
    weight = float(weights.max())
    slope = float(measures.jacobian(weights)[weights.argmax(), weights.argmax()]) / row.temperature
    says = texts.stuck if slope < STUCK else texts.moves
    over = "" if row.temperature == 1 else f" / {short(row.temperature)}"
    fields = {"weight": numbers.plain(weight, LEAST_DIGITS), "over": over}
    return spans(f"{texts.slope}{says}", slope=numbers.short(slope), **fields)


def _largest(row: Row, weights: np.ndarray, texts: Words) -> list[Span]:
    first = int(weights.argmax())
    score, tied = row.scores[first], row.scores.count(max(row.scores))
    even = numbers.plain(1 / len(row.keys), LEAST_DIGITS)
    if tied == len(row.keys):
        return spans(texts.equal, even=even)
    fields = {
        "score": numbers.short(score),
        "weight": numbers.plain(float(weights[first]), LEAST_DIGITS),
    }
    if tied > 1:
        return spans(texts.tied, count=str(tied), even=even, **fields)
    key = (row.keys[first], "key")
    return spans(texts.largest, key=key, even=even, **fields) + _compared(row, first, texts)


def _compared(row: Row, first: int, texts: Words) -> list[Span]:
    """A sentence on the ratio of the two largest weights."""
    second = int(np.argsort(row.scaled)[-2])
    ratio = measures.ratio(row.scaled, first, second)
    difference = numbers.short(row.scores[first] - row.scores[second])
    over = "" if row.temperature == 1 else f" / {short(row.temperature)}"
    fields: dict[str, str | Span] = {
        "key": (row.keys[first], "key"),
        "next": (row.keys[second], "key"),
        "difference": difference,
        "power": (difference + over, "sup"),
    }
    if ratio < MILLION:
        return spans(texts.ratio, ratio=numbers.short(ratio), **fields)
    return spans(texts.beyond, **fields)


def column(title: str, values: np.ndarray, scale: Scale, **grid: Any) -> Grid:
    """One step of a row as a column: (key,) as (key, 1)."""
    return Grid(title, values[:, None], scale, row_role="key", **grid)


def added(terms: np.ndarray, total: float) -> tuple[str, int, str]:
    """The printed total, the decimals with which the terms add up to it, and ``=`` or ``≈``."""
    digits = numbers.digits_that_add_up(terms.tolist(), total, LEAST_DIGITS)
    shown = digits or LEAST_DIGITS
    return numbers.plain(total, shown), shown, "=" if digits else "≈"
