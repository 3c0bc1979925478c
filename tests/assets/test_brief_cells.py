"""A brief cell shows seven of many terms, and the sum of the others."""

from decimal import Decimal
from math import fsum, isfinite

from in_node import evaluate
from printed import exact, printed, terms_of
from shown_traces import TRACES

from core import Term, explain
from views.scene.naming import num_heads
from views.scene.scene import scene
from views.text import LANGUAGES

LARGE = ("sound", "own sound")  # sent in parts, and in float32
BRIEF = 8
MODULES = [f"microscope/engine/{name}.js" for name in ("blob", "cell", "opened", "trace")]
OPEN = """
  return given.map(({ sent, cells }) => {
    const loaded = new trace.Trace(blob.unpacked(sent));
    return cells.map(([key, index]) => {
      const brief = opened.opened(cell.explain(loaded, key, index), loaded, true);
      const { shown, left, digits, relation } = brief;
      return { shown, left, digits, relation };
    });
  });
"""


def many(made: Term) -> list[float]:
    """The terms of a sum, or the shares of a softmax, where a brief cell does not show them all."""
    if made.operation == "softmax":
        values = [part.value / made.facts["total"] for part in made.parts if made.facts["total"]]
    else:
        values = [t.value for t in terms_of(made)] if made.operation in ("sum", "dot") else []
    return values if len(values) > BRIEF and all(map(isfinite, values)) else []


def test_a_brief_cell_prints_the_sum_of_what_it_does_not_show_and_equals_only_where_it_adds_up():
    given, wanted = [], []
    for name, of in TRACES.items():
        if name in LARGE:
            continue
        trace, cells = of(), []
        head = min(1, num_heads(trace) - 1)
        for key, stage in trace.items():
            fixed = {"batch": 0, "head": min(head, stage.size("head") - 1)}
            for last in {0, 1, stage.tensor.shape[-1] - 1} if stage.tensor.ndim else ():
                sizes = zip(stage.roles, stage.tensor.shape, strict=True)
                *at, _ = (fixed.get(role, size - 1) for role, size in sizes)
                index = (*at, min(last, stage.tensor.shape[-1] - 1))
                made = explain(trace, key, index).made_by
                if values := many(made):
                    cells.append((key, index))
                    wanted.append((f"{name} {key}{list(index)}", made, values))
        blob = scene(trace, "X", 0, head, ("X",), LANGUAGES["en"])
        given.append({"sent": blob, "cells": cells})
    found = [cell for cells in evaluate(MODULES, OPEN, given) for cell in cells]
    assert len(found) == len(wanted) > 100
    wrong = []
    for cell, (name, made, values) in zip(found, wanted, strict=True):
        shown, digits = cell["shown"], cell["digits"]
        left = fsum(value for i, value in enumerate(values) if i not in shown)
        total = 1.0 if made.operation == "softmax" else made.value
        terms = [printed(value, digits) for value in (*(values[i] for i in shown), left)]
        adds_up = sum(map(exact, terms), Decimal(0)) == exact(printed(total, digits))
        is_sum = made.operation == "softmax" or adds_up or cell["relation"] == "≈"
        if len(shown) != BRIEF - 1 or cell["left"] != left or not is_sum:
            wrong.append((name, cell, terms))
    assert not wrong, wrong


NOTES = """
  return given.flatMap((sent) => {
    const shown = new trace.Trace(blob.unpacked(sent));
    return Object.keys(shown.drawings).map((key) => {
      const first = shown.stage(key).shape.map(() => 0);
      return [key, JSON.stringify(opened.opened(cell.explain(shown, key, first), shown).notes)];
    });
  });
"""


def test_every_field_of_the_notes_on_an_opened_cell_is_filled():
    sent = [
        scene(of(), "X", 0, 0, ("X",), LANGUAGES["en"])
        for name, of in TRACES.items()
        if name not in LARGE
    ]
    wrong = [(key, notes) for key, notes in evaluate(MODULES, NOTES, sent) if "undefined" in notes]
    assert not wrong, wrong
