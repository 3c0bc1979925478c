"""The stage viewer: one step of a trace at a time, the same for every front door."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Trace
from views import link, parse
from views.figures.symbols import Convention
from views.naming import fill_token_noun, num_heads, single_head
from views.selection import Selection, chosen_cell, chosen_stage
from views.spans import symbols
from views.steps import ATTENTION
from views.text import Words
from views.widgets.absent_steps import with_controls
from views.widgets.choice import choice
from views.widgets.microscope import PARTS, Origin, microscope
from views.widgets.prose import prose

SHEETS = ("map", "shapes", "code", "figure")  # the names in ``assets/microscope/sheets/sheets.js``


def _unknown(words: Words) -> str:
    return ""


@dataclass(frozen=True)
class Shown:
    """What the viewer shows, and room for what a front door adds: above the step, and beside it."""

    selection: Selection
    above: DeltaGenerator
    beside: DeltaGenerator


def step_viewer(
    trace: Trace,
    words: Words,
    *,
    parts: tuple[str, ...] = (),
    follow: bool = True,
    origin: Origin = _unknown,
    steps: tuple[str, ...] = ATTENTION,
    first: str = "scores",
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
    heads: int = 1,
) -> Shown:
    """Show a trace in the microscope, one step of it.

    parts: what stands around the figure, of ``microscope.PARTS``. follow: whether cards of the page
    follow the place that is looked at, so that the server must be told of it. origin: where the
    weights come from, in words, for the steps that depend on them. steps: those on the rail. first:
    the one to begin with; start: its cell, from 0 by axis. convention: whether a token is a row or
    a column of every matrix. lead: draws what stands before the rail, once it is known what is
    chosen. hidden: the places of tokens that are taken out of the picture where queries meet keys;
    no number changes. photos: whose patches the tokens are, one a sample. heads: how many the whole
    has that the trace is a part of, for the link of a part that has none.
    """
    ways = with_controls(words)
    if not follow:
        link.leave_place_to_browser()
    sheet = _sheet() if "sheets" in parts else None
    key, absent = chosen_stage(trace, steps, first)
    selection = chosen_cell(trace, key, convention, start)
    link.write()
    if lead:
        lead(selection)
    _pickers(trace, words)
    with st.container(key="viewer"):
        microscope(
            trace, selection, steps, ways, origin=origin, follow=follow, parts=parts,
            hidden=hidden, photos=photos, sheet=sheet, heads=heads, spoken=words,
        )  # fmt: skip
        above, beside = st.container(key="viewer_above"), st.container(key="viewer_beside")
    if absent:
        prose(
            [symbols(fill_token_noun(ways.stages[absent].absent, trace, words))], "absent", "notice"
        )
    return Shown(selection, above, beside)


def viewer(
    trace: Trace,
    words: Words,
    *,
    origin: Origin,
    follow: bool = True,
    front: tuple[str, ...] = (),
    steps: tuple[str, ...] = ATTENTION,
    first: str = "scores",
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
    chips: bool = False,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
    heads: int = 1,
) -> Shown:
    """Show a trace with all that stands around a step, and the sheets below it.

    front: the stages of the front door that stand on the rail before the others. chips: whether the
    tokens stand above, with lines to what each looks at. The others: see ``step_viewer``.
    """
    return step_viewer(
        trace, words, parts=tuple(part for part in PARTS if chips or part != "chips"),
        follow=follow, origin=origin, steps=(*front, *steps), first=first, convention=convention,
        start=start, lead=lead, hidden=hidden, photos=photos, heads=heads,
    )  # fmt: skip


def _sheet() -> str:
    """Which of the sheets below the step is open; kept in the link."""
    sheet: str = link.bind_param("below", SHEETS[0], parse.one_of(SHEETS))
    return sheet


def _pickers(trace: Trace, words: Words) -> None:
    """Which sample is shown, of several; which head, where they are computed one at a time.

    The room for it is always there: what stands behind it would else be made anew.
    """
    with st.container(horizontal=True, key="pickers"):
        samples = max(stage.size("batch") for stage in trace.values())
        if samples > 1:
            choice(words.viewer.sample, "sample", range(1, samples + 1), width=110)
        if single_head(trace) is not None:
            st.segmented_control(
                words.viewer.heads, range(1, num_heads(trace) + 1), key="head",
                required=True,
            )  # fmt: skip
