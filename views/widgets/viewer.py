"""The stage viewer: one step of a trace at a time, the same for every front door."""

from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Stage, Trace
from views import link
from views.figures.arrange import narrowest
from views.figures.figure import step_figure
from views.figures.plane import Plane, drawn_roles
from views.figures.step import Step, step_of
from views.figures.symbols import name_of
from views.naming import is_random, stage_words, token_name, with_noun
from views.reader import theme
from views.readings import is_padding, readings
from views.selection import Selection, choose_head, chosen_cell, chosen_stage, go
from views.spans import Span, plain, spans
from views.text import Words
from views.widgets.below import below, chosen_sheet
from views.widgets.choice import choice
from views.widgets.heads import heads
from views.widgets.opened_cell import opened_cell
from views.widgets.prose import heading, prose
from views.widgets.rail import neighbours, rail, steps_of


@dataclass(frozen=True)
class Shown:
    """What the viewer shows, and room for what a front door adds: above the step, and beside it."""

    selection: Selection
    above: DeltaGenerator
    beside: DeltaGenerator


def viewer(
    trace: Trace, words: Words, *, front: tuple[str, ...], origin: str, first: str = "scores"
) -> Shown:
    """Show a trace, one step of it.

    front: the stages of the front door that stand on the rail before X. origin: where the weights
    come from, in words, for the steps that depend on them. first: the step to begin with.
    """
    steps = steps_of(front)
    key, absent = chosen_stage(trace, steps, first)
    rail(trace, steps, key, words, go)
    selection = chosen_cell(trace, key)
    sheet = chosen_sheet()
    link.write()
    if absent:
        prose([[(with_noun(words.stages[absent].absent, trace, words), "")]], "absent", "notice")
    above = st.container()
    left, right = st.columns([1.75, 1], gap="medium")
    with left, st.container(border=True, key="figure_card"):
        _figure_card(trace, steps, selection, words)
    with right:
        beside = st.container()
        with st.container(border=True, key="words_card"):
            _words_card(trace, selection, words)
            source = origin if is_random(trace, key) else words.viewer.exact
            prose([[(source, "")]], key="origin", style="quiet")
    below(trace, key, sheet, words)
    return Shown(selection, above, beside)


def _figure_card(trace: Trace, steps: tuple[str, ...], selection: Selection, words: Words) -> None:
    key, stage = selection.key, trace[selection.key]
    with st.container(horizontal=True, vertical_alignment="center", key="title_row"):
        st.markdown(f"#### {with_noun(stage_words(trace, key, words).title, trace, words)}")
        _previous_and_next(trace, steps, key, words)
    step = step_of(trace, key, selection.at)
    prose([_passport(step, stage, selection, words)], key="passport", style="shapes")
    figure = step_figure(trace, key, selection.at, theme())
    with st.container(key="figure_scroll"):
        st.html(f"<style>:root {{ --figure-width: {narrowest(step)}px }}</style>")
        st.plotly_chart(
            figure,
            key="figure",
            theme=None,
            config={"displaylogo": False, "toImageButtonOptions": {"scale": 2}},
        )
    opened_cell(trace, key, selection.index(stage), words)
    with st.container(horizontal=True, key="pickers"):
        _pickers(trace, stage, selection, words)


def _previous_and_next(trace: Trace, steps: tuple[str, ...], key: str, words: Words) -> None:
    before, after = neighbours(trace, steps, key)
    with st.container(horizontal=True, horizontal_alignment="right", key="ways"):
        st.button(
            words.viewer.previous, disabled=before is None, on_click=go, args=(before,), key="back"
        )
        st.button(
            words.viewer.next, disabled=after is None, on_click=go, args=(after,), key="forward",
            type="primary",
        )  # fmt: skip


def _pickers(trace: Trace, stage: Stage, selection: Selection, words: Words) -> None:
    sample = selection.at["batch"]
    samples = trace["X"].size("batch")
    if samples > 1:
        choice(words.viewer.sample, "sample", range(1, samples + 1), width=110)
    if stage.size("channel") > 1:
        choice(
            plain(words.roles["channel"]), "channel", range(1, stage.size("channel") + 1),
            lambda place: stage.axis("channel").label(place - 1), width=110,
        )  # fmt: skip
    labels = (words.viewer.row, words.viewer.column)
    for name, label, role in zip(("row", "column"), labels, drawn_roles(stage), strict=True):
        if role is None or stage.size(role) < 2:
            continue
        called = partial(_place_name, trace, stage, role, sample, words)
        role_name = words.roles.get(role, role)
        choice(
            plain(label.format(role=role_name)), name, range(1, stage.size(role) + 1), called,
            width=170,
        )  # fmt: skip


def _place_name(
    trace: Trace, stage: Stage, role: str, sample: int, words: Words, place: int
) -> str:
    name, _ = token_name(trace, stage, role, place - 1, sample, words)
    return name if "patches" in trace or name == str(place) else f"{place} · {name}"


def _words_card(trace: Trace, selection: Selection, words: Words) -> None:
    key, stage = selection.key, trace[selection.key]
    heading(words.viewer.does)
    st.latex(stage.formula)
    if not is_padding(trace, selection):
        prose([_does(trace, selection, words)], key="does")
    read = readings(trace, selection, words)
    if read:
        heading(words.viewer.reads)
        prose(read, key="reads")
    if stage.size("head") > 1:
        heading(words.viewer.heads)
        heads(trace, key, selection.at, theme(), words, choose_head)


def _does(trace: Trace, selection: Selection, words: Words) -> list[Span]:
    stage = trace[selection.key]
    sample = selection.at["batch"]
    named = [
        token_name(trace, stage, role, selection.at[role], sample, words) if role else ("", "")
        for role in drawn_roles(stage)
    ]
    return spans(
        with_noun(stage_words(trace, selection.key, words).does, trace, words),
        row=named[0],
        column=named[1],
        d_k=str(trace["Q"].size("d_k")),
        heads=str(trace["Q"].size("head")),
    )


def _passport(step: Step, stage: Stage, selection: Selection, words: Words) -> list[Span]:
    line: list[Span] = []
    shared = step.operands[0].columns.role if step.layout == "product" else ""
    for i, plane in enumerate(step.operands):
        line += [(" · " if step.layout == "product" else ", ", "")] if i else []
        line += _shape(plane, shared)
    line += [(" → ", "")] if step.operands else []
    line += _shape(step.result, "")
    if "head" in stage.roles:
        number, all_heads = selection.at["head"] + 1, stage.size("head")
        line += [
            ("  ·  ", ""),
            (words.viewer.head.format(number=f"{number} / {all_heads}"), "head"),
        ]
    return line


def _shape(plane: Plane, shared: str) -> list[Span]:
    spans: list[Span] = [
        (text, "symbol" if tag == "span" else tag) for tag, text in name_of(plane.stage)
    ]
    spans += [("⊤", "sup")] if plane.transposed else []
    spans.append((" (", ""))
    if plane.head is not None:
        spans.append((f"head {plane.head + 1}, ", "head"))
    sides = [side for side in (plane.rows, plane.columns) if side.role]
    for i, side in enumerate(sides):
        spans += [(", ", "")] if i else []
        style = f"{side.role} struck" if side.role == shared else side.role
        spans.append((f"{side.role} {len(side.names)}", style))
    return [*spans, (")", "")]
