"""The selected step, sample, head and cell.

The link has ``row`` and ``column`` of the current step. Positions are kept by axis, so that the
selected query stays selected at another step, whether it is a row or a column there.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from core import Stage, Trace
from views import link, parse
from views.figures.plane import drawn_roles
from views.figures.symbols import Convention
from views.scene.naming import (
    frames_per_token,
    num_heads,
    num_prefix_tokens,
    shared_axis,
)

INITIAL_POSITION = {"query": 1, "key": 2}
RENAMED = {"padding": "key_mask"}  # former keys of stages, which older links have


@dataclass
class SelectionState:
    """The selection of this session. positions: position from 0, by the name of ``shared_axis``.

    drawn: the step of the last run; None if the user has selected another cell since. before: the
    number of tokens before the first patch. hops: frames per token. moves: the number of moves in
    the browser that the server knows of.
    """

    positions: dict[str, int] = field(default_factory=dict)
    drawn: str | None = None
    before: int = 0
    hops: int = 0
    moves: int = 0


@dataclass(frozen=True)
class Selection:
    """A cell of one step. at: position from 0, by axis role.

    locked: whether the pointer cannot open another cell. presenting: whether presenter mode is on.
    convention: whether a token is a row or a column of every matrix.
    """

    key: str
    at: dict[str, int]
    locked: bool = False
    presenting: bool = False
    convention: Convention = "rows"

    def index(self, stage: Stage) -> tuple[int, ...]:
        """The cell as an index into the stage's tensor, as ``core.explain`` takes it."""
        return tuple(self.at.get(role, 0) for role in stage.roles)


def chosen_stage(trace: Trace, steps: tuple[str, ...], first: str) -> tuple[str, str]:
    """The key of the current step, and the requested key if the trace does not have it, else "".

    If a requested step is missing from the trace, the current step is the one before the click; for
    a link, the last step of the stepper before the requested one that the trace has.
    """
    key: str = link.bind_param("stage", first, parse.one_of([*trace, *steps], RENAMED))
    if key in trace:
        return key, ""
    now, requested = link.session(), key
    earlier = steps[: steps.index(key)] if key in steps else ()
    drawn = () if now.adopted is not None else (link.remembered(SelectionState).drawn,)
    key = next((step for step in (*drawn, *reversed(earlier)) if step in trace), first)
    st.session_state["stage"] = key
    return key, requested if requested in steps else ""


def chosen_cell(
    trace: Trace,
    key: str,
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
) -> Selection:
    """The current sample, head and cell, clipped to the sizes of this step.

    A patch and its token are selected together, and so are a frame and its token.
    start: the initial head and positions, from 0, by the name of ``shared_axis``.
    """
    start = start or {}
    stage = trace[key]
    now = link.remembered(SelectionState)
    positions = now.positions
    arrived = link.session().adopted is not None
    if arrived:
        positions.clear()
    at = {
        "batch": _bound_position("sample", 1, max(s.size("batch") for s in trace.values())),
        "head": _head(trace, start.get("head", 0) + 1),
        "patch": positions.get("patch", 0),
        "channel": _bound_position("channel", 1, stage.size("channel")),
    }
    at["kv_head"] = at["head"] * stage.size("kv_head") // num_heads(trace)
    moved = now.drawn != key and not arrived
    now.before = num_prefix_tokens(trace) if trace.token == "patch" else 0
    now.hops = frames_per_token(trace)
    for name, role in zip(("row", "column"), drawn_roles(stage), strict=True):
        size = stage.size(role) if role else 1
        axis_name = shared_axis(trace, stage, role or "")
        first = (
            min(start.get(axis_name, _initial_position(trace, axis_name, now.before)), size - 1) + 1
        )
        if moved:
            st.session_state[name] = min(positions.get(axis_name, first - 1), size - 1) + 1
        position = _bound_position(name, first, size)
        if role:
            at[role] = positions[axis_name] = position
            _sync_linked_axes(positions, axis_name, now.before, now.hops)
    now.drawn = key
    for axis_name in INITIAL_POSITION:
        positions.setdefault(
            axis_name, start.get(axis_name, _initial_position(trace, axis_name, now.before))
        )
    if now.hops:
        positions.setdefault("frame", start.get("frame", positions["query"] * now.hops))
    patch = positions.get("patch", _initial_position(trace, "patch", now.before))
    return Selection(
        key,
        positions | at | {"patch": patch},
        link.bind_param("lock", False, parse.flag),
        link.bind_param("present", False, parse.flag),
        convention,
    )


def apply_browser_selection(reported: Mapping[str, Any] | None) -> None:
    """Callback: take over the cell at which the user stopped in the browser.

    reported: ``stage``, ``head`` from 0, ``positions`` from 0 by shared axis, ``locked``,
    ``presenting``, ``sheet``, the number of ``moves`` so far, whether a host page shows the address
    (``framed``), and the query that the browser has written (``address``). None if the message
    arrived while the tab went to another page; then nothing changes.
    """
    if reported is None:
        return
    now = link.remembered(SelectionState)
    link.session().framed = bool(reported["framed"])
    if reported.get("address") is not None:
        link.session().address = dict(parse_qsl(str(reported["address"])))
    now.positions |= {
        role: max(0, int(position)) for role, position in reported["positions"].items()
    }
    now.moves, now.drawn = int(reported["moves"]), None
    state = st.session_state
    state["stage"] = str(reported["stage"])
    state["head"] = max(0, int(reported["head"])) + 1
    state["channel"] = max(0, int(reported["positions"].get("channel", 0))) + 1
    state["lock"], state["present"] = bool(reported["locked"]), bool(reported["presenting"])
    if reported["sheet"]:
        state["below"] = str(reported["sheet"])
    link.mark_user_action()


def go_to(stage: str, head: int, positions: Mapping[str, int]) -> None:
    """Callback: move the microscope to a cell. head, positions (by shared axis): from 0."""
    now = link.remembered(SelectionState)
    now.positions |= positions
    now.drawn = None
    st.session_state["stage"], st.session_state["head"] = stage, head + 1
    link.mark_selection_set("stage", "head", "row", "column")
    link.mark_user_action()


def choose_patch(patch: int) -> None:
    """Callback: select a patch, counted from 0, and its token as the query."""
    _choose("patch", patch)


def choose_token(token: int) -> None:
    """Callback: select the query token, counted from 0."""
    _choose("query", token)


def _choose(axis_name: str, position: int) -> None:
    now = link.remembered(SelectionState)
    now.positions[axis_name], now.drawn = position, None
    _sync_linked_axes(now.positions, axis_name, now.before, 0)
    link.mark_selection_set("row", "column")
    link.mark_user_action()


def reset_cell() -> None:
    """Callback: the input changed; select its initial cell."""
    for name in ("row", "column"):
        link.forget(name)
    link.remembered(SelectionState).positions.clear()
    link.mark_user_action()


def _initial_position(trace: Trace, axis_name: str, before: int) -> int:
    """The initial position: the second word as query, the third as key, or the central patch."""
    if trace.token != "patch" or axis_name not in ("query", "key", "patch"):
        return INITIAL_POSITION.get(axis_name, 0)
    side = math.isqrt(max(stage.size("token") for stage in trace.values()) - before)
    return side // 2 * side + side // 2 + (0 if axis_name == "patch" else before)


def _sync_linked_axes(positions: dict[str, int], axis_name: str, before: int, hops: int) -> None:
    if hops and axis_name == "frame":
        positions["query"] = positions["frame"] // hops
    elif hops and axis_name == "query" and positions.get("frame", -1) // hops != positions["query"]:
        positions["frame"] = positions["query"] * hops
    if axis_name == "patch":
        positions["query"] = positions["patch"] + before
    elif axis_name == "query" and positions["query"] >= before:
        positions["patch"] = positions["query"] - before


def _head(trace: Trace, first: int) -> int:
    """The index of the selected head along the trace's head axis.

    A trace without heads keeps the parameter for other traces.
    """
    if any("head" in stage.roles for stage in trace.values()):
        return _bound_position("head", first, num_heads(trace))
    chosen: int = link.bind_param("head", first, parse.number(1, 10**6))
    return chosen - 1


def choose_head(first: int, heads: int) -> int:
    """The selected head from 0, also if the current trace has no heads.

    first: the initial head, from 0. heads: their number. A link with a head that does not exist is
    reported to the user.
    """
    return _bound_position("head", first + 1, heads)


def _bound_position(name: str, first: int, size: int) -> int:
    """The position from 0 along an axis of this size, from a parameter that counts from 1."""
    value: int = link.bind_param(name, first, parse.number(1, 10**6))
    if value > size:
        linked = link.session().adopted is not None
        if linked:
            link.session().nonsense[name] = str(value)
        value = st.session_state[name] = min(first, size) if linked else size
    return value - 1
