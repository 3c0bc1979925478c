"""What the reader has found of the covered cells, and what was tried: kept for the session."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.exercises.judging import Judgement, judge, winners
from core.exercises.quiz_cells import every_cell, nearest
from core.limits import COVERED_CELLS
from pages.understand.predict.controls import Inputs
from views import link
from views.parse_number import parse_number

Place = tuple[int, int]


@dataclass
class Page:
    """What became of one cell.

    opened: how: ``typed``, ``picked`` or ``revealed``; empty where it is still covered.
    tries: what was typed, and what it was worth.
    """

    opened: str = ""
    tries: list[tuple[str, Judgement]] = field(default_factory=list)


@dataclass
class Book:
    """All cells of one plane of one stage of one example.

    picked: the keys that were picked in vain, for each row. shown: the cell whose sum is shown.
    """

    pages: dict[Place, Page] = field(default_factory=dict)
    picked: dict[int, list[int]] = field(default_factory=dict)
    shown: Place | None = None

    def page(self, place: Place) -> Page:
        """What is noted of a cell."""
        return self.pages.setdefault(place, Page())

    def is_open(self, place: Place) -> bool:
        """Whether a cell was found or revealed."""
        return place in self.pages and bool(self.pages[place].opened)

    def open(self, place: Place, how: str) -> None:
        """Uncover a cell and show its sum."""
        self.page(place).opened = how
        self.shown = place


@dataclass
class Shelf:
    """The books of this reader, by what is asked; unreadable: the last guess that is no number."""

    books: dict[Any, Book] = field(default_factory=dict)
    unreadable: str | None = None


@dataclass(frozen=True, eq=False)
class Quiz:
    """What is on the page: the numbers of the plane, what is covered, and the book on it."""

    inputs: Inputs
    trace: Trace
    values: np.ndarray
    covered: np.ndarray
    book: Book

    @property
    def pending(self) -> np.ndarray:
        """The cells that are still covered."""
        still = self.covered.copy()
        for place in self._opened():
            still[place] = False
        return still

    @property
    def current(self) -> Place | None:
        """The cell that is asked for: the reader's, or the next one that is still covered."""
        places = [(int(row), int(column)) for row, column in np.argwhere(self.pending)]
        behind = (place for place in places if place >= self.inputs.at)
        return next(behind, places[0] if places else None)

    @property
    def shown(self) -> Place | None:
        """The cell whose sum is shown; none that is covered."""
        place = self.book.shown
        rows, columns = self.values.shape
        if place is None or place[0] >= rows or place[1] >= columns or self.pending[place]:
            return None
        return place

    @property
    def found(self) -> int:
        """How many of the covered cells the reader has found."""
        return sum(self.book.pages[place].opened != "revealed" for place in self._opened())

    @property
    def revealed(self) -> int:
        """How many she has given up."""
        return sum(self.book.pages[place].opened == "revealed" for place in self._opened())

    def best(self, row: int) -> tuple[int, ...]:
        """The keys that a query looks at most, where this can still be asked; else none."""
        largest = winners(self.values[row]) if self.inputs.stage == "weights" else ()
        return largest if all(self.pending[row, key] for key in largest) else ()

    def _opened(self) -> Iterator[Place]:
        return (
            place for place in self.book.pages
            if self.book.is_open(place) and place[0] < len(self.covered)
            and place[1] < self.covered.shape[1] and self.covered[place]
        )  # fmt: skip


def quiz_of(inputs: Inputs, trace: Trace) -> Quiz:
    """The quiz on the chosen plane, with what was found of it before."""
    plane = inputs.plane(trace)
    book = link.remembered(Shelf).books.setdefault(
        (inputs.preset, inputs.causal, inputs.stage, *plane), Book()
    )
    covered = inputs.covered(trace, inputs.stage)[plane]
    return Quiz(inputs, trace, trace[inputs.stage].tensor[plane], covered, book)


def check(quiz: Quiz, place: Place) -> None:
    """Callback: judge what was typed; what cannot be read is left in its box."""
    written = st.session_state["typed"].strip()
    link.mark_user_action()
    try:
        guess = parse_number(written)
    except ValueError:
        link.remembered(Shelf).unreadable = written
        return
    judgement = judge(guess, float(quiz.values[place]))
    quiz.book.page(place).tries.append((written, judgement))
    _go_to(place)
    if judgement.verdict == "right":
        quiz.book.open(place, "typed")
        st.session_state["typed"] = ""


def pick(quiz: Quiz, row: int, key: int) -> None:
    """Callback: the reader says that a query looks at this key most."""
    link.mark_user_action()
    if key in quiz.best(row):
        quiz.book.open((row, key), "picked")
    else:
        quiz.book.picked.setdefault(row, []).append(key)


def reveal(quiz: Quiz, place: Place) -> None:
    """Callback: the reader gives a cell up."""
    quiz.book.open(place, "revealed")
    st.session_state["typed"] = ""
    _go_to(place)


def cover_again(quiz: Quiz) -> None:
    """Callback: begin anew, with nothing found and nothing tried."""
    quiz.book.pages.clear()
    quiz.book.picked.clear()
    quiz.book.shown = None
    st.session_state["typed"] = ""
    link.mark_user_action()


def leave_open(quiz: Quiz, place: Place) -> None:
    """Callback: a cell is no longer asked for."""
    key = quiz.inputs.stage
    cells = (cell for cell in quiz.inputs.cells if nearest(quiz.trace, key, cell) != place)
    link.set_value("cells", tuple(cells))
    quiz.book.shown = place


def click(quiz: Quiz, row: int, column: int) -> None:
    """Callback: ask for a covered cell, cover an open one, or show its sum."""
    place, inputs = (row, column), quiz.inputs
    askable = bool(every_cell(quiz.trace, inputs.stage)[inputs.index(quiz.trace, *place)])
    covers_it = inputs.cover == "cells" and askable and not quiz.covered[place]
    if covers_it and len(inputs.cells) < COVERED_CELLS:
        link.set_value("cells", (*inputs.cells, place))
    moves = inputs.cover == "row" and askable and row != inputs.at[0]
    if not quiz.pending[place] and not covers_it and not moves:
        quiz.book.shown = place
    if askable:
        _go_to(place)


def _go_to(place: Place) -> None:
    row, column = place
    link.set_value("row", row + 1)
    link.set_value("column", column + 1)
