"""The differences of all steps from the preset or from the previous state."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from core import Trace, rules
from core.errors import InputError
from core.exercises.difference import differences
from pages.understand.by_hand.table import history, preset_of
from views import link, parse
from views.figures.plane import shown_plane
from views.figures.scale import Scale, scale_of
from views.figures.symbols import Convention
from views.selection import Selection
from views.text import Words, numbers
from views.text.spans import spans
from views.widgets.grids import Grid, grids
from views.widgets.mask_input import chosen_mask
from views.widgets.prose import heading, prose
from views.widgets.sheet_input import sheet_of, state

BASES = ("preset", "last")
WIDE = 3  # columns; of wider matrices only the change is drawn

Differences = dict[str, np.ndarray | None]


@dataclass(frozen=True, eq=False)
class Changes:
    """The trace to compare with, None if it cannot be computed; the differences by step."""

    before: Trace | None
    differences: Differences

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return any(by is None or bool(by.any()) for by in self.differences.values())


def bind_base() -> None:
    """Bind the choice of what to compare with."""
    link.bind_param("against", BASES[0], parse.one_of(BASES))


def what_changed(trace: Trace) -> Changes:
    """Compare a trace with the chosen one."""
    before = _base(st.session_state["against"])
    return Changes(before, dict(differences(before, trace)) if before else {})


def changes(trace: Trace, changed: Changes, texts: Words, convention: Convention = "rows") -> None:
    """Draw how much each step changed; nothing if none did.

    convention: whether a token is a row or a column of the matrices that are spoken of.
    """
    before, differences = changed.before, changed.differences
    if not before or not changed:
        return
    with st.container(border=True, key="changes_card"):
        with st.container(horizontal=True, vertical_alignment="center"):
            heading(texts.title)
            st.segmented_control(
                texts.against, BASES, format_func=lambda base: texts.bases[base], key="against",
                required=True, label_visibility="collapsed",
            )  # fmt: skip
        _line({key: by for key, by in differences.items() if _is_listed(trace, key, by)}, texts)
        _result(before, trace, differences, texts.most[convention], texts)


def _base(base: str) -> Trace | None:
    """The trace to compare with; None if it cannot be computed."""
    past = history()
    try:
        if base == "last" and past.at:
            return sheet_of(past.states[past.at - 1], chosen_mask()).trace()
        return preset_of(state()).trace()
    except InputError:
        return None


def _is_listed(trace: Trace, key: str, by: np.ndarray | None) -> bool:
    """Given matrices and masks are listed only if they changed."""
    return by is None or bool(by.any()) or not isinstance(trace[key].rule, rules.Given)


def _line(differences: Differences, texts: Words) -> None:
    keys = list(differences)
    unknown = np.array([[differences[key] is None for key in keys]])
    most = np.array([[0.0 if by is None else np.abs(by).max() for by in differences.values()]])
    finite = most[np.isfinite(most)]
    counts = [
        "?" if by is None else f"{np.count_nonzero(by)}/{by.size}" for by in differences.values()
    ]
    grid = Grid(
        texts.largest, most, Scale("share", 0, float(finite.max(initial=0)) or 1.0, root=True),
        columns=keys, column_role="", covered=unknown, marked=unknown | (most > 0), small=True,
        below=counts, note=texts.resized if unknown.any() else "",
    )  # fmt: skip
    grids([grid], key="changed", on_click=lambda _grid, _row, at: link.set_value("stage", keys[at]))


def _result(before: Trace, trace: Trace, differences: Differences, most: str, texts: Words) -> None:
    """Draw a sentence on the number of the result that changed most."""
    key = list(trace)[-1]
    by = differences.get(key)
    if by is None:
        return
    at = np.unravel_index(np.abs(by).argmax(), by.shape)
    template = most if by[at] else texts.nothing
    stage = trace[key]
    sentence = spans(
        template,
        name=key,
        row=(stage.axis("query").label(int(at[-2])), "query"),
        number=str(int(at[-1]) + 1),
        before=numbers.short(float(before[key].tensor[at])),
        after=numbers.short(float(stage.tensor[at])),
    )
    prose([sentence], key="changed_most")


def changes_here(trace: Trace, changed: Changes, selection: Selection, texts: Words) -> None:
    """Draw the previous numbers of the current step, and their differences."""
    key, by = selection.key, changed.differences.get(selection.key)
    if not changed or changed.before is None or by is None:
        return
    before, stage = changed.before, trace[key]
    drawn = [
        shown_plane(one, selection.at, selection.convention)
        for one in (before[key], replace(stage, tensor=by))
    ]
    old, delta = (plane.values for plane in drawn)
    limit = float(np.abs(by).max(initial=0, where=np.isfinite(by))) or 1.0
    rows, columns = drawn[0].rows, drawn[0].columns
    shared: dict[str, Any] = {
        "rows": rows.names, "row_role": rows.role, "columns": columns.names,
        "column_role": columns.role, "marked": delta != 0, "small": True,
    }  # fmt: skip
    scale = max((scale_of(t, key) for t in (before, trace)), key=lambda s: s.high)
    change = Grid(texts.difference, delta, Scale("signed", -limit, limit), **shared)
    beside = Grid(texts.before, old, scale, is_masked=~np.isfinite(old), **shared)
    side_by_side = [change]
    if delta.shape[1] <= WIDE:
        side_by_side = [beside, replace(change, rows=())]
    with st.container(border=True, key="here_card"):
        heading(texts.here.format(name=key))
        if by.any():
            grids(side_by_side, key="changed_cells")
        else:
            prose([[(texts.none_here.format(name=key), "")]], key="changed_here", style="quiet")
