"""The page of famous mistakes: the wrong line, what it does, and which alarm gives it away."""

import inspect

import streamlit as st

from core import Trace
from core.experiments.invariants import Case, check_all
from core.experiments.mistakes import CORRECT, MISTAKES, MatmulMismatch, Mistake, Operations
from pages.understand.break_it.alarms import alarms, every_alarm, predicted
from pages.understand.break_it.controls import Bench, head_input
from pages.understand.break_it.damage import damage, no_product
from pages.understand.break_it.summary import read
from pages.understand.break_it.words import BreakItWords
from views.spans import mathematics, plain
from views.widgets.one_line import tokens
from views.widgets.prose import prose


def bench(given: Bench, source: Trace, name: str, said: BreakItWords) -> None:
    """One mistake on the reader's sentence."""
    st.code(_wrong_line(MISTAKES[name]), language="python")
    right, broken = (
        _tried(given, source, operations) for operations in (CORRECT, MISTAKES[name].operations)
    )
    assert isinstance(right, Case)
    above = st.container()
    figure, side = st.columns([9, 5])
    with figure:
        card = st.container(border=True, key="damage_card")
    with card:
        head = head_input(said, given.heads)
    checks = check_all(broken, head) if isinstance(broken, Case) else None
    with side:
        shown = predicted(name, checks, said)
        if shown:
            with st.container(border=True, key="alarms_card"):
                alarms(check_all(right, head), checks, head, said)
    with card:
        if isinstance(broken, MatmulMismatch):
            no_product(right, broken, head, tokens(source), said)
        else:
            damage(right, broken if shown else None, head, tokens(source), said)
            if shown:
                with above:
                    prose([read(name, right, broken, head, tokens(source), said)], key="reads")
    st.caption(mathematics(said.origin.format(seed=given.seed)))


def more(given: Bench, source: Trace, name: str, said: BreakItWords) -> None:
    """The code that runs, and all mistakes at one look."""
    with st.expander(said.code):
        for column, title, operation in zip(
            st.columns(2),
            (said.code_right, said.code_wrong),
            (MISTAKES[name].right, MISTAKES[name].wrong),
            strict=True,
        ):
            file = operation.__module__.replace(".", "/")
            column.caption(plain(f"{title} · {file}.py"))
            column.code(inspect.getsource(operation), language="python", wrap_lines=True)
    with st.expander(said.all_alarms):
        tried = {
            key: _tried(given, source, mistake.operations) for key, mistake in MISTAKES.items()
        }
        every_alarm(
            {
                key: check_all(case) if isinstance(case, Case) else None
                for key, case in tried.items()
            },
            said,
        )


def _tried(given: Bench, source: Trace, operations: Operations) -> Case | MatmulMismatch:
    try:
        return Case(source["X"].tensor, given.weights, operations, given.seed)
    except MatmulMismatch as error:
        return error


def _wrong_line(mistake: Mistake) -> str:
    """The line that says of itself that it is wrong."""
    lines = inspect.getsource(mistake.wrong).splitlines()
    return next(line.strip() for line in lines if "# wrong" in line)
