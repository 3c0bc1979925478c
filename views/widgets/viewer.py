"""The stage viewer: one step of a trace at a time, the same for every front door."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Stage, Trace
from views import link
from views.figures.symbols import Convention
from views.naming import depends_on_weights, heads_of, only_head, with_noun
from views.readings import readings
from views.selection import Selection, chosen_cell, chosen_stage
from views.spans import plain, symbols
from views.text import Words
from views.widgets import microscope
from views.widgets.below import below, chosen_sheet
from views.widgets.choice import choice
from views.widgets.prose import heading, prose
from views.widgets.terms import terms_of
from views.widgets.ways import with_ways

ATTENTION = (
    "X", "Q", "K", "V", "scores", "scaled", "masked", "weights", "dropped",
    "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip


@dataclass(frozen=True)
class Shown:
    """What the viewer shows, and room for what a front door adds: above the step, and beside it."""

    selection: Selection
    above: DeltaGenerator
    beside: DeltaGenerator


def opened(
    trace: Trace,
    words: Words,
    *,
    steps: tuple[str, ...] = ATTENTION,
    first: str = "scores",
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
) -> Selection:
    """Bring a trace to the microscope, with its rail; which step and cell of it is chosen.

    steps: those on the rail. first: the one to begin with; start: its cell, from 0 by axis.
    lead: draws what stands before the rail, once it is known what is chosen. hidden: the places of
    tokens that are taken out of the picture. photos: whose patches the tokens are, one a sample.
    """
    words = with_ways(words)
    key, absent = chosen_stage(trace, steps, first)
    selection = chosen_cell(trace, key, convention, start)
    link.write()
    if lead:
        lead(selection)
    microscope.bring(trace, selection, steps, words, hidden, photos)
    microscope.part("rail")
    if absent:
        prose([symbols(with_noun(words.stages[absent].absent, trace, words))], "absent", "notice")
    return selection


def figure_card(trace: Trace, selection: Selection, words: Words) -> None:
    """The figure that answers the pointer, and below it which sample and channel is drawn."""
    with st.container(border=True, key="figure_card"):
        microscope.part("microscope")
        with st.container(horizontal=True, key="pickers"):
            _pickers(trace, trace[selection.key], words)


def words_card(trace: Trace, selection: Selection, origin: str, words: Words) -> None:
    """What the step does, what its numbers say, all heads, and where the weights come from."""
    with st.container(border=True, key="words_card"):
        _told(trace, selection, words)
        source = origin if depends_on_weights(trace, selection.key) else words.viewer.exact
        prose([[(source, "")]], key="origin", style="quiet")
        terms_of(trace, selection.key)


def viewer(
    trace: Trace,
    words: Words,
    *,
    origin: str,
    front: tuple[str, ...] = (),
    steps: tuple[str, ...] = ATTENTION,
    first: str = "scores",
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
    chips: bool = False,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
) -> Shown:
    """Show a trace, one step of it.

    front: the stages of the front door that stand on the rail before the others. origin: where the
    weights come from, in words, for the steps that depend on them. steps: the others. first: the
    step to begin with; start: its cell, from 0 by axis. convention: whether a token is a row or a
    column of every matrix. chips: whether the tokens stand above, with lines to what each looks at.
    lead: draws what stands before the rail. hidden: the places of tokens that are taken out of the
    picture where queries meet keys; no number changes. photos: whose patches the tokens are, one
    a sample.
    """
    steps = (*front, *steps)
    sheet = chosen_sheet()
    selection = opened(
        trace, words, steps=steps, first=first, convention=convention, start=start, lead=lead,
        hidden=hidden, photos=photos,
    )  # fmt: skip
    above = st.container()
    if chips:
        microscope.part("chips")
    left, right = st.columns([1.75, 1], gap="medium")
    with left:
        figure_card(trace, selection, words)
    with right:
        beside = st.container()
        words_card(trace, selection, origin, words)
    with st.container(key="below"):
        below(trace, selection, sheet, words, hidden)
    return Shown(selection, above, beside)


def _pickers(trace: Trace, stage: Stage, words: Words) -> None:
    samples = max(stage.size("batch") for stage in trace.values())
    if samples > 1:
        choice(words.viewer.sample, "sample", range(1, samples + 1), width=110)
    if stage.size("channel") > 1:
        choice(
            plain(words.roles["channel"]), "channel", range(1, stage.size("channel") + 1),
            lambda place: stage.axis("channel").label(place - 1), width=110,
        )  # fmt: skip


def _told(trace: Trace, selection: Selection, words: Words) -> None:
    heading(words.viewer.does)
    microscope.part("words")
    read = readings(trace, selection, words)
    if read:
        heading(words.viewer.reads)
        prose(read, key="reads")
    if only_head(trace) is None:
        microscope.part("heads")
        return
    heading(words.viewer.heads)
    st.segmented_control(
        words.viewer.heads, range(1, heads_of(trace) + 1), key="head", on_change=link.touch,
        required=True, label_visibility="collapsed",
    )  # fmt: skip
