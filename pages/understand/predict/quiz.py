"""The state of the quiz: covered, found and revealed cells, and all attempts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.exercises.judging import Judgement, judge, parse_number, winners
from core.exercises.quiz_cells import every_cell, nearest
from core.limits import COVERED_CELLS
from pages.understand.predict.controls import Inputs
from views import link

Cell = tuple[int, int]


@dataclass
class CellState:
    """The state of one cell.

    opened: ``typed``, ``picked`` or ``revealed``; empty while it is covered.
    tries: what was typed, and what it was worth.
    """

    opened: str = ""
    attempts: list[tuple[str, Judgement]] = field(default_factory=list)


@dataclass
class Answers:
    """The answers for one plane of a stage of an example.

    picked: wrong keys that were picked, by row. shown: the cell whose sum is shown.
    """

    cells: dict[Cell, CellState] = field(default_factory=dict)
    picked: dict[int, list[int]] = field(default_factory=dict)
    shown: Cell | None = None

    def state_of(self, cell: Cell) -> CellState:
        """The state of a cell, created on first use."""
        return self.cells.setdefault(cell, CellState())

    def is_open(self, cell: Cell) -> bool:
        """Whether a cell is found or revealed."""
        return cell in self.cells and bool(self.cells[cell].opened)

    def open(self, cell: Cell, how: str) -> None:
        """Uncover a cell and show its sum."""
        self.state_of(cell).opened = how
        self.shown = cell


@dataclass
class QuizMemory:
    """by_plane: the answers, by the numbers too. invalid_guess: the last text that is no number."""

    by_plane: dict[Any, Answers] = field(default_factory=dict)
    invalid_guess: str | None = None


@dataclass(frozen=True, eq=False)
class Quiz:
    """The quiz on one plane. values, covered: (row, column). answers: so far."""

    inputs: Inputs
    trace: Trace
    values: np.ndarray
    covered: np.ndarray
    answers: Answers

    @property
    def pending(self) -> np.ndarray:
        """The cells that are still covered."""
        still = self.covered.copy()
        for cell in self._opened():
            still[cell] = False
        return still

    @property
    def current(self) -> Cell | None:
        """The cell in question: the selected one, or the next one that is covered."""
        cells = [(int(row), int(column)) for row, column in np.argwhere(self.pending)]
        behind = (cell for cell in cells if cell >= self.inputs.at)
        return next(behind, cells[0] if cells else None)

    @property
    def shown(self) -> Cell | None:
        """The cell whose sum is shown; None if it is covered."""
        cell = self.answers.shown
        rows, columns = self.values.shape
        if cell is None or cell[0] >= rows or cell[1] >= columns or self.pending[cell]:
            return None
        return cell

    @property
    def found(self) -> int:
        """The number of cells that the user found."""
        return sum(self.answers.cells[cell].opened != "revealed" for cell in self._opened())

    @property
    def revealed(self) -> int:
        """The number of cells that were revealed."""
        return sum(self.answers.cells[cell].opened == "revealed" for cell in self._opened())

    def best(self, row: int) -> tuple[int, ...]:
        """The keys with the largest weight of a query, if they are covered; else none."""
        largest = winners(self.values[row]) if self.inputs.stage == "weights" else ()
        return largest if all(self.pending[row, key] for key in largest) else ()

    def _opened(self) -> Iterator[Cell]:
        return (
            cell for cell in self.answers.cells
            if self.answers.is_open(cell) and cell[0] < len(self.covered)
            and cell[1] < self.covered.shape[1] and self.covered[cell]
        )  # fmt: skip


def quiz_of(inputs: Inputs, trace: Trace) -> Quiz:
    """The quiz on the chosen plane, with the answers of this session."""
    plane = inputs.plane(trace)
    values = trace[inputs.stage].tensor[plane]
    answers = link.remembered(QuizMemory).by_plane.setdefault(
        (inputs.stage, *plane, values.shape, values.tobytes()), Answers()
    )
    covered = inputs.covered(trace, inputs.stage)[plane]
    return Quiz(inputs, trace, values, covered, answers)


def check(quiz: Quiz, cell: Cell) -> None:
    """Callback: judge the typed number; invalid text stays in its box."""
    written = st.session_state["typed"].strip()
    link.mark_user_action()
    try:
        guess = parse_number(written)
    except ValueError:
        link.remembered(QuizMemory).invalid_guess = written
        return
    judgement = judge(guess, float(quiz.values[cell]))
    quiz.answers.state_of(cell).attempts.append((written, judgement))
    _go_to(cell)
    if judgement.verdict == "right":
        quiz.answers.open(cell, "typed")
        st.session_state["typed"] = ""


def pick(quiz: Quiz, row: int, key: int) -> None:
    """Callback: the user picks a key as the one with a query's largest weight."""
    link.mark_user_action()
    if key in quiz.best(row):
        quiz.answers.open((row, key), "picked")
    else:
        quiz.answers.picked.setdefault(row, []).append(key)


def reveal(quiz: Quiz, cell: Cell) -> None:
    """Callback: reveal a cell."""
    quiz.answers.open(cell, "revealed")
    st.session_state["typed"] = ""
    _go_to(cell)


def cover_again(quiz: Quiz) -> None:
    """Callback: discard all answers of this plane."""
    quiz.answers.cells.clear()
    quiz.answers.picked.clear()
    quiz.answers.shown = None
    st.session_state["typed"] = ""
    link.mark_user_action()


def leave_open(quiz: Quiz, cell: Cell) -> None:
    """Callback: remove a cell from the covered ones."""
    key = quiz.inputs.stage
    others = (one for one in quiz.inputs.cells if nearest(quiz.trace, key, one) != cell)
    link.set_value("cells", tuple(others))
    quiz.answers.shown = cell


def click(quiz: Quiz, row: int, column: int) -> None:
    """Callback: select a covered cell, cover an open one, or show its sum."""
    cell, inputs = (row, column), quiz.inputs
    askable = bool(every_cell(quiz.trace, inputs.stage)[inputs.index(quiz.trace, *cell)])
    covers_it = inputs.cover == "cells" and askable and not quiz.covered[cell]
    if covers_it and len(inputs.cells) < COVERED_CELLS:
        link.set_value("cells", (*inputs.cells, cell))
    moves = inputs.cover == "row" and askable and row != inputs.at[0]
    if not quiz.pending[cell] and not covers_it and not moves:
        quiz.answers.shown = cell
    if askable:
        _go_to(cell)


def _go_to(cell: Cell) -> None:
    row, column = cell
    link.set_value("row", row + 1)
    link.set_value("column", column + 1)
