"""The drawing of each step as data: its planes, their positions, and which cells correspond."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from core import Trace, rules
from views.figures.arrange import DESKTOP, PHONE_PORTRAIT, arrange
from views.figures.plane import Plane, Side
from views.figures.step import Step, step_of
from views.figures.symbols import Convention
from views.scene.naming import Names


def drawing(
    trace: Trace,
    key: str,
    at: Mapping[str, int],
    names: Names,
    convention: Convention = "rows",
) -> dict[str, Any]:
    """The planes of one step, the result last, and their boxes on a wide and on a narrow screen.

    A box is [x, y, width, height] in pixels at the width of its ``Design``.
    """
    make = partial(_arranged, trace, key, at, convention)
    if isinstance(trace[key].rule, rules.Given):  # of parameters the same in all runs
        step, arranged = trace[key].derived(("drawn", key, at.get("batch"), convention), make)
    else:
        step, arranged = make()
    planes = [_plane(plane, names) for plane in (*step.operands, step.result)]
    return {"layout": step.layout, "planes": planes, **arranged}


def _arranged(
    trace: Trace, key: str, at: Mapping[str, int], convention: Convention
) -> tuple[Step, dict[str, Any]]:
    step, arranged = step_of(trace, key, at, convention), {}
    for name, design in (("wide", DESKTOP), ("narrow", PHONE_PORTRAIT)):
        boxes = arrange(step, design)
        arranged[name] = {
            "width": round(max(box.x + box.width for box in boxes) + design.bar, 1),
            "height": round(max(box.y + box.height for box in boxes) + 8, 1),
            "boxes": [
                [round(n, 1) for n in (box.x, box.y, box.width, box.height)] for box in boxes
            ],
        }
    return step, arranged


def _plane(plane: Plane, names: Names) -> dict[str, Any]:
    return {
        "stage": plane.stage,
        "index": rules.plain(plane.index),
        "rows": _side(plane.rows, names),
        "columns": _side(plane.columns, names),
        "mark": rules.plain(plane.mark),
        "marked_when": rules.plain(plane.marked_when),
        "transposed": plane.transposed,
        "head": plane.head,
    }


def _side(side: Side, names: Names) -> dict[str, Any]:
    named = names.number(side.names) if side.role else None
    kinds = names.kinds.number(side.kinds)
    return {"role": side.role, "names": named, "kinds": kinds, "size": len(side.names)}
