"""The controls of the page Predict: the example, the step, and the covered cells."""

import re
from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import Trace
from core.exercises import quiz_cells
from core.limits import COVERED_CELLS, LAST_SEED
from core.models.by_hand import Sheet
from views import link, parse
from views.text import Words
from views.text.spans import plain
from views.widgets.choice import option_input
from views.widgets.mask_input import CAUSAL, NO_MASK, causal_input
from views.widgets.prose import prose
from views.widgets.sheet_input import bind_sheet, example_input, sheet_of, state

STAGES = (
    "Q", "K", "V", "scores", "scaled", "masked", "weights", "head_output", "concat", "output",
)  # fmt: skip
FIRST_SEED = 7
FIRST_CELL = (1, 2)
_CELL = re.compile(r"(\d{1,2})\.(\d{1,2})", re.ASCII)
Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Inputs:
    """The step, and which of its cells are covered. Indices are counted from 0.

    at: the selected cell (row, column); its row, if a row is covered.
    cells: the covered cells, if the user chose them.
    """

    stage: str
    head: int
    cover: str
    seed: int
    cells: Cells
    at: tuple[int, int]

    def covered(self, trace: Trace, key: str) -> np.ndarray:
        """Which cells of a stage are covered, as booleans of its shape."""
        if self.cover == "random":
            return quiz_cells.at_random(trace, key, self.seed)
        if self.cover == "row":
            return quiz_cells.one_row(trace, key, self.at[0])
        if self.cover == "cells":
            return quiz_cells.these(trace, key, self.cells)
        return quiz_cells.every_cell(trace, key)

    def index(self, trace: Trace, row: int, column: int) -> tuple[int, ...]:
        """The index of a cell of the plane in the stage's tensor."""
        return (*self.plane(trace), row, column)

    def plane(self, trace: Trace) -> tuple[int, ...]:
        """The indices of the axes that are not drawn: batch, and head if there is one."""
        return (0, self.head) if "head" in trace[self.stage].roles else (0,)


def predict_input(texts: Words) -> Sheet:
    """Draw the choice of example and mask. Raises core.errors.InputError."""
    bind_sheet()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        example_input(texts)
        return sheet_of(state(), CAUSAL if causal_input(texts.causal) else NO_MASK)


def quiz_input(trace: Trace, texts: Words) -> Inputs:
    """Draw the choice of a step and of its covered cells."""
    link.bind_param("head", 1, parse.number(1, 99))
    link.bind_param("seed", FIRST_SEED, parse.number(0, LAST_SEED))
    link.bind_param("cells", (FIRST_CELL,), cells_of, written)
    link.bind_param("row", FIRST_CELL[0] + 1, parse.number(1, 99))
    link.bind_param("column", 1, parse.number(1, 99))
    _bring_to_stage(trace, texts)
    link.offer("stage", stages_of(trace))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        chosen = st.pills(
            texts.stage, stages_of(trace), format_func=lambda key: plain(texts.steps[key]),
            key="stage", required=True,
        )  # fmt: skip
        stage = str(chosen)
        heads = _within("head", trace["weights"].size("head"))
        if heads > 1 and "head" in trace[stage].roles:
            st.segmented_control(texts.head, range(1, heads + 1), key="head", required=True)
        cover = option_input(
            texts.cover, "cover", texts.covers, texts.covers.__getitem__, first="row"
        )
        if cover == "random":
            st.number_input(texts.seed, 0, LAST_SEED, step=1, key="seed", width=130)
    askable = quiz_cells.every_cell(trace, stage).reshape(-1, *trace[stage].tensor.shape[-2:])[0]
    _within("row", int(askable.any(axis=1).sum()))
    _within("column", askable.shape[1])
    now = st.session_state
    at = (now["row"] - 1, now["column"] - 1)
    return Inputs(stage, now["head"] - 1, cover, now["seed"], now["cells"], at)


def stages_of(trace: Trace) -> list[str]:
    """The steps whose cells can be covered: the computed ones."""
    computed = quiz_cells.computed(trace)
    return [key for key in STAGES if key in computed]


def cells_of(text: str) -> Cells:
    """Parse cells, such as ``2.3-1.1`` for (row 2, column 3) and (1, 1). Raises ValueError."""
    matches = [_CELL.fullmatch(part) for part in text.split("-")] if text else []
    if len(matches) > COVERED_CELLS:
        raise ValueError(text)
    cells = []
    for match in matches:
        if not match or "0" in match.groups():
            raise ValueError(text)
        cells.append((int(match[1]) - 1, int(match[2]) - 1))
    return tuple(dict.fromkeys(cells))


def written(cells: Cells) -> str:
    """The text of cells; the inverse of ``cells_of``."""
    return "-".join(f"{row + 1}.{column + 1}" for row, column in cells)


def _bring_to_stage(trace: Trace, texts: Words) -> None:
    """Bind the step; if the trace lacks it, use the last one before it, with a notice."""
    options = stages_of(trace)
    wanted: str = link.bind_param("stage", "weights", parse.one_of(STAGES))
    if wanted not in options:
        before = [key for key in STAGES[: STAGES.index(wanted)] if key in options]
        shown = st.session_state["stage"] = before[-1] if before else options[0]
        says = texts.stage_is_not_there.format(asked=wanted, shown=shown)
        prose([[(says, "")]], key="stage_is_not_there", style="notice")


def _within(name: str, size: int) -> int:
    """Clip a bound position, from 1, to the size, and return the size."""
    if st.session_state[name] > size:
        if link.session().adopted is not None:
            link.session().nonsense[name] = str(st.session_state[name])
        st.session_state[name] = size
    return size
