"""One matrix of the sheet as a table whose cells can be written over."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.errors import InputError
from core.models.by_hand import BY_TOKEN, ROLES, Sheet
from core.sources import matrix
from pages.understand.by_hand import state
from pages.understand.by_hand.words import EditWords
from views import link
from views.figures.symbols import Convention

NAMES = "names"
MOST_ROWS, HEIGHT = 6, 248  # rows that are seen without scrolling; pixels of a longer table

Cells = list[list[str]]


@dataclass(frozen=True)
class Table:
    """The table on screen: what it began with, and what of it was taken over.

    A browser holds the cells that the reader wrote until the table is another one, by ``version``;
    so a cell that is no number stays in its place, and ``error`` says why it does not count.
    turned: whether a token is a column of it.
    """

    name: str
    head: int
    begun: Cells
    taken: Cells
    version: int
    turned: bool = False
    error: InputError | None = None

    @property
    def key(self) -> str:
        """The key of its widget."""
        return f"cells_{self.version}"


@dataclass
class Drawn:
    """table: the one on screen."""

    table: Table | None = None


def table(
    sheet: Sheet, name: str, head: int, computed: np.ndarray, texts: EditWords,
    convention: Convention,
) -> Table:  # fmt: skip
    """Show a matrix, (rows, columns): to be edited where it is written on the sheet."""
    turned = convention == "columns"
    shown = _shown(name, head, matrix.cells_of(as_drawn(computed, turned)), turned)
    names, over = _names(sheet, name, computed.shape)
    if turned:
        names, over = over, names
    columns: dict[str, list[str]] = {NAMES: names}
    columns |= {str(j + 1): [row[j] for row in shown.begun] for j in range(len(shown.begun[0]))}
    config: dict[str, Any] = {
        str(j + 1): st.column_config.TextColumn(name, alignment="right")
        for j, name in enumerate(over)
    }
    config[NAMES] = st.column_config.TextColumn(texts.row, disabled=True, pinned=True)
    st.data_editor(
        columns,
        key=shown.key,
        hide_index=True,
        num_rows="fixed",
        height=HEIGHT if len(names) > MOST_ROWS else "auto",
        column_config=config,
        disabled=name not in sheet.matrices or [NAMES],
        on_change=partial(_edited, shown.key),
    )
    return shown


def wrong() -> bool:
    """Whether something that the reader brought does not count."""
    now = link.remembered(Drawn).table
    return bool(now and now.error)


def refuse(error: InputError) -> None:
    """Callback: say what is wrong with something that the reader brought."""
    _change(error=error)
    link.mark_user_action()


def accept() -> None:
    """Callback: what was wrong is so no more."""
    _change(error=None)


def renew() -> None:
    """Callback: let go of what was written and does not count; begin the table anew."""
    _change(taken=[], error=None)


def edited(begun: Cells, changes: dict[Any, dict[str, Any]]) -> Cells:
    """The cells of a table with those that the reader wrote, by row from 0 and column's name."""
    cells = [list(row) for row in begun]
    for row, written in changes.items():
        for column, text in written.items():
            if column != NAMES:
                cells[int(row)][int(column) - 1] = "" if text is None else str(text)
    return cells


def as_drawn(numbers: np.ndarray, turned: bool) -> np.ndarray:
    """The rows of a token as the table has them, or the numbers of the table as rows of a token."""
    return numbers.T if turned else numbers


def _change(**fields: Any) -> None:
    drawn = link.remembered(Drawn)
    if drawn.table is not None:
        drawn.table = replace(drawn.table, **fields)


def _shown(name: str, head: int, cells: Cells, turned: bool) -> Table:
    """The table as it was, or a new one where another matrix or other numbers are to be seen."""
    drawn = link.remembered(Drawn)
    now = drawn.table
    asked = (name, head, cells, turned)
    same = now and (now.name, now.head, now.taken, now.turned) == asked
    if now is None or not same or now.key not in st.session_state:
        version = now.version + 1 if now else 1
        now = drawn.table = Table(name, head, cells, cells, version, turned)
    return now


def _edited(key: str) -> None:
    now = link.remembered(Drawn).table
    if now is None:
        return
    cells = edited(now.begun, st.session_state[key]["edited_rows"])
    try:
        array = matrix.read_cells(cells, now.name)
        state.put(now.name, array, now.head, turned=now.turned)
    except InputError as error:
        refuse(error)
    else:
        taken = matrix.cells_of(array)
        _change(taken=taken, error=None)


def _names(sheet: Sheet, name: str, shape: tuple[int, ...]) -> tuple[list[str], list[str]]:
    """The names of rows and columns where a token is a row."""
    rows, columns = ([str(i + 1) for i in range(size)] for size in shape)
    return (list(sheet.tokens) if set(ROLES[name]) & set(BY_TOKEN) else rows), columns
