"""Attention before and after a permutation of its input, without and with positions."""

import numpy as np
import streamlit as st

from core.experiments.order import RestoredOrder, as_given, inverse, restore_order
from pages.understand.order.inputs import Inputs
from views.figures.axis import shortened
from views.figures.scale import Scale, round_up
from views.text import Words, numbers
from views.text.spans import Span, spans
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose

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
