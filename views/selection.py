"""Which step, sample, head and cell is looked at; remembered by what each axis means.

The link says ``row`` and ``column`` of the current step. Going to another step, a chosen query
stays the chosen query and a chosen key the chosen key, on whichever side of the figure they are.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from core import Stage, Trace
from views import link, parse
from views.figures.plane import drawn_roles
from views.figures.symbols import Convention
from views.naming import before_patches, heads_of, hops_of, meaning_of, only_head

FIRST = {"query": 1, "key": 2}
RENAMED = {"padding": "key_mask"}  # former keys of stages, which older links have


@dataclass
class Place:
    """Where this reader is. places: from 0 by what each axis means.

    drawn: the step of the last run, None where the reader has gone on since. before: how many
    tokens stand in front of the first patch. hops: how many frames share a token. one_head: whether
    heads are computed one at a time. moves: in the browser, that the server has heard of.
    """

    places: dict[str, int] = field(default_factory=dict)
    drawn: str | None = None
    before: int = 0
    hops: int = 0
    one_head: bool = False
    moves: int = 0


@dataclass(frozen=True)
class Selection:
    """A cell of one step: a place from 0 for each role of the stage.

    locked: whether the reader holds it, so that the pointer does not open another.
    presenting: whether it is shown to a lecture hall. convention: whether a token is a row or a
    column of every matrix.
    """

    key: str
    at: dict[str, int]
    locked: bool = False
    presenting: bool = False
    convention: Convention = "rows"

    def index(self, stage: Stage) -> tuple[int, ...]:
        """The cell as ``core.explain`` takes it."""
        return tuple(self.at.get(role, 0) for role in stage.roles)


def chosen_stage(trace: Trace, steps: tuple[str, ...], first: str) -> tuple[str, str]:
    """The key of the current step, and the one that was asked for in vain.

    A step of the rail that this trace has not got leaves the reader at the step before the click,
    or takes a link to the last one before it. The second key is ``""`` where nothing was in vain.
    """
    key: str = link.bind_param("stage", first, parse.one_of([*trace, *steps], RENAMED))
    if key in trace:
        return key, ""
    now, asked = link.session(), key
    earlier = steps[: steps.index(key)] if key in steps else ()
    drawn = () if now.adopted is not None else (link.remembered(Place).drawn,)
    key = next((step for step in (*drawn, *reversed(earlier)) if step in trace), first)
    st.session_state["stage"] = key
    return key, asked if asked in steps else ""


def chosen_cell(
    trace: Trace,
    key: str,
    convention: Convention = "rows",
    start: Mapping[str, int] | None = None,
) -> Selection:
    """The current sample, head and cell, moved to the nearest that this step has.

    A chosen patch and the token it became are one choice; [CLS] in front is passed over. So are a
    frame and the token that it shares with others.
    start: the head and the places to begin with, from 0 by what each axis means.
    """
    start = start or {}
    stage = trace[key]
    now = link.remembered(Place)
    places = now.places
    arrived = link.session().adopted is not None
    if arrived:
        places.clear()
    at = {
        "batch": _place("sample", 1, max(s.size("batch") for s in trace.values())),
        "head": _head(trace, start.get("head", 0) + 1),
        "patch": places.get("patch", 0),
        "channel": _place("channel", 1, stage.size("channel")),
    }
    at["kv_head"] = at["head"] * stage.size("kv_head") // heads_of(trace)
    moved = now.drawn != key and not arrived
    now.before = before_patches(trace) if trace.token == "patch" else 0
    now.hops = hops_of(trace)
    for name, role in zip(("row", "column"), drawn_roles(stage), strict=True):
        size = stage.size(role) if role else 1
        meant = meaning_of(trace, stage, role or "")
        first = min(start.get(meant, _first(trace, meant, now.before)), size - 1) + 1
        if moved:
            st.session_state[name] = min(places.get(meant, first - 1), size - 1) + 1
        place = _place(name, first, size)
        if role:
            at[role] = places[meant] = place
            _together(places, meant, now.before, now.hops)
    now.drawn = key
    for meant in FIRST:
        places.setdefault(meant, start.get(meant, _first(trace, meant, now.before)))
    if now.hops:
        places.setdefault("frame", start.get("frame", places["query"] * now.hops))
    at = places | at | {"patch": places.get("patch", _first(trace, "patch", now.before))}
    return Selection(
        key,
        at,
        link.bind_param("lock", False, parse.flag, parse.written_flag),
        link.bind_param("present", False, parse.flag, parse.written_flag),
        convention,
    )


def rest_at(reached: Mapping[str, Any] | None) -> None:
    """Callback: take over what the reader has come to rest at in the browser.

    reached: ``stage``, ``head`` from 0, ``places`` from 0 by what each axis means, ``locked``,
    ``presenting``, ``sheet``, how many ``moves`` it took, by which the browser knows what the
    server has heard of, and whether a host shows the address (``framed``). None where the message
    came while the tab went to another page: then there is nothing to take over.
    """
    if reached is None:
        return
    now = link.remembered(Place)
    link.session().framed = bool(reached["framed"])
    now.places |= {role: max(0, int(place)) for role, place in reached["places"].items()}
    now.moves, now.drawn = int(reached["moves"]), None
    state = st.session_state
    state["stage"] = str(reached["stage"])
    if not now.one_head:
        state["head"] = max(0, int(reached["head"])) + 1
    state["channel"] = max(0, int(reached["places"].get("channel", 0))) + 1
    state["lock"], state["present"] = bool(reached["locked"]), bool(reached["presenting"])
    if reached["sheet"]:
        state["below"] = str(reached["sheet"])
    link.mark_user_action()


def go_to(stage: str, head: int, places: Mapping[str, int]) -> None:
    """Callback: bring the microscope to a cell, its head and places counted from 0."""
    now = link.remembered(Place)
    now.places |= places
    now.drawn = None
    st.session_state["stage"], st.session_state["head"] = stage, head + 1
    link.name_place("stage", "head", "row", "column")
    link.mark_user_action()


def choose_patch(patch: int) -> None:
    """Callback: look at another patch, counted from 0, and from the token that it became."""
    now = link.remembered(Place)
    now.places["patch"] = patch
    _together(now.places, "patch", now.before, 0)
    _choose_cell()


def choose_token(token: int) -> None:
    """Callback: look from another token, counted from 0."""
    now = link.remembered(Place)
    now.places["query"] = token
    _together(now.places, "query", now.before, 0)
    _choose_cell()


def _choose_cell() -> None:
    link.remembered(Place).drawn = None
    link.name_place("row", "column")
    link.mark_user_action()


def begin_anew() -> None:
    """Callback: another input is chosen; begin with the cell that it begins with."""
    for name in ("row", "column"):
        link.forget(name)
    link.remembered(Place).places.clear()
    link.mark_user_action()


def _first(trace: Trace, meant: str, before: int) -> int:
    """The place to begin with: the second word and the third, or the patch in the middle."""
    if trace.token != "patch" or meant not in ("query", "key", "patch"):
        return FIRST.get(meant, 0)
    side = math.isqrt(max(stage.size("token") for stage in trace.values()) - before)
    return side // 2 * side + side // 2 + (0 if meant == "patch" else before)


def _together(places: dict[str, int], meant: str, before: int, hops: int) -> None:
    if hops and meant == "frame":
        places["query"] = places["frame"] // hops
    elif hops and meant == "query" and places.get("frame", -1) // hops != places["query"]:
        places["frame"] = places["query"] * hops
    if meant == "patch":
        places["query"] = places["patch"] + before
    elif meant == "query" and places["query"] >= before:
        places["patch"] = places["query"] - before


def _head(trace: Trace, first: int) -> int:
    """The chosen head from 0; a part that has none leaves it to those that have.

    Where the trace has one head of several, which one it is was chosen before it was computed.
    """
    link.remembered(Place).one_head = only_head(trace) is not None
    if only_head(trace) is not None:
        _place("head", first, heads_of(trace))
        return 0
    if any("head" in stage.roles for stage in trace.values()):
        return _place("head", first, heads_of(trace))
    chosen: int = link.bind_param("head", first, parse.number(1, 10**6))
    return chosen - 1


def choose_head(first: int, heads: int) -> int:
    """The chosen head from 0, of so many, whether or not what is looked at has heads.

    first: the one to begin with, from 0. A head in the link that does not exist is reported.
    """
    return _place("head", first + 1, heads)


def _place(name: str, first: int, size: int) -> int:
    """A place from 0 along an axis of this size; the parameter counts from 1."""
    value: int = link.bind_param(name, first, parse.number(1, 10**6))
    if value > size:
        linked = link.session().adopted is not None
        if linked:
            link.session().nonsense[name] = str(value)
        value = st.session_state[name] = min(first, size) if linked else size
    return value - 1
