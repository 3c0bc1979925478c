"""Printed numbers against computed ones, as far as their digits go."""

import math

import numpy as np
import pytest
from claims import for_all

from core.exercises.judging import Guess
from core.exercises.proofreading import (
    Print,
    agrees,
    difference_behind,
    explained_by_signs,
    farthest,
    first_disagreement,
    plane,
    shared_instead,
)
from core.models.worked import D4_H2, WO_AI_BEIJING


@for_all(
    ("printed", "value", "same"),
    [
        (Guess(0.41, 0.01), 0.4073, True), (Guess(0.41, 0.01), 0.405, True),
        (Guess(0.41, 0.01), 0.415, True), (Guess(0.41, 0.01), 0.4151, False),
        (Guess(0.40, 0.01), 0.4073, False), (Guess(0.4, 0.1), 0.4073, True),
        (Guess(0.4, 0.1), 0.35, True), (Guess(0.4, 0.1), 0.349, False), (Guess(26, 1), 25.88, True),
        (Guess(26.0, 0.1), 25.88, False), (Guess(-0.05, 0.01), 0.05, False),
        (Guess(-0.05, 0.01), -0.0472, True), (Guess(0, 1), 0.0, True),
        (Guess(0.13, 0.01), 0.125, True), (Guess(0.12, 0.01), 0.125, True),
        (Guess(-math.inf), -math.inf, True), (Guess(0, 1), -math.inf, False),
        (Guess(-math.inf), -1e9, False),
    ],
)  # fmt: skip
def test_a_printed_number_agrees_with_what_rounds_to_it(printed, value, same):
    assert agrees(printed, value) is same


def print_of(stage, rows, unit=0.01, **where):
    numbers = tuple(tuple(None if x is None else Guess(x, unit) for x in row) for row in rows)
    return Print(stage, numbers, **where)


def test_only_printed_numbers_can_be_wrong():
    trace = WO_AI_BEIJING.trace()  # weights of row 2: 0.1807 0.2629 0.5565
    one = print_of("weights", [[0.18, None, 0.65]], row=1)
    assert one.wrong(trace).tolist() == [[False, False, True]]
    assert np.isnan(one.values()[0, 1])
    row, column, off = farthest(one, trace)
    assert (row, column) == (1, 2)
    assert off == pytest.approx(0.65 - 0.556477137312, abs=1e-9)
    scores = print_of("scores", [[6, 9, 15], [10, 15, 24]], unit=1, row=1)  # 5 · 5 = 25
    assert farthest(scores, trace) == (2, 2, 1.0)


def test_a_print_is_compared_with_its_head():
    trace = D4_H2.trace()
    assert not print_of("Q", [[2.05, -0.5], [-0.27, 0.94]], head=1).wrong(trace).any()
    assert print_of("Q", [[2.05, -0.5], [-0.27, 0.94]], head=0).wrong(trace).all()
    assert plane(trace, "output", 1).shape == (2, 4)
    assert plane(trace, "W_O", 1).shape == (2, 4)


def test_a_print_beyond_its_stage_is_refused():
    with pytest.raises(IndexError):
        print_of("weights", [[1, 2, 3, 4]]).computed(WO_AI_BEIJING.trace())
    with pytest.raises(IndexError):
        print_of("weights", [[1], [2]], row=2).computed(WO_AI_BEIJING.trace())


def test_equal_infinities_have_no_error():

    trace = WO_AI_BEIJING.with_options(causal=True).trace()
    one = Print("masked", ((Guess(0.5, 0.1), Guess(-math.inf), Guess(-math.inf)),))
    assert not one.wrong(trace).any()
    assert farthest(one, trace) == (0, 0, 0.0)


def test_the_first_disagreement_is_the_earliest_in_the_computation():
    trace = WO_AI_BEIJING.trace()
    right = print_of("scores", [[4, 6, 10]], unit=1)
    early = print_of("scaled", [[0.5, 0.75, 1.5]])
    late = print_of("head_output", [[99]], unit=1)
    assert first_disagreement([late, right, early], trace) is early
    assert first_disagreement([late, right], trace) is late
    assert first_disagreement([right], trace) is None


def test_wrong_signs_and_left_out_products_are_counted_one_by_one():
    x, w = np.array([2.0, 3.0]), np.array([5.0, 7.0])  # products 10 and 21
    assert explained_by_signs(Guess(31, 1), x, w) == 1
    assert explained_by_signs(Guess(-11, 1), x, w) == 1
    assert explained_by_signs(Guess(21, 1), x, w) == 1
    assert explained_by_signs(Guess(12, 1), x, w) == 0
    assert explained_by_signs(Guess(7, 1), np.array([7.0, 7.0]), np.ones(2)) == 2


def test_the_scores_behind_two_shares_differ_by_the_logarithm_of_their_quotient():
    least, most = difference_behind([Guess(0.25, 0.01), Guess(0.75, 0.01)])
    assert least < math.log(3) < most
    for difference in (least, most):
        share = 1 / (1 + math.exp(difference))
        assert abs(share - 0.25) < 0.0051


def test_shared_instead_finds_the_functions_that_fit():
    scores = np.array([0.75, 1.125])
    assert shared_instead([Guess(0.31, 0.01), Guess(0.69, 0.01)], scores) == ["x²"]
    assert shared_instead([Guess(0.4, 0.1), Guess(0.6, 0.1)], scores) == ["x", "2ˣ"]
    assert shared_instead([Guess(0.05, 0.01), Guess(0.95, 0.01)], scores) == ["e⁸ˣ"]
    assert shared_instead([Guess(0.30, 0.01), Guess(0.70, 0.01)], scores) == ["10ˣ"]
    assert shared_instead([Guess(0.41, 0.01), Guess(0.59, 0.01)], scores) == []
