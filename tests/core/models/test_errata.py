"""Printed numbers of study notes against the reference file and plain loops."""

import json
import math
from pathlib import Path

import numpy as np
from claims import for_all

from core.exercises.proofreading import first_disagreement
from core.models.errata import ERRATA, in_order
from core.models.worked import D4_H2

REFERENCE = {
    one["id"]: one
    for one in json.loads(
        (Path(__file__).parents[1] / "data" / "worked_examples.json").read_text("utf-8")
    )["errata"]
}
NUMBERS = [name for name, one in REFERENCE.items() if isinstance(one["printed"], list)]


def test_every_erratum_of_the_reference_is_here_in_its_order():
    assert list(ERRATA) == list(REFERENCE)
    assert [name for name, one in ERRATA.items() if one.printed] == NUMBERS
    assert len(NUMBERS) == 5


@for_all("name", NUMBERS)
def test_every_erratum_is_printed_and_computed_as_in_the_reference(name):
    printed, trace = ERRATA[name].printed, ERRATA[name].sheet.trace()
    np.testing.assert_array_equal(printed.values(), REFERENCE[name]["printed"])
    found = printed.computed(trace)
    np.testing.assert_allclose(found, REFERENCE[name]["correct"], rtol=0, atol=1e-9)


def test_the_digits_are_those_that_are_printed():
    units = {
        name: {one.unit for row in ERRATA[name].printed.numbers for one in row} for name in NUMBERS
    }
    assert units == {
        "q1": {0.01},
        "q2": {0.01},
        "softmax_row_2": {0.01},
        "output_row_2": {0.1},
        "output_row_3": {1.0},
    }


def in_plain_loops():
    """What the book's own inputs give, step by step: (stage, head, row) -> numbers."""
    found = {}
    X, W = D4_H2.matrices["X"].tolist(), D4_H2.matrices["W_Q"].tolist()
    for head in range(2):
        for i in range(2):
            found["Q", head, i] = [sum(X[i][m] * W[head][m][j] for m in range(4)) for j in range(2)]
    q, v = [2.0, 3.0, 5.0], [10.0, 20.0, 30.0]
    for i in range(3):
        powers = [math.exp(q[i] * q[j] / 8) for j in range(i + 1)]
        weights = [power / sum(powers) for power in powers]
        found["weights", 0, i] = weights
        found["head_output", 0, i] = [sum(w * x for w, x in zip(weights, v, strict=False))]
    return found


@for_all("name", NUMBERS)
def test_the_first_disagreement_is_where_plain_loops_find_it(name):
    computed, steps = in_plain_loops(), ["Q", "weights", "head_output"]
    halves = {"q1": 0.005, "q2": 0.005, "softmax_row_2": 0.005, "output_row_2": 0.05}
    expected = None
    for one in (*ERRATA[name].rests_on, name):
        printed = ERRATA[one].printed
        for i, row in enumerate(REFERENCE[one]["printed"]):
            values = computed[printed.stage, printed.head, printed.row + i]
            off = max(abs(p - c) for p, c in zip(row, values, strict=False))
            later = expected and steps.index(expected.stage) <= steps.index(printed.stage)
            if off > halves.get(one, 0.5) and not later:
                expected = printed
    found = first_disagreement(in_order(ERRATA[name]), ERRATA[name].sheet.trace())
    assert found is expected
    stages = {"q1": "Q", "q2": "Q", "softmax_row_2": "weights", "output_row_2": "weights"}
    assert (found and found.stage) == stages.get(name)


@for_all("name", ERRATA)
def test_the_cell_of_an_erratum_is_in_its_stage(name):
    erratum = ERRATA[name]
    value = erratum.sheet.trace()[erratum.stage].tensor[erratum.cell]
    assert np.isfinite(value)
    if erratum.printed:
        assert erratum.cell[1] == erratum.printed.head
        row, column = (
            erratum.cell[-2] - erratum.printed.row,
            erratum.cell[-1],
        )
        assert erratum.printed.numbers[row][column] is not None
