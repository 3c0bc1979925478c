"""Attention before and after its input was put in another order, without and with position."""

import inspect

import numpy as np
import streamlit as st

from core.experiments.order import RestoredOrder, as_given, inverse, reordered, restore_order
from core.sources import distance
from pages.understand.order.given import Given
from pages.understand.order.words import OrderWords
from views import numbers
from views.figures.axis import shortened
from views.figures.scale import Scale, round_up
from views.spans import Span, spans
from views.text import Words
from views.widgets.grids import Grid, grids
from views.widgets.prose import heading, prose

ROUNDING = 1e-12
AXES = {"output": (0,), "weights": (0, 1)}
ROLES = {"output": "d_model", "weights": "key"}


def comparison(
    given: Given, order: tuple[int, ...], stage: str, said: OrderWords, words: Words
) -> None:
    """A stage of both orders: first without position, then with it."""
    without, with_position = (compared(given, order, stage, on) for on in (False, True))
    scale = _scale(stage, without, with_position)
    names = [shortened(name) for name in given.called(words)]
    with st.container(border=True, key="without_card"):
        heading(said.without)
        prose([_without(without, given, order, stage, said)], key="said_without")
        _grids(without, names, order, stage, scale, said, "without")
    with st.container(border=True, key="position_card"):
        heading(said.with_position)
        prose(_with(with_position, names, order, said), key="said_with")
        _grids(with_position, names, order, stage, scale, said, "position")


def compared(given: Given, order: tuple[int, ...], stage: str, position: bool) -> RestoredOrder:
    """A stage of the pieces as given and in this order, row beside row."""
    orders = as_given(len(order)), order
    before, after = (given.trace(one, position)[stage].tensor[0] for one in orders)
    if stage == "weights":
        before, after = before[0], after[0]  # the only head
    return restore_order(before, after, order, AXES[stage])


def shown_code(said: OrderWords) -> None:
    """The functions that run."""
    with st.expander(said.code):
        for function in (reordered, restore_order, distance.by_distance):
            st.code(inspect.getsource(function), language="python")


def _scale(stage: str, *compared: RestoredOrder) -> Scale:
    high = max(float(np.abs([one.before, one.after]).max()) for one in compared)
    return Scale("signed", -high, high) if stage == "output" else Scale("share", 0, round_up(high))


def _grids(
    found: RestoredOrder, names: list[str], order: tuple[int, ...], stage: str, scale: Scale,
    said: OrderWords, key: str,
) -> None:  # fmt: skip
    n, width = found.before.shape
    columns = names if stage == "weights" else [str(column + 1) for column in range(width)]
    back = "Pᵀ output(P X)" if stage == "output" else "Pᵀ weights(P X) P"
    place = inverse(order)
    drawn: tuple[tuple[str, np.ndarray, Scale, list[str], str], ...] = (
        (f"{stage}(X)", found.before, scale, [], said.of_given),
        (
            back,
            found.after,
            scale,
            [said.from_row.format(row=place[row] + 1) for row in range(n)],
            said.of_other,
        ),
        (
            said.difference,
            found.difference,
            Scale("signed", -scale.high, scale.high),
            [said.by.format(change=_number(float(change))) for change in found.by_row],
            "",
        ),
    )
    grids(
        [
            Grid(title, values, colours, names, columns, "query", ROLES[stage], after=after,
                 note=note, digits=2, small=True)
            for title, values, colours, after, note in drawn
        ],
        key=f"grids_{key}",
    )  # fmt: skip


def _without(
    found: RestoredOrder, given: Given, order: tuple[int, ...], stage: str, said: OrderWords
) -> list[Span]:
    if order == as_given(len(order)):
        return spans(said.nothing_moved)
    largest = _number(found.largest)
    noun = said.noun["sentence" if given.pixels is None else "picture"]
    if given.causal:
        template = said.hidden if found.largest > ROUNDING else said.not_hidden
        return spans(template, noun=(noun, ""), largest=largest)
    template = said.same_rounded if found.largest else said.same_exactly
    return spans(template, rows=(said.rows[stage], ""), noun=(noun, ""), largest=largest)


def _with(
    found: RestoredOrder, names: list[str], order: tuple[int, ...], said: OrderWords
) -> list[list[Span]]:
    if order == as_given(len(order)):
        return [spans(said.nothing_moved)]
    moved = found.by_row
    most, least = int(moved.argmax()), int(moved.argmin())
    told = spans(
        said.changed,
        most=(names[most], "token"),
        change=_number(float(moved[most])),
        least=(names[least], "token"),
        smallest=_number(float(moved[least])),
    )
    stayed = [p for place, p in enumerate(order) if place == p and moved[p] > ROUNDING]
    if not stayed:
        return [told]
    first = stayed[0]
    change = _number(float(moved[first]))
    return [told, spans(said.stayed, stayed=(names[first], "token"), change=change)]


def _number(value: float) -> str:
    return numbers.short(value) if value else "0"
