"""The stage viewer: one step of a trace at a time, for every kind of input."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import Trace, nested
from core.nested import subtrace
from views import link, parse
from views.export.file import PARTS, WITHOUT_CHIPS, Layers, no_text
from views.figures.symbols import Convention
from views.scene.naming import fill_token_noun, num_heads
from views.scene.sheets import SHEETS
from views.scene.steps import ATTENTION, first_step, steps_of
from views.selection import Selection, choose_head, chosen_cell, chosen_stage
from views.text import Words
from views.text.spans import symbols
from views.widgets.choice import choice
from views.widgets.microscope import FirstView, Origin, microscope
from views.widgets.prose import prose

CONTROLS = {
    "sequence": "cls", "position": "position", "masked": "mask", "dropped": "dropout",
    "residual": "residual", "normalised": "residual",
}  # fmt: skip


def add_control_hints(words: Words) -> Words:
    """The words, with each absent step's text naming the control of this page that adds it."""
    bound, stages = link.session().bound, words.stages
    for key, control in CONTROLS.items():
        if control in bound and control in st.session_state:
            absent = words.both.format(first=stages[key].absent, second=words.ways[control])
            stages |= {key: stages[key] | {"absent": absent}}
    return words | {"stages": stages}


@dataclass(frozen=True)
class Shown:
    """The viewer's selection, and containers for a page's own content above and beside the step."""

    selection: Selection
    above: DeltaGenerator
    beside: DeltaGenerator


def step_viewer(
    trace: Trace,
    words: Words,
    *,
    parts: tuple[str, ...] = WITHOUT_CHIPS,
    follow: bool = True,
    origin: Origin = no_text,
    steps: tuple[str, ...] = ATTENTION,
    first: str = "scores",
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
    heads: int = 1,
    card: Callable[[Selection], None] | None = None,
    first_view: FirstView | None = None,
    layers: Layers | None = None,
) -> Shown:
    """Show one step of a trace in the microscope.

    parts: the parts around the figure, of ``export.PARTS``; chips are the tokens, with lines
    for their weights. follow: whether the page depends on the selected cell, so that each selection
    reruns it. origin: where the weights come from, for the steps that depend on them. steps: those
    on the stepper. first: the initial step; start: its cell, from 0 by axis. convention: whether a
    token is a row or a column of every matrix. lead: draws content before the stepper, from the
    selection. hidden: positions of tokens that are left out of query-by-key figures; no number
    changes. photos: the pictures whose patches are the tokens, (batch, height, width, 3) uint8.
    heads: the number of heads of the whole model, for the link of a part without heads.
    card: draws content over all of this. first_view: shows the words of the input alone at first;
    the parts, and what ``lead`` draws, stand below and are closed until the reader opens them.
    layers: of the model, for a file that has all.
    """
    step_words = add_control_hints(words)
    if not follow:
        link.leave_selection_to_browser()
    sheet = _sheet() if "sheets" in parts else None
    key, absent = chosen_stage(trace, steps, first)
    selection = chosen_cell(trace, key, convention, start)
    link.write()
    if card:
        with st.container():  # whatever is shown in it, the viewer stays the same element
            card(selection)
    if lead and first_view is None:
        with st.container():  # for the same reason
            lead(selection)
    _pickers(trace, words)
    with st.container(key="viewer"):
        if lead and first_view is not None:
            with st.container(key="viewer_lead"):
                lead(selection)
        microscope(
            trace, selection, steps, step_words, origin=origin, follow=follow, parts=parts,
            hidden=hidden, photos=photos, sheet=sheet, heads=heads, export_words=words,
            first_view=first_view, layers=layers,
        )  # fmt: skip
        if first_view and first_view.below:
            with st.container(key="viewer_below"):
                first_view.below()
        above, beside = st.container(key="viewer_above"), st.container(key="viewer_beside")
    if absent:
        text = step_words.stages[absent].get("absent", "")
        prose(
            [symbols(fill_token_noun(text, trace, words.nouns))],
            "absent",
            "notice",
        )
    return Shown(selection, above, beside)


def _sheet() -> str:
    """The sheet that is open below the step, from the link."""
    sheet: str = link.bind_param("below", SHEETS[0], parse.one_of(SHEETS))
    return sheet


def _pickers(trace: Trace, words: Words) -> None:
    """The choice of a sample.

    The container is always drawn; otherwise the elements after it would be created again.
    """
    with st.container(horizontal=True, key="pickers"):
        samples = max(stage.size("batch") for stage in trace.values())
        if samples > 1:
            choice(words.viewer.sample, "sample", range(1, samples + 1), width=110)


def part_viewer(
    trace: Trace,
    path: str,
    words: Words,
    *,
    origin: Origin,
    follow: bool = True,
    start: Mapping[str, int] | None = None,
    lead: Callable[[Selection], None] | None = None,
    hidden: tuple[int, ...] = (),
    photos: np.ndarray | None = None,
    card: Callable[[Selection], None] | None = None,
    first_view: FirstView | None = None,
    layers: Layers | None = None,
    gradients: Trace | None = None,
) -> Shown:
    """Show the part of a model's trace at this path, such as ``decoder/1/cross``.

    start: the initial cell, from 0 by axis. lead: draws content before the stepper, such as the
    map of the model. origin, follow, hidden, photos, card, first_view: see ``step_viewer``.
    layers: by default the attentions of the trace. gradients: shown in place of the part, from the
    last one to the first. Raises UnknownStage for a path that the trace does not have.
    """
    part, attentions = gradients or subtrace(trace, path), _attentions(trace)
    if gradients:
        layers = None
    elif layers is None and len(attentions) > 1:
        layers = Layers(attentions, path, partial(subtrace, trace))
    heads = num_heads(trace)
    choose_head((start or {}).get("head", 0), heads)
    parts = PARTS if trace.token in ("word", "piece") else WITHOUT_CHIPS
    return step_viewer(
        part, words, parts=parts, steps=steps_of(part), origin=origin, follow=follow,
        first=first_step(part), start=start, lead=lead, hidden=hidden, photos=photos, heads=heads,
        card=card, first_view=first_view, layers=layers,
    )  # fmt: skip


def layers_of(
    trace: Trace, path: str, layer: int, count: int, run: Callable[[int], Trace],
    origin: Callable[[int], Origin] | None = None,
) -> Layers | None:  # fmt: skip
    """All layers of a model whose trace is that of one layer; None if it has no other.

    path: of the part that is shown. layer: of the trace, from 1. run: computes that of a layer.
    origin: where the weights of a layer come from.
    """
    if count < 2:
        return None
    here, run = f"/{layer}/", lru_cache(1)(run)
    layer_by_path = {
        other.replace(here, f"/{number}/"): number
        for number in range(1, count + 1)
        for other in _attentions(trace)
    }
    return Layers(
        (*layer_by_path,), path, lambda of: subtrace(run(layer_by_path[of]), of),
        origin and (lambda of: origin(layer_by_path[of])),
    )  # fmt: skip


def _attentions(trace: Trace) -> tuple[str, ...]:
    return tuple(path for path in nested.parts(trace) if f"{path}/weights" in trace)
