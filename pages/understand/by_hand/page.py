from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
import streamlit as st

from core import Stage, Trace, rules
from core.models.by_hand import Sheet
from core.models.worked import PRESETS, WO_AI_BEIJING, WORDS
from pages.understand.by_hand.backwards import (
    FIRST,
    STRIP,
    direction_input,
    gradients,
    is_backwards,
)
from pages.understand.by_hand.changes import bind_base, changes, changes_here, what_changed
from pages.understand.by_hand.edit import edit
from views import link, parse
from views.figures.plane import Plane, masked_cells, shown_plane
from views.figures.scale import scale_of
from views.figures.symbols import Convention, name_of
from views.preferences import in_language, words
from views.scene.steps import ATTENTION, gradients_of
from views.selection import Selection, SelectionState
from views.text import Words, numbers, words_beside
from views.text.numbers import DECIMALS
from views.text.spans import Span, plain, spans
from views.widgets import lesson
from views.widgets.choice import option_input
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.mask_input import bind_mask, chosen_mask, mask_input
from views.widgets.prose import heading, prose
from views.widgets.sheet_input import (
    DIVISORS,
    SCALES,
    bind_sheet,
    example_input,
    sentence_of,
    sheet_of,
    state,
)
from views.widgets.viewer import step_viewer

ENGLISH = "Beijing"
NEARLY_ALL = 0.95


def story(preset: str, sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    """The sentences; none if the sheet was edited so that they would not be true."""
    is_beijing = sheet.tokens[: len(WORDS)] == WORDS and trace["Q"].tensor.shape[1::2] == (1, 1)
    if is_beijing and not {"allowed", "sliding_window"} & trace.keys():
        return _beijing(sheet, trace, texts)
    first = PRESETS[preset]
    as_given = all(np.array_equal(first.matrices.get(n, 0), m) for n, m in sheet.matrices.items())
    explain = {"whole_numbers": _whole, "d4_h2": _heads}.get(preset)
    as_scaled = sheet.options.scale == first.options.scale
    if explain is None or not as_given or not as_scaled or "masked" in trace:
        return []
    return explain(sheet, trace, texts)


def _beijing(sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    Q, K, V, scores, weights, output = (
        trace[key].tensor[0, 0] for key in ("Q", "K", "V", "scores", "weights", "head_output")
    )
    if V.shape[1] != 1:
        return []
    n, last = len(sheet.tokens) - sheet.padded, len(WORDS) - 1
    name: Span = (WORDS[last], "query")
    sums = numbers.weighted_sum(
        weights[last, :n].tolist(), V[:n, 0].tolist(), float(output[last, 0])
    )
    row: dict[str, str | Span] = {"row": name, "sum": sums}
    best = int(weights[last].argmax())
    if sheet.padded:
        return [
            spans(
                texts.filling,
                count=str(sheet.padded),
                row=name,
                weight=numbers.bare(weights[last, n:].sum()),
                output=_n(output[last, 0]),
            )
        ]
    if sheet.options.causal:
        shares = [_n(share) for share in weights[1, :2]]
        causal = spans(
            texts.reading,
            first=(WORDS[0], "query"),
            first_output=_n(output[0, 0]),
            second=(WORDS[1], "query"),
            shares=" + ".join(shares),
            second_output=_n(output[1, 0]),
        )
        return [causal, spans(texts.reading_row, **row)]
    related = spans(
        texts.translation,
        english=ENGLISH,
        query=(WORDS[1], "query"),
        key=(WORDS[2], "key"),
        q=numbers.bare(Q[1, 0]),
        k=numbers.bare(K[2, 0]),
        score=numbers.bare(scores[1, 2]),
        weight=_n(weights[1, 2]),
    )
    largest = float(weights[last, best])
    sentence = spans(texts.translation_row, **row)
    sentence += spans(
        texts.picked if largest > NEARLY_ALL else texts.mixed,
        best=(sheet.tokens[best], "key"),
        largest=_n(largest),
    )
    return [related, sentence]


def _whole(sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    scores, weights = trace["scores"].tensor[0, 0], trace["weights"].tensor[0, 0]
    best = int(weights[1].argmax())
    return [
        spans(
            texts.whole,
            row=(sheet.tokens[0], "query"),
            scores=_row(scores[0]),
            output=_row(trace["output"].tensor[0, 0]),
            other=(sheet.tokens[1], "query"),
            best=(sheet.tokens[best], "key"),
            largest=_n(weights[1, best]),
        )
    ]


def _heads(sheet: Sheet, trace: Trace, texts: Words) -> list[list[Span]]:
    one, two = (trace["weights"].tensor[0, head, 0] for head in range(2))
    return [
        spans(texts.heads, token=(sheet.tokens[0], "query"), one=_row(one, 2), two=_row(two, 2)),
        spans(
            texts.heads_output,
            concat=_row(trace["concat"].tensor[0, 0], 2),
            output=_row(trace["output"].tensor[0, 0], 2),
        ),
    ]


def _n(value: float) -> str:
    return numbers.short(float(value))


def _row(values: np.ndarray, digits: int | None = None) -> str:
    write = numbers.bare if digits is None else partial(numbers.plain, digits=digits)
    printed = (write(float(v)) for v in values)
    return f"[{', '.join(printed)}]"


def by_hand_input(texts: Words) -> Sheet:
    """Draw the controls; return the example with all edits. Raises core.errors.InputError."""
    bind_sheet()
    bind_mask(link.bind_param, words().mask)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        example_input(texts)
        st.segmented_control(
            texts.divisor, SCALES, format_func=lambda one: plain(DIVISORS[one]),
            key="divisor", required=True,
        )  # fmt: skip
        mask_input(words().mask, width="content")
        direction_input(texts.direction)
    return sheet_of(state(), chosen_mask())


def chosen_convention(texts: Words) -> Convention:
    """The convention in the link, also before its control is drawn."""
    return cast(Convention, link.bind_param("convention", "rows", parse.one_of(texts.options)))


def convention_input(texts: Words) -> None:
    """Draw the control, and a note if tokens are columns."""
    chosen = option_input(texts.label, "convention", texts.options, texts.options.__getitem__)
    if chosen == "columns":
        prose([[(texts.note, "")]], key="convention_note", style="quiet")


TEXTS = words_beside(__file__)


def sheet_cards(sheet: Sheet, trace: Trace, words: Words, texts: Words) -> None:
    """Draw the editor, the explanation, the changes and the microscope."""
    bind_base()
    turned = is_backwards()
    watched: dict[str, int] = {}
    convention = "rows" if turned else chosen_convention(texts.convention)
    left, right = st.columns([1, 1.75], gap="medium")
    with left:
        with st.container(border=True, key="sheet_card"):
            edit(sheet, trace, words, texts.edit, convention)
        here = st.container()
    with right:
        if turned:
            trace, watched = gradients(trace, texts.direction)
        else:
            _story(sheet, trace, texts)
        glance, changed = st.container(), st.container()
    if not turned:
        convention_input(texts.convention)
    shown = step_viewer(
        trace,
        stage_words_by_hand(words, texts, sheet, trace),
        origin=lambda words: TEXTS[words.code].origin,
        steps=gradients_of(trace) if turned else ATTENTION,
        first=FIRST["backwards" if turned else "forwards"],
        convention=convention,
        start=watched,
    )
    if turned:
        with glance:
            overview(trace, shown.selection, {}, STRIP)
        return
    by_how_much = what_changed(trace)
    with glance:
        overview(trace, shown.selection, by_how_much.differences)
    with changed:
        changes(trace, by_how_much, texts.changes, convention)
    with here:
        changes_here(trace, by_how_much, shown.selection, texts.changes)


def _story(sheet: Sheet, trace: Trace, texts: Words) -> None:
    sentences = story(st.session_state["preset"], sheet, trace, texts.story)
    if sentences:
        with st.container(border=True, key="story_card"):
            heading(texts.story_title)
            prose(sentences, key="story")


def stage_words_by_hand(words: Words, texts: Words, sheet: Sheet, trace: Trace) -> Words:
    """The words, with the texts that differ on this page."""
    stages = words.stages
    for key, absent in texts.stages.absent.items():
        stages |= {key: stages[key] | {"absent": absent}}
    for key, does in texts.stages.given.items():
        if isinstance(trace[key].rule, rules.Given):
            stages |= {key: stages[key] | {"does": does}}
    if sheet.options.scale != "root":
        scale = sheet.options.scale_for(trace["Q"].size("d_k"))
        divisor = numbers.bare(1 / scale)
        does = texts.stages.divided if scale < 1 else texts.stages.undivided
        scaled = {
            "title": texts.stages.divided_title.format(divisor=divisor),
            "does": does.format(
                divisor=divisor, factor=numbers.bare(scale), square=numbers.bare(1 / scale**2)
            ),
        }
        kind = trace["scaled"].kind
        stages |= {kind: stages[kind] | scaled}
    given = words.opened.given | {"parameter": texts.stages.parameter}
    return words | {
        "stages": stages,
        "opened": words.opened | {"given": given},
        "viewer": words.viewer | {"exact": texts.origin},
    }


STEPS = ("scores", "weights", "V", "head_output")
SIGNS: dict[Convention, dict[str, str]] = {
    "rows": {"scores": "→", "weights": "×", "V": "="},
    "columns": {"head_output": "=", "V": "×", "weights": "←"},
}  # the sign behind each matrix; with tokens as columns, A V is written V A
FEW, MOST = 5, 10  # sizes up to which all steps, or the last two, are drawn
WIDE = 10  # columns that fit side by side


def overview(
    trace: Trace,
    selection: Selection,
    changed: Mapping[str, np.ndarray | None],
    steps: tuple[str, ...] = STEPS,
) -> None:
    """Draw the matrices if they are small; a click opens a cell in the microscope.

    changed: the difference of each step from the preset; cells that differ are framed.
    """
    convention = selection.convention
    planes = {key: shown_plane(trace[key], selection.at, convention) for key in steps}
    size = max(max(plane.values.shape) for plane in planes.values())
    if size > MOST:
        return
    shown = steps
    if steps == STEPS:
        widths = [trace[key].tensor.shape[-1] for key in shown]
        if size > FEW:
            shown = ("weights", "head_output")
        elif sum(widths) > WIDE:
            shown = STEPS[1:]
    if convention == "columns":
        shown = shown[::-1]
    last, drawn = shown[-1], []
    for key in shown:
        plane = planes[key]
        by = changed.get(key)
        drawn.append(
            Grid(
                "".join(text for _, text in name_of(key)),
                plane.values,
                scale_of(trace, key),
                rows=plane.rows.names,
                row_role=plane.rows.role,
                columns=plane.columns.names,
                column_role=plane.columns.role,
                is_masked=masked_cells(trace, plane, selection.at),
                marked=None if by is None else _changed(trace[key], by, selection),
                sign=SIGNS[convention].get(key, "") if size <= FEW and key != last else "",
                small=True,
                digits=DECIMALS if steps == STRIP else None,
            )
        )
    grids(drawn, key="strip", on_click=partial(_open, [planes[key] for key in shown]))


def _changed(stage: Stage, by: np.ndarray, selection: Selection) -> np.ndarray:
    """Which cells of the drawn plane of a stage differ from the preset."""
    drawn = shown_plane(replace(stage, tensor=by), selection.at, selection.convention)
    changed: np.ndarray = drawn.values != 0
    return changed


def _open(shown: list[Plane], grid: int, row: int, column: int) -> None:
    now, plane = link.remembered(SelectionState), shown[grid]
    now.positions |= {plane.rows.role: row, plane.columns.role: column}
    now.drawn = None
    link.set_value("stage", plane.stage)


texts = in_language(words_beside(__file__))
above = st.container()
sheet, trace = computed(lambda: by_hand_input(texts), Sheet.trace, WO_AI_BEIJING, words())
with above:
    title = texts.lesson.title.format(sentence=sentence_of(sheet.tokens))
    lesson.header(texts.lesson | {"title": title})
sheet_cards(sheet, trace, words(), texts)
lesson.footer(texts.lesson, words())
