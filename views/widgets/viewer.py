"""The stage viewer: one step of a trace at a time, the same for every front door."""

from functools import partial

import streamlit as st

from core import Axis, Stage, Trace
from views import link
from views.figures.figure import step_figure
from views.figures.plane import Plane, drawn_roles
from views.figures.step import Step, step_of
from views.reader import theme
from views.readings import readings
from views.selection import Selection, choose_head, chosen_cell, chosen_stage, go
from views.text import Words
from views.widgets.code import code
from views.widgets.computation_map import computation_map
from views.widgets.heads import heads
from views.widgets.opened_cell import opened_cell
from views.widgets.prose import Span, heading, plain, prose, spans
from views.widgets.rail import neighbours, rail, steps_of
from views.widgets.shape_table import heads_cost, shape_table


def viewer(
    trace: Trace, words: Words, *, front: tuple[str, ...], origin: str, first: str = "scores"
) -> Selection:
    """Show a trace, one step of it.

    front: the stages of the front door that stand on the rail before X. origin: where the weights
    come from, in words. first: the step to begin with.
    """
    key = chosen_stage(trace, first)
    steps = steps_of(trace, front)
    rail(trace, steps, key, words, go)
    selection = chosen_cell(trace, key)
    link.write()
    left, right = st.columns([1.75, 1], gap="medium")
    with left, st.container(border=True, key="figure_card"):
        _figure_card(trace, steps, selection, words)
    with right, st.container(border=True, key="words_card"):
        _words_card(trace, selection, words)
        prose([[(origin, "")]], key="origin", style="quiet")
    shapes, map_tab, code_tab = st.tabs([words.viewer.shapes, words.viewer.map, words.viewer.code])
    with shapes:
        shape_table(trace, key, words)
        heads_cost(trace, words)
    with map_tab:
        st.caption(words.viewer.map_hint)
        names = {name: stage.name for name, stage in words.stages.items()}
        computation_map(trace, key, words.viewer.map, names, go)
    with code_tab:
        code(trace, key, words)
    return selection


def _figure_card(trace: Trace, steps: tuple[str, ...], selection: Selection, words: Words) -> None:
    key, stage = selection.key, trace[selection.key]
    st.markdown(f"#### {words.stages[key].title}")
    step = step_of(trace, key, selection.at)
    prose([_passport(step, stage, selection, words)], key="passport", style="shapes")
    with st.container(key="figure_scroll"):
        st.plotly_chart(
            step_figure(trace, key, selection.at, theme()),
            key="figure",
            theme=None,
            config={"displaylogo": False, "toImageButtonOptions": {"scale": 2}},
        )
    opened_cell(trace, key, selection.index(stage), words)
    before, after = neighbours(trace, steps, key)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            words.viewer.previous, disabled=before is None, on_click=go, args=(before,), key="back"
        )
        st.button(
            words.viewer.next, disabled=after is None, on_click=go, args=(after,), key="forward",
            type="primary",
        )  # fmt: skip
        _pickers(trace, stage, selection, words)


def _pickers(trace: Trace, stage: Stage, selection: Selection, words: Words) -> None:
    sample = selection.at["batch"]
    samples = trace["X"].size("batch")
    if samples > 1:
        st.selectbox(
            words.viewer.sample,
            list(range(1, samples + 1)),
            key="sample",
            on_change=link.touch,
            width=110,
        )
    labels = (words.viewer.row, words.viewer.column)
    for name, label, role in zip(("row", "column"), labels, drawn_roles(stage), strict=True):
        if role is None or stage.size(role) < 2:
            continue
        axis = stage.axis(role)
        st.selectbox(
            plain(label.format(role=role)),
            list(range(1, stage.size(role) + 1)),
            format_func=partial(_place_name, axis, sample),
            key=name,
            on_change=link.touch,
            width=150,
        )


def _place_name(axis: Axis, sample: int, place: int) -> str:
    label = axis.label(place - 1, sample)
    return label if label == str(place) or "·" in label else f"{place} · {label}"


def _words_card(trace: Trace, selection: Selection, words: Words) -> None:
    key, stage = selection.key, trace[selection.key]
    heading(words.viewer.does)
    st.latex(stage.formula)
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
        (stage.axis(role).label(selection.at[role], sample), role) if role else ("", "")
        for role in drawn_roles(stage)
    ]
    return spans(
        words.stages[selection.key].does,
        row=named[0],
        column=named[1],
        d_k=str(trace["Q"].size("d_k")),
        heads=str(trace["Q"].size("head")),
    )


def _passport(step: Step, stage: Stage, selection: Selection, words: Words) -> list[Span]:
    line: list[Span] = []
    shared = step.operands[0].columns.role if step.layout == "product" else ""
    for i, plane in enumerate(step.operands):
        line += [(" · " if step.layout == "product" else " , ", "")] if i else []
        line += _shape(plane, shared)
    line += [(" → ", "")] if step.operands else []
    line += _shape(step.result, "")
    if stage.size("head") > 1 or "head" in stage.roles:
        number, all_heads = selection.at["head"] + 1, stage.size("head")
        line += [
            ("  ·  ", ""),
            (words.viewer.head.format(number=f"{number} / {all_heads}"), "head"),
        ]
    return line


def _shape(plane: Plane, shared: str) -> list[Span]:
    spans: list[Span] = [(plane.stage + ("ᵀ" if plane.transposed else ""), "symbol"), (" (", "")]
    sides = [side for side in (plane.rows, plane.columns) if side.role]
    for i, side in enumerate(sides):
        spans += [(", ", "")] if i else []
        style = f"{side.role} struck" if side.role == shared else side.role
        spans.append((f"{side.role} {len(side.names)}", style))
    return [*spans, (")", "")]
