import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.exercises import judging
from core.exercises.judging import Judgement, judge
from core.limits import TYPED
from core.models.by_hand import Sheet
from core.models.worked import WO_AI_BEIJING
from pages.understand.predict import quiz as state
from pages.understand.predict.controls import predict_input, quiz_input
from pages.understand.predict.digits import digits_of, divisor_of
from pages.understand.predict.quiz import Cell, Quiz, click, quiz_of
from pages.understand.predict.worksheet_card import worksheet_card
from views import link
from views.figures.plane import Plane, masked_cells, padding_positions
from views.figures.scale import scale_of
from views.figures.step import step_of
from views.preferences import in_language, words
from views.scene.blob import prepend_header
from views.scene.scene import scene
from views.text import Words, numbers, words_beside
from views.text.spans import Span, isolated, plain, spans
from views.widgets import lesson
from views.widgets.component import component
from views.widgets.errors import computed
from views.widgets.grids import Grid, grids
from views.widgets.prose import prose, source_code
from views.widgets.sheet_input import sentence_of

NARROW = 6  # columns, from which on cells are narrow
SIGNS = {"masked": "+ M =", "weights": "softmax"}


def figure(quiz: Quiz, texts: Words, words: Words) -> None:
    """Draw the matrices; a click on the result selects or covers a cell, or shows its sum."""
    trace, key = quiz.trace, quiz.inputs.stage
    cell = quiz.current or quiz.shown
    row, column = cell or quiz.inputs.at
    at = index_by_role(trace, key, quiz.inputs.index(trace, row, column))
    step = step_of(trace, key, at)
    drawn = []
    for plane in step.operands:
        if plane.values.dtype == bool:
            continue
        marked = _marked(plane) if cell else None
        drawn.append(_grid(trace, plane, at, words, marked=marked, sign="", fixed=True))
    if step.layout == "product":
        drawn[0] = replace(drawn[0], sign="×")
    drawn[-1] = replace(drawn[-1], sign=sign_of(trace, key))
    here = np.zeros(quiz.values.shape, bool)
    here[row, column] = cell is not None
    result = _grid(trace, step.result, at, words, covered=quiz.pending, marked=here)
    if key == "masked":
        drawn[0] = replace(drawn[0], is_masked=result.is_masked, note=texts.hatched)
    if result.is_masked is not None:
        result = replace(result, is_masked=result.is_masked & ~np.asarray(result.covered))

    def clicked(grid: int, row: int, column: int) -> None:
        if grid == len(drawn):
            click(quiz, row, column)

    grids([*drawn, result], key="quiz_grids", on_click=clicked)


def index_by_role(trace: Trace, key: str, index: tuple[int, ...]) -> dict[str, int]:
    """The index of a cell by axis role."""
    return dict(zip(trace[key].roles, index, strict=True))


def title_of(plane: Plane, words: Words) -> str:
    """The symbol of a matrix, with its head if there are several."""
    title = plane.stage + ("ᵀ" if plane.transposed else "")
    if plane.head is None:
        return title
    return f"{title} · {words.viewer.head.format(number=plane.head + 1)}"


def sign_of(trace: Trace, key: str) -> str:
    """The operation that is written behind the last operand of a step."""
    if key == "scaled":
        return f"÷ {divisor_of(trace)} ="
    return SIGNS.get(key, "=")


def hidden_by_mask(trace: Trace, plane: Plane, at: dict[str, int]) -> np.ndarray | None:
    """Which cells are masked; None if none can be."""
    if plane.stage == "masked":
        return np.isneginf(plane.values)
    return masked_cells(trace, plane, at)


def is_filled(trace: Trace) -> bool:
    """Whether there are padding queries, whose rows are left out."""
    return padding_positions(trace, "query", 0) is not None


def _grid(
    trace: Trace,
    plane: Plane,
    at: dict[str, int],
    words: Words,
    *,
    covered: np.ndarray | None = None,
    marked: np.ndarray | None = None,
    **more: Any,
) -> Grid:
    filled = padding_positions(trace, plane.rows.role, 0)
    rows = slice(None) if filled is None else slice(int((~filled).sum()))
    is_masked = hidden_by_mask(trace, plane, at)
    return Grid(
        title_of(plane, words),
        plane.values[rows],
        scale_of(trace, plane.stage),
        rows=plane.rows.names[rows] if plane.rows.role else (),
        columns=plane.columns.names,
        row_role=plane.rows.role or "query",
        column_role=plane.columns.role,
        is_masked=None if is_masked is None else is_masked[rows],
        covered=None if covered is None else covered[rows],
        marked=None if marked is None else marked[rows],
        digits=digits_of(plane.values),
        small=plane.values.shape[1] > NARROW,
        **more,
    )


def _marked(plane: Plane) -> np.ndarray | None:
    """The row, column or cell that the current cell is computed from."""
    if plane.row is None and plane.column is None:
        return None
    marked = np.zeros(plane.values.shape, bool)
    row = slice(None) if plane.row is None else plane.row
    column = slice(None) if plane.column is None else plane.column
    marked[row, column] = True
    return marked


def ask(quiz: Quiz, texts: Words, words: Words) -> None:
    """Draw the matrices, and below them the question and the sum of the last answer."""
    link.write()
    with st.container(border=True, key="ask_card"):
        figure(quiz, texts, words)
        hints = [
            texts.hints[quiz.inputs.cover],
            *([texts.left_out] if is_filled(quiz.trace) else []),
        ]
        st.caption(plain(" ".join(hints)))
    left, right = st.columns([1, 1.35], gap="medium")
    with left, st.container(border=True, key="question_card"):
        with st.container():  # always drawn: else the old progress stays below until the run ends
            if quiz.current is not None:
                question(quiz, quiz.current, texts, words)
        progress(quiz, texts)
    with right, st.container(border=True, key="sum_card"):
        if quiz.shown is None:
            prose([[(texts.nothing_yet, "")]], key="nothing_yet", style="quiet")
        else:
            answer(quiz, quiz.shown, texts, words)


MARKS = {"right": "✓", "coarse": "≈", "near": "✗", "wrong": "✗"}


def progress(quiz: Quiz, texts: Words) -> None:
    """Draw the number of found cells, and a button to start over."""
    counts = {"found": quiz.found, "all": int(quiz.covered.sum()), "revealed": quiz.revealed}
    template = texts.progress if quiz.current else texts.all_found
    with st.container(horizontal=True, vertical_alignment="center"):
        prose([spans(template, **{k: str(n) for k, n in counts.items()})], key="progress")
        if quiz.answers.cells or quiz.answers.picked:
            st.button(
                texts.cover_again, key="cover_again", on_click=state.cover_again, args=(quiz,)
            )


def question(quiz: Quiz, cell: Cell, texts: Words, words: Words) -> None:
    """Draw the question for a number, or for the key with the largest weight."""
    with st.container():  # for the same reason
        if quiz.best(cell[0]):
            _which(quiz, cell[0], texts)
    prose([_asked(quiz, cell, texts, words)], key="asked", style="lead")
    with st.form("guess", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(texts.typed, key="typed", max_chars=TYPED.text, autocomplete="off", width=230)
        st.form_submit_button(texts.check, key="check", on_click=state.check, args=(quiz, cell))
        st.form_submit_button(texts.reveal, key="reveal", on_click=state.reveal, args=(quiz, cell))
    if quiz.inputs.cover == "cells":
        st.button(texts.leave_open, key="leave_open", on_click=state.leave_open, args=(quiz, cell))
    memory = link.remembered(state.QuizMemory)
    invalid, memory.invalid_guess = memory.invalid_guess, None
    if invalid is not None:
        prose([spans(texts.unreadable, typed=invalid)], key="unreadable", style="error")
    elif (cell_state := quiz.answers.cells.get(cell)) and cell_state.attempts:
        prose([_verdict(*cell_state.attempts[-1], texts)], key="verdict", style="notice")
    _tried(quiz, cell, texts)


def answer(quiz: Quiz, cell: Cell, texts: Words, words: Words) -> None:
    """Draw how a cell was answered, the sum that computes it, and the reading of its row."""
    cell_state = quiz.answers.cells.get(cell)
    row, column = (side[at] for side, at in zip(_names(quiz), cell, strict=True))
    value = numbers.plain(float(quiz.values[cell]), digits_of(quiz.values))
    with st.container():  # always drawn, so that the sum below does not move
        if cell_state and cell_state.opened == "typed":
            prose(
                [spans(texts.right, typed=cell_state.attempts[-1][0], value=value)], key="outcome"
            )
        elif cell_state and cell_state.opened == "picked":
            largest = judging.winners(quiz.values[cell[0]])
            names = words.list_mark.join(_names(quiz)[1][key] for key in largest)
            template = texts.tie if len(largest) > 1 else texts.picked
            fields = {"row": (row, "query"), "column": (column, "key"), "names": (names, "key")}
            prose([spans(template, value=value, **fields)], key="outcome")
        elif cell_state and cell_state.opened == "revealed":
            prose([spans(texts.revealed, value=value)], key="outcome")
    show_sum(quiz, cell, words)
    _tried(quiz, cell, texts, key="tried_before")


def _which(quiz: Quiz, row: int, texts: Words) -> None:
    rows, columns = _names(quiz)
    prose([spans(texts.which, row=(rows[row], "query"))], key="which", style="lead")
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for key in _keys(quiz, columns):
            st.button(
                plain(columns[key]), key=f"pick_{key}", on_click=state.pick, args=(quiz, row, key)
            )
    if picked := quiz.answers.picked.get(row):
        tried = (columns[key] for key in dict.fromkeys(picked))
        says = [spans(texts.not_largest, column=(name, "key")) for name in tried]
        prose(says, key="not_largest", style="notice")


def _keys(quiz: Quiz, columns: Sequence[str]) -> list[int]:
    """The keys to choose from; only the first padding key."""
    if "key_mask" not in quiz.trace:
        return [*range(len(columns))]
    real = int(quiz.trace["key_mask"].tensor[0].sum())
    return [*range(min(real + 1, len(columns)))]


def _asked(quiz: Quiz, cell: Cell, texts: Words, words: Words) -> list[Span]:
    """The name of a cell as spans, with axis roles."""
    stage = quiz.trace[quiz.inputs.stage]
    index = quiz.inputs.index(quiz.trace, *cell)
    before, after = texts.asked.split("{cell}")
    name: list[Span] = [(before, ""), (stage.key, "symbol"), ("[", "")]
    for axis, at in zip(stage.axes, index, strict=True):
        if axis.role == "batch" or (axis.role == "head" and stage.size("head") == 1):
            continue
        label = isolated(axis.label(at))
        is_head = axis.role == "head"
        name.append((words.viewer.head.format(number=label) if is_head else label, axis.role))
        name.append((", ", ""))
    name[-1] = ("]", "")
    name.append((after, ""))
    return [span for span in name if span[0]]


def _verdict(text: str, judgement: Judgement, texts: Words) -> list[Span]:
    difference = judgement.difference
    if judgement.verdict == "coarse":
        return spans(texts.coarse, typed=text)
    if math.isinf(difference):
        return spans(texts.finite if difference > 0 else texts.infinite, typed=text)
    template = texts.too_large if difference > 0 else texts.too_small
    sentence = spans(template, typed=text, difference=numbers.short(abs(difference)))
    return [*sentence, (" ", ""), (texts.near, "")] if judgement.verdict == "near" else sentence


def _tried(quiz: Quiz, cell: Cell, texts: Words, key: str = "tried") -> None:
    """Draw all attempts for a cell, in order."""
    cell_state = quiz.answers.cells.get(cell)
    if cell_state is None or not cell_state.attempts:
        return
    attempts = (f"{text} {MARKS[judged.verdict]}" for text, judged in cell_state.attempts)
    prose([spans(texts.guesses, guesses="    ".join(attempts))], key=key, style="quiet")


def _names(quiz: Quiz) -> tuple[list[str], list[str]]:
    stage = quiz.trace[quiz.inputs.stage]
    rows, columns = (
        [isolated(axis.label(index)) for index in range(size)]
        for axis, size in zip(stage.axes[-2:], quiz.values.shape, strict=True)
    )
    return rows, columns


def show_sum(quiz: Quiz, cell: Cell, words: Words) -> None:
    """Draw how a cell is computed, without revealing covered cells.

    The reading of its row is shown if no cell of the row is covered.
    """
    trace, key = quiz.trace, quiz.inputs.stage
    index = quiz.inputs.index(trace, *cell)
    inputs = {
        "key": key,
        "index": index,
        "at": index_by_role(trace, key, index),
        "covered": quiz.pending[cell[0]].tolist(),
    }
    head = inputs["at"].get("head", 0)
    data = prepend_header(inputs, scene(trace, key, 0, head, (), words))
    component("revealed")(key="revealed", data=data)


texts = in_language(words_beside(__file__))
above = st.container()
sheet, trace = computed(lambda: predict_input(texts), Sheet.trace, WO_AI_BEIJING, words())
with above:
    title = texts.lesson.title.format(sentence=sentence_of(sheet.tokens))
    lesson.header(texts.lesson | {"title": title})
inputs = quiz_input(trace, texts)
ask(quiz_of(inputs, trace), texts, words())
worksheet_card(sheet, trace, inputs.head, texts, words())
source_code(texts.code, judge)
lesson.footer(texts.lesson, words())
