"""One matrix of the sheet as an editable table."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.errors import InputError
from core.limits import SHEET
from core.models.by_hand import BY_TOKEN, ROLES, Sheet
from core.models.worked import PRESETS
from core.sources import matrix, text
from views import link
from views.figures.symbols import Convention
from views.text import Words
from views.text.spans import isolated
from views.widgets.mask_input import NO_MASK, chosen_mask
from views.widgets.sheet_input import FIRST, TOKENS, State, joined, restore, sheet_of, state

MOST = 100


@dataclass
class History:
    """The states of the sheet in order, and the index of the current one."""

    states: list[State] = field(default_factory=list)
    at: int = 0

    def visit(self, state: State) -> None:
        """Move to the current, previous or next state if it is equal, else append it."""
        for step in (self.at, self.at - 1, self.at + 1):
            if 0 <= step < len(self.states) and self.states[step] == state:
                self.at = step
                return
        self.states = [*self.states[: self.at + 1], state][-MOST:]
        self.at = len(self.states) - 1


def history() -> History:
    """The history, updated with the current state."""
    now = state()
    past = link.remembered(History)
    past.visit(now)
    return past


def preset_of(written: Mapping[str, str]) -> Sheet:
    """The unedited preset for the same tokens, divisor and mask."""
    return sheet_of({**written, **dict.fromkeys(ROLES, "")}, chosen_mask())


def set_matrix(
    name: str, array: np.ndarray, head: int | None = None, *, turned: bool = False
) -> tuple[str, ...]:
    """Replace a matrix, or that of one head, of the sheet; returns what follows another size.

    These are the names of matrices and ``TOKENS``. If Q, K or V was computed, the other heads keep
    their computed values. turned: whether tokens are columns. Raises wrong_size for a W_O whose
    rows do not divide into the heads, and what ``set_sheet`` raises.
    """
    before = sheet_of(state(), NO_MASK)
    shape, array = array.shape, array.T if turned else array
    if name == "W_O" and len(array) % len(before.matrices["W_V"]):
        wanted = before.matrices[name].T.shape if turned else before.matrices[name].shape
        raise InputError(
            "wrong_size",
            name=name,
            rows=shape[0],
            columns=shape[1],
            expected_rows=wanted[0],
            expected_columns=wanted[1],
        )
    sheet = before.with_size(name, *array.shape)
    now = sheet.matrices[name] if name in sheet.matrices else sheet.trace()[name].tensor[0]
    if now.ndim == 3:
        parts = list(now)
        parts[head or 0] = array
        array = np.stack(parts)
    set_sheet(sheet.tokens, {**sheet.matrices, name: array})
    followed = [
        other
        for other, given in sheet.matrices.items()
        if other != name and given.shape != before.matrices[other].shape
    ]
    tokens = [TOKENS] if len(sheet.tokens) != len(before.tokens) else []
    return (*tokens, *followed)


def set_sheet(tokens: tuple[str, ...], matrices: Mapping[str, np.ndarray]) -> None:
    """Replace the whole sheet. Raises core.errors.InputError if its shapes do not match."""
    preset = st.session_state["preset"]
    if ("X" in PRESETS[preset].matrices) != ("X" in matrices):
        preset = "whole_numbers" if "X" in matrices else FIRST
    Sheet(tokens, matrices).trace()
    (named,) = text.read(joined(tokens), "custom", SHEET)
    if len(named) != len(tokens):
        tokens = tuple(str(i + 1) for i in range(len(tokens)))
    first = PRESETS[preset].with_tokens(tokens).matrices
    written = dict.fromkeys(ROLES, "") | {
        name: matrix.to_link(given)
        for name, given in matrices.items()
        if name not in first or not np.array_equal(first[name], given)
    }
    restore({"preset": preset, "tokens": joined(tokens), **written})


NAMES = "names"
MOST_ROWS, HEIGHT = 6, 248  # rows that are visible without scrolling; pixels of a longer table

Cells = list[list[str]]


@dataclass(frozen=True)
class Table:
    """The table on screen. initial: its cells when it was created. applied: its last valid cells.

    The browser keeps edits until the widget has another key, which contains ``version``. Therefore
    an invalid cell stays visible, and ``error`` is shown. turned: whether tokens are columns.
    """

    name: str
    head: int
    initial: Cells
    applied: Cells
    version: int
    turned: bool = False
    error: InputError | None = None

    @property
    def key(self) -> str:
        """The key of its widget."""
        return f"cells_{self.version}"


@dataclass
class TableState:
    """table: on screen, or None before the first run.

    followed: a pasted matrix of another size, and what has changed with it.
    """

    table: Table | None = None
    followed: tuple[str, ...] = ()


def table(
    sheet: Sheet, name: str, head: int, computed: np.ndarray, texts: Words,
    convention: Convention,
) -> Table:  # fmt: skip
    """Draw a matrix (rows, columns), editable if it is given and not computed."""
    turned = convention == "columns"
    shown = _shown(name, head, matrix.cells_of(in_convention(computed, turned)), turned)
    names, over = _names(sheet, name, computed.shape)
    if turned:
        names, over = over, names
    columns: dict[str, list[str]] = {NAMES: names}
    columns |= {str(j + 1): [row[j] for row in shown.initial] for j in range(len(shown.initial[0]))}
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


def has_error() -> bool:
    """Whether the last edit or import was invalid."""
    current = link.remembered(TableState).table
    return bool(current and current.error)


def report_error(error: InputError) -> None:
    """Callback: report an invalid edit or import."""
    _change(error=error)
    link.mark_user_action()


def clear_error(followed: tuple[str, ...] = ()) -> None:
    """Callback: clear the error. followed: as in ``TableState``."""
    _change(followed, error=None)


def followed() -> tuple[str, ...]:
    """What a pasted matrix of another size changed: see ``TableState``."""
    return link.remembered(TableState).followed


def reset_table() -> None:
    """Callback: discard invalid edits and create the table again."""
    _change(applied=[], error=None)


def edited(initial: Cells, changes: dict[Any, dict[str, Any]]) -> Cells:
    """The cells after edits, as ``st.data_editor`` reports them: by row from 0 and column name."""
    cells = [list(row) for row in initial]
    for row, edits in changes.items():
        for column, written in edits.items():
            if column != NAMES:
                cells[int(row)][int(column) - 1] = "" if written is None else str(written)
    return cells


def in_convention(numbers: np.ndarray, turned: bool) -> np.ndarray:
    """Convert between tokens as rows and the orientation of the table."""
    return numbers.T if turned else numbers


def _change(followed: tuple[str, ...] = (), **fields: Any) -> None:
    shown_state = link.remembered(TableState)
    shown_state.followed = followed
    if shown_state.table is not None:
        shown_state.table = replace(shown_state.table, **fields)


def _shown(name: str, head: int, cells: Cells, turned: bool) -> Table:
    """The current table, or a new one if the matrix or its numbers changed otherwise."""
    shown_state = link.remembered(TableState)
    current = shown_state.table
    requested = (name, head, cells, turned)
    same = current and (current.name, current.head, current.applied, current.turned) == requested
    if current is None or not same or current.key not in st.session_state:
        version = current.version + 1 if current else 1
        current = shown_state.table = Table(name, head, cells, cells, version, turned)
    return current


def _edited(key: str) -> None:
    current = link.remembered(TableState).table
    if current is None:
        return
    cells = edited(current.initial, st.session_state[key]["edited_rows"])
    try:
        array = matrix.read_cells(cells, current.name)
        set_matrix(current.name, array, current.head, turned=current.turned)
    except InputError as error:
        report_error(error)
    else:
        applied = matrix.cells_of(array)
        _change(applied=applied, error=None)


def _names(sheet: Sheet, name: str, shape: tuple[int, ...]) -> tuple[list[str], list[str]]:
    """The names of rows and columns with tokens as rows."""
    rows, columns = ([str(i + 1) for i in range(size)] for size in shape)
    return ([*map(isolated, sheet.tokens)] if set(ROLES[name]) & set(BY_TOKEN) else rows), columns
