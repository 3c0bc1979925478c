"""The question about a covered cell, its answer, and the progress."""

import math
from collections.abc import Sequence

import streamlit as st

from core.exercises import judging
from core.exercises.judging import Judgement
from core.limits import TYPED
from pages.understand.predict import quiz as state
from pages.understand.predict.cell_sum import show_sum
from pages.understand.predict.digits import digits_of
from pages.understand.predict.quiz import Place, Quiz
from views import link
from views.text import Words, numbers
from views.text.spans import Span, plain, spans
from views.widgets.prose import prose

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


def question(quiz: Quiz, place: Place, texts: Words, words: Words) -> None:
    """Draw the question for a number, or for the key with the largest weight."""
    if quiz.best(place[0]):
        _which(quiz, place[0], texts)
    prose([_asked(quiz, place, texts, words)], key="asked", style="lead")
    with st.form("guess", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(texts.typed, key="typed", max_chars=TYPED.text, autocomplete="off", width=230)
        st.form_submit_button(texts.check, key="check", on_click=state.check, args=(quiz, place))
        st.form_submit_button(texts.reveal, key="reveal", on_click=state.reveal, args=(quiz, place))
    if quiz.inputs.cover == "cells":
        st.button(texts.leave_open, key="leave_open", on_click=state.leave_open, args=(quiz, place))
    memory = link.remembered(state.QuizMemory)
    invalid, memory.invalid_guess = memory.invalid_guess, None
    if invalid is not None:
        prose([spans(texts.unreadable, typed=invalid)], key="unreadable", style="error")
    elif (page := quiz.answers.cells.get(place)) and page.attempts:
        prose([_verdict(*page.attempts[-1], texts)], key="verdict", style="notice")
    _tried(quiz, place, texts)


def answer(quiz: Quiz, place: Place, texts: Words, words: Words) -> None:
    """Draw how a cell was answered, the sum that computes it, and the reading of its row."""
    page = quiz.answers.cells.get(place)
    row, column = (side[at] for side, at in zip(_names(quiz), place, strict=True))
    value = numbers.plain(float(quiz.values[place]), digits_of(quiz.values))
    if page and page.opened == "typed":
        prose([spans(texts.right, typed=page.attempts[-1][0], value=value)], key="outcome")
    elif page and page.opened == "picked":
        largest = judging.winners(quiz.values[place[0]])
        names = words.list_mark.join(_names(quiz)[1][key] for key in largest)
        template = texts.tie if len(largest) > 1 else texts.picked
        fields = {"row": (row, "query"), "column": (column, "key"), "names": (names, "key")}
        prose([spans(template, value=value, **fields)], key="outcome")
    elif page and page.opened == "revealed":
        prose([spans(texts.revealed, value=value)], key="outcome")
    show_sum(quiz, place, words)
    _tried(quiz, place, texts, key="tried_before")


def _which(quiz: Quiz, row: int, texts: Words) -> None:
    rows, columns = _names(quiz)
    prose([spans(texts.which, row=(rows[row], "query"))], key="which", style="lead")
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for key in _keys(quiz, columns):
            st.button(
                plain(columns[key]),
                key=f"pick_{key}",
                on_click=state.pick,
                args=(quiz, row, key),
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


def _asked(quiz: Quiz, place: Place, texts: Words, words: Words) -> list[Span]:
    """The name of a cell as spans, with axis roles."""
    stage = quiz.trace[quiz.inputs.stage]
    index = quiz.inputs.index(quiz.trace, *place)
    before, after = texts.asked.split("{cell}")
    name: list[Span] = [(before, ""), (stage.key, "symbol"), ("[", "")]
    for axis, at in zip(stage.axes, index, strict=True):
        if axis.role == "batch" or (axis.role == "head" and stage.size("head") == 1):
            continue
        label = axis.label(at)
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


def _tried(quiz: Quiz, place: Place, texts: Words, key: str = "tried") -> None:
    """Draw all attempts for a cell, in order."""
    page = quiz.answers.cells.get(place)
    if page is None or not page.attempts:
        return
    tried = "    ".join(f"{text} {MARKS[judgement.verdict]}" for text, judgement in page.attempts)
    prose([spans(texts.guesses, guesses=tried)], key=key, style="quiet")


def _names(quiz: Quiz) -> tuple[list[str], list[str]]:
    stage = quiz.trace[quiz.inputs.stage]
    rows, columns = (
        [axis.label(place) for place in range(size)]
        for axis, size in zip(stage.axes[-2:], quiz.values.shape, strict=True)
    )
    return rows, columns
