"""The cards of a mistake: the wrong line, its effect, and the invariants that it breaks."""

import inspect

import streamlit as st

from core import Trace
from core.experiments.invariants import Case, check_all
from core.experiments.mistakes import CORRECT, MISTAKES, MatmulMismatch, Mistake, Operations
from pages.understand.break_it.controls import Inputs, head_input
from pages.understand.break_it.damage import comparison, no_product
from pages.understand.break_it.summary import (
    all_mistakes_table,
    invariants_table,
    prediction_input,
    summary,
)
from views.text import Words
from views.text.spans import mathematics, plain
from views.widgets.prose import prose
from views.widgets.sentence_input import token_names


def mistake_card(inputs: Inputs, source: Trace, name: str, texts: Words) -> None:
    """Draw the effect of one mistake on the user's sentence."""
    with st.container(key="wrong_line"):
        st.code(_wrong_line(MISTAKES[name]), language="python")
    right, broken = (
        _tried(inputs, source, operations) for operations in (CORRECT, MISTAKES[name].operations)
    )
    assert isinstance(right, Case)
    above = st.container()
    figure, side = st.columns([9, 5])
    with figure:
        card = st.container(border=True, key="damage_card")
    with card:
        head = head_input(texts, inputs.heads)
    checks = check_all(broken, head) if isinstance(broken, Case) else None
    with side:
        shown = prediction_input(name, checks, texts)
        if shown:
            with st.container(border=True, key="alarms_card"):
                invariants_table(check_all(right, head), checks, head, texts)
    with card:
        if isinstance(broken, MatmulMismatch):
            no_product(right, broken, head, token_names(source), texts)
        else:
            comparison(right, broken if shown else None, head, token_names(source), texts)
            if shown:
                with above:
                    prose(
                        [summary(name, right, broken, head, token_names(source), texts)],
                        key="reads",
                    )
    st.caption(mathematics(texts.origin.format(seed=inputs.seed)))


def more(inputs: Inputs, source: Trace, name: str, texts: Words) -> None:
    """Draw the source code, and a table of all mistakes."""
    with st.expander(texts.code):
        for column, title, operation in zip(
            st.columns(2),
            (texts.code_right, texts.code_wrong),
            (MISTAKES[name].right, MISTAKES[name].wrong),
            strict=True,
        ):
            file = operation.__module__.replace(".", "/")
            column.caption(plain(f"{title} · {file}.py"))
            column.code(inspect.getsource(operation), language="python", wrap_lines=True)
    with st.expander(texts.all_alarms):
        tried = {
            key: _tried(inputs, source, mistake.operations) for key, mistake in MISTAKES.items()
        }
        all_mistakes_table(
            {
                key: check_all(case) if isinstance(case, Case) else None
                for key, case in tried.items()
            },
            texts,
        )


def _tried(inputs: Inputs, source: Trace, operations: Operations) -> Case | MatmulMismatch:
    try:
        return Case(source["X"].tensor, inputs.weights, operations, inputs.seed)
    except MatmulMismatch as error:
        return error


def _wrong_line(mistake: Mistake) -> str:
    """The line of source code with the comment ``# wrong``."""
    lines = inspect.getsource(mistake.wrong).splitlines()
    return next(line.strip() for line in lines if "# wrong" in line)
