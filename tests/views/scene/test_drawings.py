"""How a step is drawn, as data: a browser finds the planes of ``step_of`` by it at any cell."""

import json
from functools import cache

import numpy as np
import pytest
from claims import for_all
from shown_traces import STAGES, TRACES, many_patches, middle, picture, sentence

from core import rules
from views.figures.arrange import DESKTOP, PHONE_PORTRAIT
from views.figures.step import step_of
from views.scene.drawings import drawing
from views.scene.naming import Names

ALL = [*STAGES, *(("many_patches", key) for key in many_patches())]
DESIGNS = {"wide": DESKTOP, "narrow": PHONE_PORTRAIT}
WIDEST = {"wide": DESKTOP.width + 0.1, "narrow": 1.25 * PHONE_PORTRAIT.width}


def trace_of(name):
    return many_patches() if name == "many_patches" else TRACES[name]()


@cache
def drawn(name, key, sample=0):
    """As a scene draws it: once, for a cell in the corner; and through JSON."""
    trace = trace_of(name)
    at = {role: 0 for stage in trace.values() for role in stage.roles} | {"batch": sample}
    names = Names()
    made = json.loads(json.dumps(drawing(trace, key, at, names)))
    return made, names.lists()


def cells_of(trace, key):
    """A cell of each corner, and one off every edge."""
    stage = trace[key]
    first = dict.fromkeys(stage.roles, 0)
    last = {role: stage.size(role) - 1 for role in stage.roles}
    turned = {role: last[role] if i % 2 else 0 for i, role in enumerate(stage.roles)}
    return [{"batch": 0} | cell for cell in (first, last, turned, middle(trace, key))]


def expression(part):
    return tuple(expression(p) for p in part) if isinstance(part, list) else part


def resolved(part, at, trace):
    return int(rules.resolve(expression(part), at, trace.tensors))


def sides(plane):
    return [plane["rows"]["size"], plane["columns"]["size"]]


@for_all(("name", "key"), ALL)
def test_the_index_of_a_cell_leads_to_the_number_that_the_figure_has_there(name, key):
    trace = trace_of(name)
    for at in cells_of(trace, key):
        step = step_of(trace, key, at)
        found, _ = drawn(name, key, at["batch"])
        assert found["layout"] == step.layout
        for plane, figured in zip(found["planes"], (*step.operands, step.result), strict=True):
            assert plane["stage"] == figured.stage
            assert sides(plane) == list(figured.values.shape)
            assert (plane["transposed"], plane["head"]) == (figured.transposed, figured.head)
            rows, columns = sides(plane)
            for row, column in {(0, 0), (rows - 1, columns // 2), (rows // 2, columns - 1)}:
                index = at | {plane["rows"]["role"]: row, plane["columns"]["role"]: column}
                index = tuple(resolved(part, index, trace) for part in plane["index"])
                assert trace[plane["stage"]].tensor[index] == figured.values[row, column]


def marked(plane, at, trace):
    """The row and column of a plane that belong to a cell of the result; None for all of them."""
    if plane["marked_when"]:
        which, low, high = plane["marked_when"]
        if not low <= resolved(which, at, trace) < high:
            return None
    return tuple(None if part is None else resolved(part, at, trace) for part in plane["mark"])


@for_all(("name", "key"), ALL)
def test_the_marks_of_a_cell_are_those_of_the_figure(name, key):
    trace = trace_of(name)
    for at in cells_of(trace, key):
        step = step_of(trace, key, at)
        found, _ = drawn(name, key, at["batch"])
        for plane, figured in zip(found["planes"], (*step.operands, step.result), strict=True):
            row = figured.row if figured.rows.role else None  # a plane of one row has no rows
            assert (marked(plane, at, trace) or (None, None)) == (row, figured.column)


def test_the_parts_of_a_sequence_are_marked_one_at_a_time():
    cls, embedding, _ = drawn("picture", "sequence")[0]["planes"]
    at = {"batch": 0, "d_model": 3}
    assert marked(cls, at | {"token": 0}, picture()) == (None, 3)
    assert marked(embedding, at | {"token": 0}, picture()) is None
    assert marked(cls, at | {"token": 1}, picture()) is None
    assert marked(embedding, at | {"token": 1}, picture()) == (0, 3)
    assert marked(embedding, at | {"token": 15}, picture()) == (14, 3)


def test_of_the_heads_that_are_joined_one_is_marked():
    heads = drawn("sentence", "concat")[0]["planes"][:-1]
    for column, head, index in ((0, 0, 0), (12, 0, 12), (13, 1, 0), (38, 2, 12)):
        at = {"batch": 0, "query": 4, "concat": column}
        expected = [(4, index) if i == head else None for i in range(3)]
        assert [marked(plane, at, sentence()) for plane in heads] == expected


@for_all("design", DESIGNS)
@for_all(("name", "key"), ALL)
def test_boxes_stand_apart_and_inside_the_arrangement(name, key, design):
    """It is as wide as it must be; the browser makes it fit."""
    made, _ = drawn(name, key)
    arranged, room = made[design], DESIGNS[design]
    boxes = np.array(arranged["boxes"])
    assert boxes.shape == (len(made["planes"]), 4)
    x, y, width, height = boxes.T
    assert (x >= 0).all()
    assert (y > 20).all()  # room for the title
    assert (np.minimum(width, height) > 0).all()
    assert max(x + width) + room.bar == pytest.approx(arranged["width"], abs=0.11)
    assert arranged["width"] <= WIDEST[design]
    assert (y + height <= arranged["height"]).all()
    for i, j in zip(*np.triu_indices(len(boxes), 1), strict=True):
        beside = x[i] + width[i] <= x[j] + 0.11 or x[j] + width[j] <= x[i] + 0.11
        stacked = y[i] + height[i] <= y[j] + 0.11 or y[j] + height[j] <= y[i] + 0.11
        assert beside or stacked


def test_a_list_of_names_has_one_number_and_mere_counting_has_none():
    names = Names()
    assert names.number(("我", "1")) == 0
    assert names.number(("1", "2")) is None
    assert names.number(("2", "1")) == 1
    assert names.number(("我", "1")) == 0
    assert names.number(None) is None
    assert names.number(("[CLS]", "1", "2")) == 2
    assert names.lists() == [("我", "1"), ("2", "1"), ("[CLS]", "1", "2")]
