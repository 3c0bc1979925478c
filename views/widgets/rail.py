"""The rail of all steps, the current one marked, and the way to the next and the previous."""

from collections.abc import Callable

import streamlit as st

from core import Trace
from views.figures.symbols import symbol_of
from views.naming import stage_words, with_noun
from views.reader import theme
from views.text import Words
from views.widgets.component import component

ATTENTION = (
    "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "dropped",
    "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip


def steps_of(front: tuple[str, ...]) -> tuple[str, ...]:
    """Every step that the rail shows for a front door, there or greyed; its own stages first."""
    return (*front, *ATTENTION)


def rail(
    trace: Trace,
    steps: tuple[str, ...],
    current: str,
    words: Words,
    on_choose: Callable[[str], None],
) -> None:
    """Draw the rail; a step that this trace lacks is greyed and says why."""

    def chosen() -> None:
        on_choose(st.session_state["rail_steps"].choose)

    passed = steps.index(current) if current in steps else len(steps)
    data = {
        "label": words.viewer.rail,
        "theme": theme(),
        "steps": [
            {
                "key": key,
                "symbol": symbol_of(key),
                "name": stage_words(trace, key, words).name,
                "shape": shape_of(trace, key) if key in trace else [],
                "state": state(trace, key, i, passed),
                "reason": "" if key in trace else with_noun(words.stages[key].absent, trace, words),
            }
            for i, key in enumerate(steps)
        ],
    }
    component("rail")(key="rail_steps", data=data, on_choose_change=chosen, on_theme_change=_redraw)


def _redraw() -> None:
    """The run that this callback begins is all that is wanted: it draws in the new theme."""


def state(trace: Trace, key: str, place: int, current: int) -> str:
    """``off`` where the trace lacks the step; else ``past``, ``now`` or ``next``."""
    if key not in trace:
        return "off"
    return "now" if place == current else "past" if place < current else "next"


def shape_of(trace: Trace, key: str) -> list[tuple[str, str]]:
    """Role and size of each axis but the batch, for the narrow rail."""
    stage = trace[key]
    return [(role, str(stage.size(role))) for role in stage.roles if role != "batch"]


def neighbours(trace: Trace, steps: tuple[str, ...], current: str) -> tuple[str | None, str | None]:
    """The step before and the step after; from what is given, the step that first reads it."""
    there = [key for key in steps if key in trace]
    if current not in there:
        return None, next((key for key in there if current in trace[key].computed_from), None)
    i = there.index(current)
    return (there[i - 1] if i else None), (there[i + 1] if i + 1 < len(there) else None)
