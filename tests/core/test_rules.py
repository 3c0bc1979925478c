import json
import math

import numpy as np
import pytest
from claims import for_all

from core import Axis, Stage, Trace, explain, rules
from core.rules import (
    Activation,
    Constant,
    Dot,
    Given,
    Mask,
    Normalise,
    Operand,
    Product,
    RMSNorm,
    Rotate,
    Round,
    Softmax,
    Stack,
    Sum,
    Total,
)

NESTED = (("join", ("div", "i", 3), 5, ("mod", "i", 3)), ("look_up", "ids", (("minus", "j", 2),)))
EVERY_KIND = [
    Given("input"),
    Operand("A", NESTED),
    Operand("scalar", ()),
    Constant(0.1, "s"),
    Dot(Operand("A", ("i", "k")), Operand("B", ("k", "j")), "k", 7),
    Product((Operand("A", ("i",)), Constant(-2.0, "s"))),
    Total(Product((Operand("A", ("i", "k")), Constant(-1.0, "-"))), "k", 7),
    Sum((Operand("A", ("i",)), Product((Operand("B", (0,)), Constant(1 / 3, "1/3"))))),
    Mask(Sum((Operand("A", ("i",)), Operand("B", ("i",)))), (Operand("M", ("i",)),)),
    Softmax(Operand("A", ("i", "k")), "k", 7),
    Normalise(Operand("A", ("i", "k")), "k", 7, 1e-5),
    RMSNorm(Operand("A", ("i", "k")), "k", 7, 1e-5),
    Rotate(*(Operand(name, ("i", "k")) for name in ("A", "B", "cos", "sin")), ("div", "k", 3)),
    Activation("relu", Sum((Operand("A", ("i",)), Operand("B", ("i",))))),
    Round(Sum((Operand("A", ("i",)), Operand("B", ("i",)))), "float16"),
    Stack("i", (Operand("A", (0,)), Operand("B", (("minus", "i", 1),))), (1, 4)),
]


@for_all("rule", EVERY_KIND)
def test_a_rule_survives_json_unchanged(rule):
    text = json.dumps(rules.as_data(rule), allow_nan=False)
    assert rules.from_data(json.loads(text)) == rule


def test_every_kind_of_rule_is_tested_here():
    assert {type(rule) for rule in EVERY_KIND} == set(rules.Rule.__args__)


def test_the_data_of_a_rule_names_its_kind_and_its_fields():
    assert rules.as_data(Dot(Operand("A", ("i", 0)), Operand("B", (("div", "i", 3),)), "k", 7)) == {
        "rule": "dot",
        "left": {"rule": "operand", "stage": "A", "index": ["i", 0]},
        "right": {"rule": "operand", "stage": "B", "index": [["div", "i", 3]]},
        "over": "k",
        "size": 7,
    }


@for_all(
    ("index", "expected"),
    [
        ("query", 4), (0, 0), (("join", "query", 7, "key"), 4 * 7 + 3), (("div", "column", 13), 2),
        (("mod", "column", 13), 5), (("minus", "query", 1), 3),
        (("look_up", "ids", ("key", ("minus", "query", 3))), 41),
        (("join", ("div", "column", 13), 100, ("mod", "column", 13)), 205),
    ],
)  # fmt: skip
def test_resolve_evaluates_index_expressions(index, expected):
    ids = np.arange(10, 60).reshape(5, 10)
    at = {"query": 4, "key": 3, "column": 2 * 13 + 5}
    assert rules.resolve(index, at, {"ids": ids}) == expected


def test_resolve_broadcasts_arrays():
    at = {"query": np.arange(5)[:, None], "key": np.arange(7)}
    joined = rules.resolve(("join", "query", 7, "key"), at, {})
    assert np.array_equal(joined, np.arange(35).reshape(5, 7))


@for_all("index", [("times", "query", 2), 1.5, None])
def test_what_is_no_index_expression_is_refused(index):
    with pytest.raises(TypeError, match="not an index expression"):
        rules.resolve(index, {"query": 0}, {})


def test_the_stages_read_include_what_is_looked_up_and_stand_once_in_order():
    rule = Sum(
        (
            Operand("table", (("look_up", "ids", (("minus", ("look_up", "shift", ()), 1),)), "d")),
            Operand("position", ("token", "d")),
            Mask(Operand("table", (0, "d")), (Operand("mask", ("token",)),)),
        )
    )
    assert rules.stages_read(rules.operands(rule)) == ("ids", "shift", "table", "position", "mask")
    assert [operand.stage for operand in rules.operands(rule)] == [
        "table",
        "position",
        "table",
        "mask",
    ]
    assert rules.stages_read(rules.operands(Given("input"))) == ()


def given(key, tensor, *roles):
    return Stage(key, key, tensor, tuple(Axis(role, role) for role in roles), Given("input"))


def test_a_stack_copies_from_the_part_of_the_index():
    first, rest = np.array([[70.0, 71.0]]), np.arange(6.0).reshape(3, 2)
    rule = Stack(
        "token",
        (Operand("cls", (0, "d")), Operand("patches", (("minus", "token", 1), "d"))),
        (1, 3),
    )
    trace = Trace(
        [
            given("cls", first, "one", "d"),
            given("patches", rest, "token", "d"),
            Stage("all", "", np.vstack([first, rest]), (Axis("token", "n"), Axis("d", "d")), rule),
        ]
    )
    for token, source in ((0, ("cls", (0, 1))), (1, ("patches", (0, 1))), (3, ("patches", (2, 1)))):
        cell = explain(trace, "all", (token, 1))
        assert (cell.made_by.address.stage, cell.made_by.address.index) == source
        assert cell.made_by.value == cell.value


def test_a_nested_rule_is_worked_out_from_the_inside():
    a, b = np.array([2.0, 3.0]), np.array([0.5, 4.0])
    axis = (Axis("i", "n"),)
    product = Product((Operand("a", ("i",)), Operand("b", ("i",)), Constant(10, "c")))
    rule = Mask(Sum((product, Constant(1, "1"))), (Operand("m", ("i",)),))
    trace = Trace(
        [
            given("a", a, "i"),
            given("b", b, "i"),
            given("m", np.array([True, False]), "i"),
            Stage("y", "", np.array([11.0, -np.inf]), axis, rule),
        ]
    )
    assert explain(trace, "y", (0,)).made_by.value == 11
    masked = explain(trace, "y", (1,)).made_by
    assert (masked.value, masked.parts[0].value) == (-math.inf, 121)
