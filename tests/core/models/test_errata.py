"""Printed numbers of study notes against the reference file and plain loops."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from claims import for_all

from core.exercises.proofreading import first_disagreement
from core.models import errata
from core.models.errata import ERRATA, in_order
from core.models.worked import D4_H2, WO_AI_BEIJING

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


def test_the_printed_output_of_the_second_word_follows_from_its_printed_weights():
    (p, q), ((output,),) = REFERENCE["softmax_row_2"]["printed"][0], [[16.9]]
    assert REFERENCE["output_row_2"]["printed"] == [[output]]
    assert p * 10 + q * 20 == pytest.approx(output, abs=1e-12)


def test_weights_of_one_digit_give_the_printed_output_of_the_third_word():
    weights = in_plain_loops()["weights", 0, 2]
    rounded = [round(weight, 1) for weight in weights]
    assert rounded == [0.1, 0.2, 0.7]
    assert sum(w * v for w, v in zip(rounded, [10, 20, 30], strict=True)) == pytest.approx(26)


def test_a_mask_of_zeros_leaks_attention_to_what_does_not_exist_yet():
    filled, right = errata.mask_filled_with_zero()
    first = [math.exp(0.5), 1, 1]
    np.testing.assert_allclose(filled[0], [power / sum(first) for power in first], atol=1e-12)
    assert (right[np.triu_indices(3, 1)] == 0).all()
    assert (filled[np.triu_indices(3, 1)] > 0.1).all()
    np.testing.assert_allclose(filled.sum(axis=1), 1)


def test_a_causal_mask_hides_the_rest_of_the_source():
    masked, whole = errata.source_masked()
    assert masked[0].tolist() == [1, 0, 0]
    powers = [math.exp(2 * k / 8) for k in (2, 3, 5)]
    np.testing.assert_allclose(whole[0], [power / sum(powers) for power in powers], atol=1e-12)


def test_the_subspaces_of_the_heads_are_not_orthogonal():
    cosines = errata.overlap_of_heads()
    one, other = D4_H2.matrices["W_Q"].tolist()
    for i in range(2):
        for j in range(2):
            a, b = [row[i] for row in one], [row[j] for row in other]
            dot = sum(x * y for x, y in zip(a, b, strict=True))
            size = math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
            assert cosines[i, j] == pytest.approx(dot / size, abs=1e-12)
    assert np.abs(cosines).max() > 0.5


def test_tokens_as_columns_give_the_same_numbers_turned():
    rows, columns = errata.by_rows_and_columns()
    np.testing.assert_allclose(rows, REFERENCE["q1"]["correct"], atol=1e-12)
    np.testing.assert_allclose(columns.T, rows, atol=1e-12)


def test_the_heads_add_up_to_the_output_with_nothing_left_over():
    one, other, output = errata.added_by_heads()
    np.testing.assert_allclose(one + other, output, atol=1e-12)
    trace, W_O = D4_H2.trace(), D4_H2.matrices["W_O"]
    np.testing.assert_allclose(one, trace["head_output"].tensor[0, 0] @ W_O[:2], atol=1e-12)
    assert np.abs(one).max() > 0.1 < np.abs(other).max()


def test_a_recurrent_state_carries_every_earlier_word_and_fades():
    first, second, third = errata.left_of_the_words()
    assert 0.1 < first < second < third


def test_the_parameters_are_four_squares_and_not_three():
    assert errata.parameters() == (3 * 512**2, 4 * 512**2)


def test_dividing_twice_leaves_an_eighth_of_the_width():
    assert errata.divided() == (64, 8, 64)


def test_the_score_of_subject_and_object_is_a_plain_product():
    score = WO_AI_BEIJING.trace()["scores"].tensor[ERRATA["subject_predicate"].cell]
    assert score == 2 * 5
