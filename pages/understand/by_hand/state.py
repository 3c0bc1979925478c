"""What the reader wrote on the sheet: in the link, with a history to undo and redo."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.errors import WrongSize
from core.limits import SHEET
from core.models.by_hand import ROLES, Sheet
from core.models.worked import PRESETS
from core.sources import matrix, text
from views import link, parse
from views.reader import words
from views.widgets.mask_input import bind_mask, chosen_mask

FIRST = "wo_ai_beijing"
ROOT = "root"  # of d_k, as in the paper
SCALES = {"8": 1 / 8, "1": 1.0, ROOT: None}  # by what the scores are divided by
WRITTEN = ("preset", "tokens", *ROLES)  # what undo brings back
MOST = 100

State = dict[str, str]


@dataclass
class History:
    """The states of the sheet one after the other, and which of them is shown."""

    states: list[State] = field(default_factory=list)
    at: int = 0

    def visit(self, state: State) -> None:
        """Take note of what is shown now: the state before or after this one, or a new one."""
        for step in (self.at, self.at - 1, self.at + 1):
            if 0 <= step < len(self.states) and self.states[step] == state:
                self.at = step
                return
        self.states = [*self.states[: self.at + 1], state][-MOST:]
        self.at = len(self.states) - 1


def keep() -> None:
    """Bring everything that the link says of the sheet into the session."""
    link.bind_param("preset", FIRST, parse.one_of(PRESETS))
    preset = st.session_state["preset"]
    link.bind_param("tokens", first_tokens(preset), _tokens_of_link)
    for name in ROLES:
        link.bind_param(name, "", partial(_matrix_of_link, name))
    link.bind_param("divisor", first_divisor(preset), parse.one_of(SCALES))
    bind_mask(link.bind_param, words().mask)


def state() -> State:
    """What is written on the sheet now."""
    return {name: st.session_state[name] for name in WRITTEN}


def history() -> History:
    """The history, with what is shown now in its place."""
    now = state()
    found = link.remembered(History)
    found.visit(now)
    return found


def sheet_of(written: Mapping[str, str]) -> Sheet:
    """The sheet that these texts describe, with the chosen divisor and mask.

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


def put(name: str, array: np.ndarray, head: int | None = None, *, turned: bool = False) -> None:
    """Write another matrix, or that of one head, on the sheet. Raises WrongSize.

    In the place of a computed Q, K or V the other heads keep what was computed. Only V alone, which
    nothing else has to fit, may become wider or narrower. turned: whether a token is a column of
    the array.
    """
    written = state()
    sheet = sheet_of(written)
    now = sheet.matrices[name] if name in sheet.matrices else sheet.trace()[name].tensor[0]
    found, (rows, columns) = array.shape, now.shape[-2:]
    array = array.T if turned else array
    free = name == "V" and "X" not in sheet.matrices and len(now) == 1
    if array.shape[0] != rows or (array.shape[1] != columns and not free):
        wanted = (columns, rows) if turned else (rows, columns)
        raise WrongSize(name, found[0], found[1], *wanted)
    if now.ndim == 3:
        parts = list(now)
        parts[head or 0] = array
        array = np.stack(parts)
    first = preset_of(written).matrices.get(name)
    same = first is not None and np.array_equal(first, array)
    link.set_value(name, "" if same else matrix.to_link(array))


def put_all(tokens: tuple[str, ...], matrices: Mapping[str, np.ndarray]) -> None:
    """Write a whole sheet. Raises core.errors.InputError where it does not fit together."""
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
    """Callback: bring back a state of the sheet."""
    if written["preset"] != st.session_state["preset"]:
        link.set_value("divisor", first_divisor(written["preset"]))
    for name, value in written.items():
        link.set_value(name, value)


def reset() -> None:
    """Callback: the preset without any edit."""
    preset = st.session_state["preset"]
    restore({"preset": preset, "tokens": first_tokens(preset), **dict.fromkeys(ROLES, "")})
    link.set_value("divisor", first_divisor(preset))


def first_tokens(preset: str) -> str:
    """The tokens of a preset, as they are written."""
    return _joined(PRESETS[preset].tokens)


def first_divisor(preset: str) -> str:
    """The divisor that a preset begins with."""
    scale = PRESETS[preset].options.scale
    return next(name for name, known in SCALES.items() if known == scale)


def _joined(tokens: tuple[str, ...]) -> str:
    return " ".join("_".join(token.replace("/", " ").split()) or "_" for token in tokens)


def _filling(tokens: tuple[str, ...]) -> int:
    """How many [PAD] stand at the end."""
    real = [i for i, token in enumerate(tokens, start=1) if token != text.PAD]
    return len(tokens) - max(real, default=0)


def _tokens_of_link(written: str) -> Any:
    text.read(written, "custom", SHEET)
    return written


def _matrix_of_link(name: str, written: str) -> str:
    return matrix.to_link(matrix.from_link(name, written))
