"""The history of the sheet for undo and redo, and edits of its matrices."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from core.errors import InputError
from core.limits import SHEET
from core.models.by_hand import ROLES, Sheet
from core.models.worked import PRESETS
from core.sources import matrix, text
from views import link
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
