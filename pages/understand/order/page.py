from collections.abc import Mapping

import numpy as np
import streamlit as st

from core.experiments.order import RestoredOrder, as_given, inverse, reordered, restore_order
from core.sources import text
from core.sources.position import by_distance, deviation, dot_products, sinusoids
from pages.understand.order.controls import FIRST_SEED, Inputs, order_input, sequence_input
from views import link
from views.figures.axis import shortened
from views.figures.chart import QUIET, Figure, chart, heat, lines, marks
from views.figures.palette import PALETTES, Theme
from views.figures.scale import Scale, round_up
from views.preferences import in_language, theme, words
from views.text import Words, numbers, words_beside
from views.text.spans import Span, spans
from views.widgets import lesson
from views.widgets.chart import show_chart
from views.widgets.choice import option_input
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose, source_code
from views.widgets.sentence_input import FIRST_TEXT

POSITIONS, FARTHEST = 64, 40
WIDTHS, FIRST_WIDTH = (4, 16, 64, 512), 64
STARTS = (0, 7, 23)
MARKS = (("circle-open", 14), ("diamond-open", 9), ("circle", 4))  # of each start
DISTANCE = 5  # of the pairs in the sentence


def sinusoid_card(texts: Words) -> None:
    """Draw the sinusoids as a heatmap, and their dot products by distance."""
    with st.container(border=True, key="waves_card"):
        heading(texts.waves)
        prose([spans(texts.waves_lead)], key="waves_lead")
        width: int = option_input(
            texts.width, "width", WIDTHS, lambda d_model: f"d_model = {d_model}",
            first=FIRST_WIDTH, label_visibility="collapsed",
        )  # fmt: skip
        position = sinusoids(POSITIONS, width)
        products = dot_products(position)
        picture, curve = st.columns(2, gap="medium")
        with picture:
            show_chart(
                _waves(position, theme(), x=texts.column, y=texts.position), "waves", texts.waves
            )
        with curve:
            expected = by_distance(np.arange(FARTHEST + 1), width)
            computed = {
                texts.from_position.format(start=start): products[start, start:][: FARTHEST + 1]
                for start in STARTS
            }
            figure = _by_distance(
                expected, computed, theme(), x=texts.distance, y=texts.product, named=texts.formula
            )
            show_chart(figure, "by_distance", f"{texts.product} · {texts.distance}")
        first, second = STARTS[0], STARTS[-1]
        prose(
            [
                spans(
                    texts.waves_read,
                    a=str(first),
                    b=str(first + DISTANCE),
                    one=numbers.short(float(products[first, first + DISTANCE])),
                    c=str(second),
                    d=str(second + DISTANCE),
                    other=numbers.short(float(products[second, second + DISTANCE])),
                    distance=str(DISTANCE),
                    pairs=numbers.count(products.size),
                    largest=numbers.short(deviation(position)),
                )
            ],
            key="waves_read",
        )


def _waves(position: np.ndarray, theme: Theme, *, x: str, y: str) -> Figure:
    """A heatmap of positions, position 0 at the top. position: (n, d_model), −1 … 1."""
    drawn = heat(
        position.astype(np.float32), (-1, 1), PALETTES[theme].signed,
        "PE[%{y}, %{x}] = %{text}",
        colorbar={"tickvals": [-1, 0, 1], "thickness": 10, "outlinewidth": 0},
        text=[[numbers.plain(value, 4) for value in row] for row in position.tolist()],
    )  # fmt: skip
    yaxis = {**QUIET, "autorange": "reversed"}
    return chart([drawn], theme, x=x, y=y, height=340, yaxis=yaxis, xaxis=QUIET)


def _by_distance(
    formula: np.ndarray, computed: Mapping[str, np.ndarray], theme: Theme,
    *, x: str, y: str, named: str,
) -> Figure:  # fmt: skip
    """The dot product of two positions by distance: by the formula, and computed.

    formula: (distance,) from 0. computed: by name, (distance,) of at most that size.
    """
    palette = PALETTES[theme]
    colours = (palette.roles["query"], palette.roles["key"], palette.roles["d_k"])
    traces = [
        lines(
            range(len(formula)), formula, palette.soft, width=1.5, name=named,
            hover=map(numbers.short, formula.tolist()), before="%{x}: ",
        )
    ]  # fmt: skip
    for (name, values), colour, (mark, size) in zip(computed.items(), colours, MARKS, strict=True):
        traces.append(
            marks(
                range(len(values)), values, colour, size, name=name,
                marker={"symbol": mark, "line": {"width": 2, "color": colour}},
                hover=map(numbers.short, values.tolist()), before="%{x}: ",
            )
        )  # fmt: skip
    return chart(traces, theme, x=x, y=y, height=340)


ROUNDING = 1e-12
AXES = {"output": (0,), "weights": (0, 1)}
ROLES = {"output": "d_model", "weights": "key"}


def comparison_cards(
    inputs: Inputs, order: tuple[int, ...], stage: str, texts: Words, words: Words
) -> None:
    """Draw a stage in both orders, first without and then with positions."""
    without, with_position = (compared(inputs, order, stage, on) for on in (False, True))
    scale = _scale(stage, without, with_position)
    names = [shortened(name) for name in inputs.labels(words)]
    with st.container(border=True, key="without_card"):
        heading(texts.without)
        prose([_without(without, inputs, order, stage, texts)], key="said_without")
        _grids(without, names, order, stage, scale, texts, "without")
    with st.container(border=True, key="position_card"):
        heading(texts.with_position)
        prose(_with(with_position, names, order, texts), key="said_with")
        _grids(with_position, names, order, stage, scale, texts, "position")


def compared(inputs: Inputs, order: tuple[int, ...], stage: str, position: bool) -> RestoredOrder:
    """A stage for the original order and for this one, with rows put back in place."""
    orders = as_given(len(order)), order
    before, after = (inputs.trace(one, position)[stage].tensor[0] for one in orders)
    if stage == "weights":
        before, after = before[0], after[0]  # the only head
    return restore_order(before, after, order, AXES[stage])


def _scale(stage: str, *compared: RestoredOrder) -> Scale:
    high = max(float(np.abs([one.before, one.after]).max()) for one in compared)
    return Scale("signed", -high, high) if stage == "output" else Scale("share", 0, round_up(high))


def _grids(
    comparison: RestoredOrder, names: list[str], order: tuple[int, ...], stage: str, scale: Scale,
    texts: Words, key: str,
) -> None:  # fmt: skip
    n, width = comparison.before.shape
    columns = names if stage == "weights" else [str(column + 1) for column in range(width)]
    back = "Pᵀ output(P X)" if stage == "output" else "Pᵀ weights(P X) P"
    row_after = inverse(order)
    drawn: tuple[tuple[str, np.ndarray, Scale, list[str], str], ...] = (
        (f"{stage}(X)", comparison.before, scale, [], texts.of_given),
        (
            back,
            comparison.after,
            scale,
            [texts.from_row.format(row=row_after[row] + 1) for row in range(n)],
            texts.of_other,
        ),
        (
            texts.difference,
            comparison.difference,
            Scale("signed", -scale.high, scale.high),
            [
                texts.by.format(change=numbers.difference(float(change)))
                for change in comparison.by_row
            ],
            "",
        ),
    )
    grids(
        [
            Grid(title, values, colours, names, columns, "query", ROLES[stage], after=after,
                 note=note, digits=numbers.DECIMALS, small=True)
            for title, values, colours, after, note in drawn
        ],
        key=f"grids_{key}",
    )  # fmt: skip


def _without(
    comparison: RestoredOrder, inputs: Inputs, order: tuple[int, ...], stage: str, texts: Words
) -> list[Span]:
    if order == as_given(len(order)):
        return spans(texts.nothing_moved)
    largest = numbers.difference(comparison.largest)
    noun = texts.noun["sentence" if inputs.pixels is None else "picture"]
    if inputs.causal:
        template = texts.hidden if comparison.largest > ROUNDING else texts.not_hidden
        return spans(template, noun=(noun, ""), largest=largest)
    template = texts.same_rounded if comparison.largest else texts.same_exactly
    return spans(template, rows=(texts.rows[stage], ""), noun=(noun, ""), largest=largest)


def _with(
    comparison: RestoredOrder, names: list[str], order: tuple[int, ...], texts: Words
) -> list[list[Span]]:
    if order == as_given(len(order)):
        return [spans(texts.nothing_moved)]
    change_by_row = comparison.by_row
    most, least = int(change_by_row.argmax()), int(change_by_row.argmin())
    sentence = spans(
        texts.changed,
        most=(names[most], "token"),
        change=numbers.difference(float(change_by_row[most])),
        least=(names[least], "token"),
        smallest=numbers.difference(float(change_by_row[least])),
    )
    stayed = [p for index, p in enumerate(order) if index == p and change_by_row[p] > ROUNDING]
    if not stayed:
        return [sentence]
    first = stayed[0]
    change = numbers.difference(float(change_by_row[first]))
    return [sentence, spans(texts.stayed, stayed=(names[first], "token"), change=change)]


texts = in_language(words_beside(__file__))
lesson.header(texts.lesson)
(tokens,) = text.read(link.first_text(FIRST_TEXT), "word")
first = Inputs(tokens, FIRST_SEED, causal=False)
inputs, _ = computed(lambda: sequence_input(texts, words()), Inputs.as_given, first, words())
order, stage = order_input(inputs, texts, words())
comparison_cards(inputs, order, stage, texts, words())
sinusoid_card(texts)
source_code(texts.code, reordered, restore_order, by_distance)
lesson.footer(texts.lesson, words())
