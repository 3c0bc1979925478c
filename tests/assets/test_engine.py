"""The browser's rule engine in Node, on cells that ``core.explain`` opened."""

import json
import math
import os
from pathlib import Path

import numpy as np
from in_node import run
from shown_traces import BACKWARDS, TRACES

from core import Trace, explain
from views.scene.naming import num_heads
from views.scene.scene import scene
from views.text import LANGUAGES

CELLS = 3  # opened of each stage, beside its corners
LARGE = ("sound", "own sound")  # sent in parts, and in float32


def opened(trace: Trace, key: str, head: int) -> list[dict]:
    """Some cells of a stage, the first and the last among them."""
    shape = trace[key].tensor.shape
    drawn = np.random.default_rng(len(key)).integers(0, shape, (CELLS, len(shape)))
    corners = [[0] * len(shape), [size - 1 for size in shape]]
    cells = []
    for index in map(tuple, [*corners, *drawn.tolist()]):
        fixed = {"batch": 0, "head": min(head, trace[key].size("head") - 1)}
        at = tuple(fixed.get(r, i) for r, i in zip(trace[key].roles, index, strict=True))
        cells.append({"key": key, "index": at, "made_by": explain(trace, key, at).made_by})
    return cells


def written(value: object) -> object:
    """As JSON has it: a term becomes its fields, and what is not finite becomes text."""
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list | tuple):
        return [written(part) for part in value]
    fields = value if isinstance(value, dict) else vars(value)
    return {name: written(part) for name, part in fields.items()}


def test_the_browser_opens_cells_as_core_does(tmp_path):
    cases = []
    for name, of in (TRACES | BACKWARDS).items():
        if name in LARGE:
            continue
        trace = of()
        head = min(1, num_heads(trace) - 1)
        blob = f"{len(cases)}.blob"
        (tmp_path / blob).write_bytes(scene(trace, "X", 0, head, ("X",), LANGUAGES["en"]))
        cells = [cell for key in trace for cell in opened(trace, key, head)]
        cases.append({"name": name, "blob": blob, "cells": cells})
    (tmp_path / "cases.json").write_text(json.dumps(written(cases)), "utf-8")
    script = Path(__file__).with_name("engine.test.js")
    done = run(["--test", str(script)], env=os.environ | {"VECTORS": str(tmp_path)})
    assert done.returncode == 0, done.stdout
