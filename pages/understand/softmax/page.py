from typing import Any

import numpy as np
import streamlit as st

from core import ops
from core.experiments import measures
from core.experiments.softmax_variants import (
    OVER,
    Over,
    WeightSums,
    largest_exponent,
    softmax_over,
    softmax_without_max,
)
from pages.understand.softmax.charts import entropy_curve, weight_bars
from pages.understand.softmax.controls import TEMPERATURES, Row, row_input, short
from views.figures.scale import Scale, signed_scale
from views.preferences import in_language, theme, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets.chart import show_chart
from views.widgets.choice import option_input
from views.widgets.grids import Grid, grids
from views.widgets.lesson import footer, header
from views.widgets.prose import heading, prose, source_code

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


texts = in_language(words_beside(__file__))
header(texts.lesson)
controls, figure = st.columns([2, 5])
with controls, st.container(border=True, key="row_card"):
    row = row_input(texts.row)
    bars(row, texts.row)
    st.caption(mathematics(texts.row.origin))
with figure, st.container(border=True, key="sum_card"):
    sum_card(row, texts.row)
    entropy_card(row, texts.row)
summary(row, texts.row)
with st.container(border=True, key="axis_card"):
    axis_section(texts.axis)
with st.container(border=True, key="constant_card"):
    constant_section(row, texts.constant)
source_code(texts.row.code, ops.softmax, ops.softmax_steps, measures.entropy)
footer(texts.lesson, words())
