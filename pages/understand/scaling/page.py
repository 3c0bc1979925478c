import math
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import ops
from core.experiments import measures, scaling
from core.experiments.scaling import (
    HEADS,
    KEYS,
    ORDERS,
    PAIRS,
    STORED,
    WIDTHS,
    Divisor,
    RandomScores,
    RowMeasures,
    StoredScore,
    divisor,
    measured,
    random_scores,
    stored_score,
)
from core.options import LARGEST
from pages.understand.scaling.charts import Curve, Scores, histograms, over_widths, row_bars
from views import link, parse
from views.preferences import in_language, theme, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, mathematics, plain, spans
from views.widgets.chart import show_chart
from views.widgets.choice import option_input
from views.widgets.errors import computed
from views.widgets.lesson import footer, header
from views.widgets.prose import heading, prose, source_code, table
from views.widgets.whole_number import seed_input

FIRST_WIDTH = 64
FIRST_SEED = 1  # its first row, which is drawn, is close to the mean of all rows
CHOSEN_WIDTHS = tuple(width for width in WIDTHS if width <= 1024)  # the axis of scores ends there
CHOICES: tuple[Divisor, ...] = ("sqrt_d_k", "d_k", "sqrt_d_model")


@dataclass(frozen=True)
class Experiment:
    """d_k, the divisor (``kind``), and the seed."""

    d_k: int
    kind: Divisor
    seed: int

    @property
    def widths(self) -> tuple[RandomScores, ...]:
        """The scores for every d_k."""
        return random_scores(self.seed)

    @property
    def index(self) -> int:
        """The index of d_k in ``WIDTHS``."""
        return WIDTHS.index(self.d_k)

    @property
    def scores(self) -> RandomScores:
        """The scores for d_k."""
        return self.widths[self.index]

    @property
    def divided_by(self) -> float:
        """The divisor as a number."""
        return divisor(self.kind, self.d_k)


FIRST = Experiment(FIRST_WIDTH, CHOICES[0], FIRST_SEED)


def scaling_input(texts: Words) -> Experiment:
    """Draw the controls and return their values. Raises out_of_range."""
    width, kind, seed = st.columns([6, 4, 2])
    d_k: int = link.bind_param("d_k", FIRST_WIDTH, parse.one_of(CHOSEN_WIDTHS))
    link.offer("d_k", CHOSEN_WIDTHS)
    width.select_slider(texts.d_k, CHOSEN_WIDTHS, key="d_k")
    chosen: Divisor = option_input(
        texts.divisor, "divisor", CHOICES, where=kind,
        format_func=lambda option: texts.divisors[option].replace("_", r"\_"),
    )  # fmt: skip
    drawn = seed_input(texts.seed, FIRST_SEED, where=seed, help=texts.seed_help)
    return Experiment(d_k, chosen, drawn)


ENTRIES = (1, 5, 10, 20, 30, 40, 60, 80, 100, 150, 200, 300)
FIRST_ENTRY = 40


def half_precision_card(d_k: int, texts: Words) -> None:
    """Draw the scaled score of two vectors of equal entries, by order and by precision."""
    heading(texts.heading)
    entry: int = link.bind_param("entry", FIRST_ENTRY, parse.one_of(ENTRIES))
    entry = st.select_slider(texts.entry.format(d_k=d_k), ENTRIES, key="entry")
    vector = np.full(d_k, entry, np.float32)
    found = {
        (order, precision): stored_score(vector, vector, order, precision)
        for order in ORDERS
        for precision in STORED
    }
    product, limit = entry**2 * d_k, LARGEST["float16"]
    fields = {
        "entry": str(entry),
        "d_k": str(d_k),
        "product": _printed(product),
        "scaled": _printed(product / math.sqrt(d_k)),
        "limit": _printed(limit),
    }
    fits = [math.isfinite(found[order, "float16"].scaled) for order in ORDERS]
    outcome = "fits" if all(fits) else "before" if any(fits) else "beyond"
    says = texts.lead, texts.outcomes[outcome]
    prose([spans(text, **fields) for text in says], key="half_says")
    rows = [
        [
            plain(texts.orders[order]),
            *(plain(_both(found[order, precision], order)) for precision in STORED),
        ]
        for order in ORDERS
    ]
    table((texts.order, *STORED), rows)
    used_by = [spans(texts.used_by[order], order=texts.orders[order]) for order in ORDERS]
    prose([spans(texts.stored), *used_by], key="half_used_by", style="quiet")
    source_code(texts.code, stored_score)


def _both(score: StoredScore, order: str) -> str:
    """The product as stored and the scaled score; only the latter if it is the product itself."""
    printed = _printed(score.scaled)
    if order != "after":
        return printed
    return f"{_printed(score.product)} →\N{NO-BREAK SPACE}{printed}"


def _printed(value: float) -> str:
    """At most one decimal, and thin spaces between thousands."""
    if math.isinf(value):
        return numbers.INFINITY
    text = numbers.plain(value, 1).removesuffix(".0")
    whole, point, decimals = text.partition(".")
    return numbers.count(int(whole)) + point + decimals


LEAST_GRADIENT = 1e-10  # at which its axis ends
FEW = 4  # d_k up to which a sum of products is visibly not normal


def score_histograms(experiment: Experiment, texts: Words) -> None:
    """Draw raw scores above divided ones on one axis, then softmax of a row of each."""
    raw, divided = _scores(experiment, texts)
    heading(texts.spreads)
    figure = histograms(
        raw, divided, theme(), x=texts.score_axis, normal=texts.normal, measured=texts.measured
    )
    show_chart(figure, key="histograms", alt=f"{raw.title}; {divided.title}")


def rows(experiment: Experiment, texts: Words) -> None:
    """Draw softmax of the typical row, raw and divided, and what comes back to it."""
    left, right = st.columns(2)
    title, row = _title(experiment, texts), scaling.typical_row(experiment.scores)
    with left, st.container(border=True, key="raw_card"):
        _row(row, "raw", texts.raw, 1.0, texts)
    with right, st.container(border=True, key="divided_card"):
        _row(row, _kind(experiment), title, experiment.divided_by, texts)
    prose([_learns(row, experiment, texts)], key="learns")
    st.caption(mathematics(texts.origin.format(seed=experiment.seed, pairs=PAIRS, keys=KEYS)))


def _scores(experiment: Experiment, texts: Words) -> tuple[Scores, Scores]:
    """The scores as they are, and divided: the spread in the title is measured, the curve's not."""
    pairs, root = experiment.scores.pairs, divisor("sqrt_d_k", experiment.d_k)
    by = experiment.divided_by

    def made(title: str, values: np.ndarray, expected: float, kind: str) -> Scores:
        found = numbers.short(scaling.spread(values))
        return Scores(texts.spread_of.format(scores=title, spread=found), values, expected, kind)

    return (
        made(texts.raw, pairs, root, "raw"),
        made(
            _title(experiment, texts), ops.scale_scores(pairs, 1 / by), root / by, _kind(experiment)
        ),
    )


def _title(experiment: Experiment, texts: Words) -> str:
    value = f"{numbers.rounded(experiment.divided_by, 2):f}".rstrip("0").rstrip(".")
    return texts.divided.format(divisor=texts.divisors[experiment.kind], value=value)


def _row(row: np.ndarray, kind: str, title: str, divided_by: float, texts: Words) -> None:
    heading(title)
    caption = texts.row.format(keys=KEYS)
    st.caption(mathematics(caption))
    bars = row_bars(scaling.weights_of(row, divided_by), kind, theme(), x=texts.key_axis)
    show_chart(bars, key=f"{kind}_row", alt=f"{title} · {caption}")


def _learns(row: np.ndarray, experiment: Experiment, texts: Words) -> list[Span]:
    """What comes back to the largest score of the row, undivided and divided."""
    (before, raw), (weight, divided) = (
        scaling.slope(row, by) for by in (1.0, experiment.divided_by)
    )
    says = texts.learns.vanishes if raw < divided else texts.learns.not_yet
    return spans(
        (texts.learns.slopes + says).replace("{divisor}", texts.divisors[experiment.kind]),
        raw=numbers.short(raw), raw_weight=numbers.short(before),
        divided=numbers.short(divided), weight=numbers.short(weight),
        times=numbers.short(divided / raw) if raw else "∞",
    )  # fmt: skip


def _kind(experiment: Experiment) -> str:
    return "good" if experiment.kind == "sqrt_d_k" else "other"


def summary(experiment: Experiment, texts: Words) -> None:
    """Draw sentences on the numbers at the current d_k."""
    scores, d_k = experiment.scores, experiment.d_k
    low, high = scaling.spread_interval(d_k)
    raw, divided = measured(scores, 1.0), measured(scores, experiment.divided_by)
    most = numbers.short(measures.most_entropy(KEYS))
    first = spans(
        texts.spread_says,
        d_k=str(d_k),
        spread=numbers.short(raw.spread),
        root=numbers.short(divisor("sqrt_d_k", d_k)),
        low=numbers.short(low),
        high=numbers.short(high),
    )
    second = spans(
        texts.raw_says,
        keys=str(KEYS),
        largest=numbers.short(raw.largest),
        entropy=numbers.short(raw.entropy),
        most=most,
        **_of_rows(raw),
    )
    shrunk = divisor("sqrt_d_k", d_k) / divisor("sqrt_d_model", d_k)
    third = spans(
        texts.divided_says[experiment.kind],
        spread=numbers.short(divided.spread),
        largest=numbers.short(divided.largest),
        entropy=numbers.short(divided.entropy),
        **_of_rows(divided),
        heads=str(HEADS),
        shrunk=numbers.short(shrunk),
    )
    few = spans(texts.few) if d_k <= FEW else []
    prose([first + few + second, third], key="reads")


def _of_rows(measures: RowMeasures) -> dict[str, str]:
    """The share of saturated rows, and median and mean of the gradient, for a sentence."""
    return {
        "saturated": numbers.per_cent(measures.saturated, None if measures.saturated else 0),
        "median": numbers.short(measures.gradient_median),
        "mean": numbers.short(measures.gradient),
    }


def curves(experiment: Experiment, texts: Words) -> None:
    """Draw spread, largest weight, saturated rows, entropy and gradient over all d_k."""
    heading(texts.curves)
    by = texts.divisors[experiment.kind]
    named = {kind: text.format(divisor=by) for kind, text in texts.lines.items()}
    lines: list[tuple[Divisor, str]] = [("none", "raw"), ("sqrt_d_k", "good")]
    if experiment.kind != "sqrt_d_k":
        lines.append((experiment.kind, "other"))
    by_divisor = [
        (kind, [measured(scores, divisor(by, scores.d_k)) for scores in experiment.widths])
        for by, kind in lines
    ]
    most = measures.most_entropy(KEYS)
    charts = (
        ("spread", texts.spread, 2000.0),
        ("largest", texts.largest, 1.05),
        ("entropy", texts.entropy.format(most=numbers.short(most)), 1.05 * most),
        ("saturated", texts.saturated, 1.05),
    )
    st.caption(mathematics(texts.marked))
    for index, (name, title, top) in enumerate(charts):
        if index % 2 == 0:
            sides = st.columns(2)
        with sides[index % 2]:
            st.caption(mathematics(title))
            drawn = [
                Curve(named[kind], [getattr(row, name) for row in rows], kind)
                for kind, rows in by_divisor
            ]
            if name == "spread":
                roots = [divisor("sqrt_d_k", width) for width in WIDTHS]
                drawn.append(Curve(named["theory"], roots, "theory"))
            bottom = 0.02 if name == "spread" else 0.0
            figure = over_widths(WIDTHS, drawn, experiment.index, theme(), top=top, bottom=bottom)
            show_chart(figure, key=f"{name}_curve", alt=title)
    st.caption(mathematics(texts.gradient))
    both = ((texts.median, "gradient_median", False), (texts.mean, "gradient", True))
    drawn = [
        Curve(text.format(line=named[kind]), [getattr(row, name) for row in rows], kind, is_mean)
        for kind, rows in by_divisor
        for text, name, is_mean in both
    ]
    figure = over_widths(
        WIDTHS, drawn, experiment.index, theme(), top=2.0, bottom=LEAST_GRADIENT, height=300
    )
    show_chart(figure, key="gradient_curve", alt=texts.gradient)
    prose([spans(text) for text in (texts.gradient_is, *texts.apart)], key="gradient_is")


def questions(texts: Words) -> None:
    """Draw why the divisor is √d_k, the assumptions, and the source code."""
    heading(texts.question)
    prose([spans(text) for text in (texts.answer, texts.honest)], key="answer")
    source_code(
        texts.code, scaling.spread, measures.jacobian, measures.jacobian_size, scaling.gradients
    )


texts = in_language(words_beside(__file__))
header(texts.lesson)
experiment, _ = computed(lambda: scaling_input(texts), lambda chosen: chosen.scores, FIRST, words())
with st.container(border=True, key="hills_card"):
    score_histograms(experiment, texts)
rows(experiment, texts)
summary(experiment, texts)
with st.container(border=True, key="curves_card"):
    curves(experiment, texts)
with st.container(border=True, key="half_card"):
    half_precision_card(experiment.d_k, texts.half)
with st.container(border=True, key="question_card"):
    questions(texts)
footer(texts.lesson, words())
