"""The page of famous mistakes: the wrong line, what it does, and which alarm gives it away."""

import inspect

import streamlit as st

from core import Trace
from core.experiments.invariants import Case, check_all
from core.experiments.mistakes import MISTAKES, RIGHT, Mistake, NoSuchProduct, Verbs
from pages.understand.break_it.alarms import alarms, every_alarm, predicted
from pages.understand.break_it.controls import Bench, head_input
from pages.understand.break_it.damage import damage, no_product
from pages.understand.break_it.summary import read
from pages.understand.break_it.words import BreakItWords
from views.spans import mathematics, plain
from views.widgets.prose import prose
from views.widgets.sentence_line import token_names


def bench(given: Bench, source: Trace, name: str, texts: BreakItWords) -> None:
    """One mistake on the reader's sentence."""
    st.code(_wrong_line(MISTAKES[name]), language="python")
    right, broken = (_tried(given, source, verbs) for verbs in (RIGHT, MISTAKES[name].verbs))
    assert isinstance(right, Case)
    above = st.container()
    figure, side = st.columns([9, 5])
    with figure:
        card = st.container(border=True, key="damage_card")
    with card:
        head = head_input(texts, given.heads)
    checks = check_all(broken, head) if isinstance(broken, Case) else None
    with side:
        shown = predicted(name, checks, texts)
        if shown:
            with st.container(border=True, key="alarms_card"):
                alarms(check_all(right, head), checks, head, texts)
    with card:
        if isinstance(broken, NoSuchProduct):
            no_product(right, broken, head, token_names(source), texts)
        else:
            damage(right, broken if shown else None, head, token_names(source), texts)
            if shown:
                with above:
                    prose(
                        [read(name, right, broken, head, token_names(source), texts)], key="reads"
                    )
    st.caption(mathematics(texts.origin.format(seed=given.seed)))


def more(given: Bench, source: Trace, name: str, texts: BreakItWords) -> None:
    """The code that runs, and all mistakes at one look."""
    with st.expander(texts.code):
        for column, title, verb in zip(
            st.columns(2),
            (texts.code_right, texts.code_wrong),
            (MISTAKES[name].right, MISTAKES[name].wrong),
            strict=True,
        ):
            file = verb.__module__.replace(".", "/")
            column.caption(plain(f"{title} · {file}.py"))
            column.code(inspect.getsource(verb), language="python", wrap_lines=True)
    with st.expander(texts.all_alarms):
        tried = {key: _tried(given, source, mistake.verbs) for key, mistake in MISTAKES.items()}
        every_alarm(
            {
                key: check_all(case) if isinstance(case, Case) else None
                for key, case in tried.items()
            },
            texts,
        )


def _tried(given: Bench, source: Trace, verbs: Verbs) -> Case | NoSuchProduct:
    try:
        return Case(source["X"].tensor, given.weights, verbs, given.seed)
    except NoSuchProduct as error:
        return error


def _wrong_line(mistake: Mistake) -> str:
    """The line that says of itself that it is wrong."""
    lines = inspect.getsource(mistake.wrong).splitlines()
    return next(line.strip() for line in lines if "# wrong" in line)
