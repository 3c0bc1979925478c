"""The covered cells of a quiz: only computed ones, and the same for the same seed."""

import numpy as np
from claims import for_all
from refuses import refuses

from core.exercises import quiz_cells
from core.models.worked import D4_H2, PADDED, WHOLE_NUMBERS, WO_AI_BEIJING

SHEETS = {
    "wo_ai_beijing": WO_AI_BEIJING,
    "causal": WO_AI_BEIJING.with_options(causal=True),
    "padded": PADDED,
    "whole_numbers": WHOLE_NUMBERS,
    "d4_h2": D4_H2,
}
TRACES = {name: sheet.trace() for name, sheet in SHEETS.items()}
WAYS = {
    "all": quiz_cells.every_cell,
    "row": lambda trace, key: quiz_cells.one_row(trace, key, 0),
    "cells": lambda trace, key: quiz_cells.these(trace, key, [(0, 0), (1, 2), (99, 99)]),
    "random": lambda trace, key: quiz_cells.at_random(trace, key, 7),
}


@for_all("way", WAYS)
@for_all("name", TRACES)
def test_given_stages_are_never_covered(name, way):
    trace = TRACES[name]
    computed = quiz_cells.computed(trace)
    for key in trace:
        if trace[key].tensor.ndim < 2:
            continue
        covered = WAYS[way](trace, key)
        assert covered.shape == trace[key].tensor.shape
        assert covered.any() <= (key in computed)


def test_given_and_computed_stages_are_distinguished():
    assert quiz_cells.computed(TRACES["wo_ai_beijing"]) == (
        "scores", "scaled", "weights", "head_output",
    )  # fmt: skip
    assert quiz_cells.computed(TRACES["d4_h2"]) == (
        "Q", "K", "V", "scores", "scaled", "weights", "head_output", "concat", "output",
    )  # fmt: skip


@for_all("name", TRACES)
def test_the_same_seed_covers_the_same_cells_and_another_seed_others(name):
    trace = TRACES[name]
    again = SHEETS[name].trace()
    for key in quiz_cells.computed(trace):
        one = quiz_cells.at_random(trace, key, 5)
        np.testing.assert_array_equal(one, quiz_cells.at_random(again, key, 5))
    drawn = {quiz_cells.at_random(trace, "weights", seed).tobytes() for seed in range(20)}
    assert len(drawn) > 3


@for_all("name", TRACES)
def test_at_random_every_head_has_a_third_of_its_cells_covered(name):
    trace = TRACES[name]
    for key in ("scores", "weights", "head_output"):
        covered, askable = quiz_cells.at_random(trace, key, 3), quiz_cells.every_cell(trace, key)
        for plane in np.ndindex(covered.shape[:-2]):
            cells = int(askable[plane].sum())
            assert covered[plane].sum() == max(1, round(cells / 3))
        assert not (covered & ~askable).any()


def test_stages_of_one_shape_have_the_same_random_cells():
    trace = TRACES["d4_h2"]
    scores = quiz_cells.at_random(trace, "scores", 11)
    for key in ("scaled", "weights"):
        np.testing.assert_array_equal(quiz_cells.at_random(trace, key, 11), scores)
    heads, joined = (quiz_cells.at_random(trace, key, 11) for key in ("head_output", "concat"))
    for head in range(2):
        for query in range(2):
            for column in range(2):
                assert joined[0, query, head * 2 + column] == heads[0, head, query, column]


def test_padded_queries_are_not_covered():
    covered = quiz_cells.every_cell(TRACES["padded"], "weights")
    assert covered[0, 0, :3].all()
    assert not covered[0, 0, 3:].any()
    assert not quiz_cells.one_row(TRACES["padded"], "scores", 5).any()


def test_one_row_is_covered_in_every_head():
    covered = quiz_cells.one_row(TRACES["d4_h2"], "weights", 1)
    assert covered[0, :, 1].all()
    assert not covered[0, :, 0].any()
    for row in (-1, 2):
        with refuses("out_of_range", name="row", value=row):
            quiz_cells.one_row(TRACES["d4_h2"], "weights", row)


def test_chosen_cells_out_of_range_are_replaced_by_the_nearest():
    trace = TRACES["wo_ai_beijing"]
    np.testing.assert_array_equal(
        np.argwhere(quiz_cells.these(trace, "weights", [(1, 2), (0, 1)])[0, 0]), [[0, 1], [1, 2]]
    )
    np.testing.assert_array_equal(
        np.argwhere(quiz_cells.these(trace, "head_output", [(1, 2), (7, 0)])[0, 0]),
        [[1, 0], [2, 0]],
    )
    assert quiz_cells.nearest(trace, "weights", (-1, 5)) == (0, 2)
    assert not quiz_cells.these(trace, "weights", []).any()
