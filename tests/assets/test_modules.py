"""JavaScript computes the same as its counterpart in Python."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from in_node import evaluate
from near_the_limits import traces
from printed import printed
from rounding import allowed

from core import Trace, activations, explain, rules
from views.scene.blob import pack
from views.text import numbers

EXPLAINED = """
  return given.map(({ blob: sent, cells }) => {
    const loaded = new trace.Trace(blob.unpacked(sent));
    return cells.map(([key, index]) => {
      const { roles, rule } = loaded.stage(key);
      const at = Object.fromEntries(roles.map((role, axis) => [role, index[axis]]));
      const shown = cell.explain(loaded, key, index).made_by.value;
      if (rule.rule === "given") return [shown, shown].map(String);
      return [shown, rules.evaluate(loaded, rule, at, 1, loaded.stage(key).type)[0]].map(String);
    });
  });
"""
ENGINE = [f"microscope/engine/{name}.js" for name in ("blob", "cell", "rules", "trace")]
NUMBERS = ["microscope/engine/numbers.js"]


def sent(trace: Trace) -> bytes:
    """All numbers of a trace, with nothing but what it takes to open a cell."""
    arrays = {
        key: stage.tensor.astype(np.uint8) if stage.tensor.dtype == bool else stage.tensor
        for key, stage in trace.items()
    }
    stages = {
        key: {
            "roles": stage.roles,
            "shape": stage.tensor.shape,
            "names": [None] * stage.tensor.ndim,
            "type": f"{stage.tensor.dtype.kind}{stage.tensor.dtype.itemsize}",
            "rule": rules.as_data(stage.rule),
        }
        for key, stage in trace.items()
    }
    stored = {key: {"begins": [0] * array.ndim, "form": "numbers"} for key, array in arrays.items()}
    return pack({"stages": stages, "stored": stored, "names": []}, arrays)


def test_the_browser_opens_every_rule_near_the_limits_to_what_python_shows():
    made = [(kind, dtype, trace) for kind, dtype, trace in traces()]
    cells = [
        [(key, index) for key in trace for index in [*np.ndindex(trace[key].tensor.shape)][::3]]
        for _, _, trace in made
    ]
    given: Any = [
        {"blob": sent(trace), "cells": asked}
        for (_, _, trace), asked in zip(made, cells, strict=True)
    ]
    answers = evaluate(ENGINE, EXPLAINED, given)
    wrong = []
    for (kind, dtype, trace), asked, found in zip(made, cells, answers, strict=True):
        for (key, index), (shown, followed) in zip(asked, found, strict=True):
            cell = explain(trace, key, index)
            value = cell.made_by.value
            shown, followed = float(shown), float(followed)
            for name, number, kinds in (
                ("shown", shown, np.float64),
                ("followed", followed, dtype),
            ):
                within = allowed(cell.made_by, kinds)
                if number != value and not abs(number - value) <= within:
                    wrong.append(f"{kind} {np.dtype(dtype)} {key}{index} {name}: {number}, {value}")
    assert not wrong, "\n".join(wrong)


def sizes():
    """Numbers of every size, and ties: those that a half of the last digit ends."""
    random = np.random.default_rng(4)
    found = random.normal(size=300) * 10.0 ** random.integers(-9, 22, 300)
    halves = [
        sign * (whole + 0.5) / 10**digits
        for digits in range(7)
        for whole in (*range(12), 112, 267, 99, 1_000_000_007)
        for sign in (1, -1)
    ]
    single = random.normal(size=100).astype(np.float32).astype(float)
    return [*found.tolist(), *halves, *single.tolist(), 5e-324, 1.7e308, 0.0, -0.0]


def test_the_browser_prints_numbers_as_python_does():
    asked = [(value, digits) for value in sizes() for digits in range(7)]
    body = "return given.map(([value, digits]) => numbers.plain(value, digits));"
    found = evaluate(NUMBERS, body, asked)
    expected = [printed(value, digits) for value, digits in asked]
    apart = [
        (value, browser, by_hand, numbers.plain(value, digits))
        for (value, digits), browser, by_hand in zip(asked, found, expected, strict=True)
        if not browser == by_hand == numbers.plain(value, digits)
    ]
    assert not apart
    short = evaluate(NUMBERS, "return given.map((value) => numbers.short(value));", sizes())
    assert short == [numbers.short(value) for value in sizes()]


def test_the_browser_computes_with_the_numbers_that_it_prints():
    asked = [(value, digits) for value in sizes() for digits in range(2, 7)]
    body = "return given.map(([value, digits]) => String(numbers.units(value, digits)));"
    found = evaluate(NUMBERS, body, asked)
    expected = [
        printed(value, digits).replace(".", "").replace("−", "-") for value, digits in asked
    ]
    assert found == [str(int(units)) for units in expected]
    products = [([1.5, 0.75], 1.125), ([-1.5, 0.75], -1.125), ([0.1, 0.05], 0.005), ([2, 2], 5)]
    body = "return given.map(([factors, product]) => numbers.isExact(factors, product, 2));"
    assert evaluate(NUMBERS, body, products) == [True, True, True, False]


def test_the_functions_of_the_browser_are_those_of_the_core():
    points = [*np.linspace(-9, 9, 721), *np.linspace(-0.01, 0.01, 41), -40.0, 40.0, 1e-300]
    body = """
      const all = Object.entries(activations.FUNCTIONS);
      return Object.fromEntries(all.map(([name, f]) => [name, given.map(f)]));
    """
    found = evaluate(["microscope/engine/activations.js"], body, points)
    assert set(found) == set(activations.FUNCTIONS)
    for name in ("relu", "gelu", "gelu_tanh"):
        expected = [activations.FUNCTIONS[name](float(point)) for point in points]
        np.testing.assert_allclose(found[name], expected, rtol=0, atol=1e-14, err_msg=name)
    positive = [point for point in points if point > 0]
    logarithms = [value for value, point in zip(found["log"], points, strict=True) if point > 0]
    np.testing.assert_allclose(logarithms, np.log(positive), rtol=1e-15)


KINDS = {"float16": np.float16, "bfloat16": ml_dtypes.bfloat16}
TIES = [1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 2.0**-25, 3 * 2.0**-25]
ENDS = [65504, 65519.9, 65520, -65520, 3.4e38, 1e-40, 2.0**-14, 2.0**-24, 2.0**-133, 0, 1]
ROUNDED = "return given.values.map((value) => String(rules.roundTo(value, given.precision)));"


@pytest.mark.parametrize("precision", KINDS)
def test_the_browser_rounds_as_the_half_precision_does(precision):
    draw = np.random.default_rng(3)
    drawn = draw.normal(size=500) * 10.0 ** draw.integers(-9, 5, 500)
    values = np.array([*TIES, *ENDS, *drawn], np.float32)
    given = {"values": values.tolist(), "precision": precision}
    found = evaluate(["microscope/engine/rules.js"], ROUNDED, given)
    with np.errstate(over="ignore"):
        expected = values.astype(KINDS[precision]).astype(float)
    np.testing.assert_array_equal([float(one) for one in found], expected)


def test_an_array_in_half_precision_is_read_as_the_numbers_that_it_holds():
    bits = np.arange(2**16, dtype=np.uint16).view(np.float16).reshape(256, 256)
    blob = pack({}, {"W": bits, "next": np.array([2.5])})
    body = """
      const { arrays } = blob.unpacked(new Uint8Array(given));
      const values = [...arrays.W.values, ...arrays.next.values];
      return [arrays.W.shape, values.map((one) => (Object.is(one, -0) ? "-0" : String(one)))];
    """
    shape, found = evaluate(["microscope/engine/blob.js"], body, list(blob))
    assert shape == [256, 256]
    expected = [*bits.astype(float).ravel(), 2.5]
    np.testing.assert_array_equal([float(one) for one in found], expected)
    assert [one for one in found if one == "-0"] == ["-0"]
