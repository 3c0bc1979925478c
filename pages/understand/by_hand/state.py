"""The state of the sheet: in the link, with a history for undo and redo."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core import options
from core.errors import InputError
from core.limits import SHEET
from core.models.by_hand import ROLES, Sheet
from core.models.worked import PRESETS
from core.sources import matrix, text
from views import link, parse
from views.preferences import words
from views.widgets.mask_input import bind_mask, chosen_mask

FIRST = "wo_ai_beijing"
# The scale by the name of the divisor.
SCALES: dict[str, float | str] = {"8": 1 / 8, "1": 1.0} | {name: name for name in options.SCALES}
TOKENS = "tokens"
WRITTEN = ("preset", TOKENS, *ROLES)  # what undo restores
MOST = 100

State = dict[str, str]


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


def bind_state() -> None:
    """Bind all parameters of the sheet."""
    link.bind_param("preset", FIRST, parse.one_of(PRESETS))
    preset = st.session_state["preset"]
    link.bind_param("tokens", preset_tokens(preset), _tokens_of_link)
    for name in ROLES:
        link.bind_param(name, "", partial(_matrix_of_link, name))
    link.bind_param("divisor", preset_divisor(preset), parse.one_of(SCALES))
    link.show("example", preset if is_unedited() else None)
    bind_mask(link.bind_param, words().mask)


def state() -> State:
    """The current texts of the sheet."""
    return {name: st.session_state[name] for name in WRITTEN}


def is_unedited() -> bool:
    """Whether tokens and matrices are those of the preset."""
    return state() == _unedited(st.session_state["preset"])


def history() -> History:
    """The history, updated with the current state."""
    now = state()
    past = link.remembered(History)
    past.visit(now)
    return past


def sheet_of(written: Mapping[str, str]) -> Sheet:
    """The sheet of these texts, with the chosen divisor and mask.

    Raises core.errors.InputError.
    """
    (tokens,) = text.read(written["tokens"], "custom", SHEET)
    sheet = PRESETS[written["preset"]]
    for name in ROLES:
        if written[name]:
            sheet = sheet.with_matrix(name, matrix.from_link(name, written[name]))
    sheet = sheet.with_tokens(tokens, _filling(tokens))
    scale = SCALES[st.session_state["divisor"]]
    return sheet.with_options(scale=scale, **chosen_mask().options(len(tokens)))


def preset_of(written: Mapping[str, str]) -> Sheet:
    """The unedited preset for the same tokens, divisor and mask."""
    return sheet_of({**written, **dict.fromkeys(ROLES, "")})


def set_matrix(
    name: str, array: np.ndarray, head: int | None = None, *, turned: bool = False
) -> tuple[str, ...]:
    """Replace a matrix, or that of one head, of the sheet; returns what follows another size.

    These are the names of matrices and ``TOKENS``. If Q, K or V was computed, the other heads keep
    their computed values. turned: whether tokens are columns. Raises wrong_size for a W_O whose
    rows do not divide into the heads, and what ``set_sheet`` raises.
    """
    before = sheet_of(state())
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
    (named,) = text.read(_joined(tokens), "custom", SHEET)
    if len(named) != len(tokens):
        tokens = tuple(str(i + 1) for i in range(len(tokens)))
    first = PRESETS[preset].with_tokens(tokens).matrices
    written = dict.fromkeys(ROLES, "") | {
        name: matrix.to_link(given)
        for name, given in matrices.items()
        if name not in first or not np.array_equal(first[name], given)
    }
    restore({"preset": preset, "tokens": _joined(tokens), **written})


def restore(written: State) -> None:
    """Callback: restore a state of the sheet."""
    if written["preset"] != st.session_state["preset"]:
        link.set_value("divisor", preset_divisor(written["preset"]))
    for name, value in written.items():
        link.set_value(name, value)


def choose_example() -> None:
    """Callback: start the chosen preset without edits."""
    link.set_value("preset", st.session_state["example"])
    reset()


def reset() -> None:
    """Callback: restore the preset without edits."""
    preset = st.session_state["preset"]
    restore(_unedited(preset))
    link.set_value("divisor", preset_divisor(preset))


def _unedited(preset: str) -> State:
    return {"preset": preset, TOKENS: preset_tokens(preset), **dict.fromkeys(ROLES, "")}


def preset_tokens(preset: str) -> str:
    """The tokens of a preset as text."""
    return _joined(PRESETS[preset].tokens)


def preset_divisor(preset: str) -> str:
    """The name of a preset's divisor."""
    scale = PRESETS[preset].options.scale
    return next(name for name, known in SCALES.items() if known == scale)


def _joined(tokens: tuple[str, ...]) -> str:
    return " ".join("_".join(token.replace("/", " ").split()) or "_" for token in tokens)


def _filling(tokens: tuple[str, ...]) -> int:
    """The number of [PAD] tokens at the end."""
    real = [i for i, token in enumerate(tokens, start=1) if token != text.PAD]
    return len(tokens) - max(real, default=0)


def _tokens_of_link(written: str) -> Any:
    text.read(written, "custom", SHEET)
    return written


def _matrix_of_link(name: str, written: str) -> str:
    return matrix.to_link(matrix.from_link(name, written))
