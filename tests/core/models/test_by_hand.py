"""Matrices written by hand, and the worked examples made of them."""

import json
from pathlib import Path

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import explain
from core.errors import InputError
from core.models.by_hand import Sheet
from core.models.worked import D4_H2, PADDED, PRESETS, WHOLE_NUMBERS, WO_AI_BEIJING

DATA = Path(__file__).parents[1] / "data" / "worked_examples.json"
EXAMPLES = json.loads(DATA.read_text("utf-8"))
BEIJING = EXAMPLES["wo_ai_beijing"]


def agree(found, expected):
    expected = np.array([[-np.inf if x is None else x for x in row] for row in expected], float)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@for_all("divisor", [8, 1])
@for_all("causal", [True, False])
def test_wo_ai_beijing_has_the_numbers_of_the_reference(divisor, causal):
    expected = BEIJING[f"divisor_{divisor}_{'causal' if causal else 'no_mask'}"]
    trace = WO_AI_BEIJING.with_options(scale=1 / divisor, causal=causal).trace()
    for key in ("scores", "scaled", "weights"):
        agree(trace[key].tensor[0, 0], expected[key])
    agree(trace["masked" if causal else "scaled"].tensor[0, 0], expected["masked"])
    agree(trace["head_output"].tensor[0, 0], expected["output"])
    assert trace["weights"].axis("key").names(0) == tuple(BEIJING["tokens"])


def test_two_heads_of_d_model_4_have_the_numbers_of_the_reference():
    trace = D4_H2.trace()
    for i, expected in enumerate(EXAMPLES["d4_h2"]["heads"]):
        for key in ("Q", "K", "V"):
            agree(trace[key].tensor[0, i], expected[key.lower()])
        for key in ("scores", "scaled", "weights"):
            agree(trace[key].tensor[0, i], expected[key])
        agree(trace["head_output"].tensor[0, i], expected["output"])
    agree(trace["concat"].tensor[0], EXAMPLES["d4_h2"]["concat"])
    agree(trace["output"].tensor[0], EXAMPLES["d4_h2"]["output"])


def test_the_example_in_integers_has_the_numbers_computed_by_hand():
    trace = WHOLE_NUMBERS.trace()
    agree(trace["Q"].tensor[0, 0], [[-2, 2, 0, 2], [0, 0, -1, 2], [0, 2, -1, 0]])
    agree(trace["K"].tensor[0, 0], [[2, 2, 2, 2], [0, 2, 0, 0], [2, 2, 0, 2]])
    agree(trace["V"].tensor[0, 0], [[4, 2, 2, 4], [0, 3, 2, 2], [2, 1, 2, 0]])
    agree(trace["scores"].tensor[0, 0], [[4, 4, 4], [2, 0, 4], [2, 4, 4]])
    agree(trace["scaled"].tensor[0, 0], [[2, 2, 2], [1, 0, 2], [1, 2, 2]])
    e = np.e
    below, tied = e + 1 + e**2, e + 2 * e**2
    rows = [[1 / 3] * 3, [e / below, 1 / below, e**2 / below], [e / tied, e**2 / tied, e**2 / tied]]
    agree(trace["weights"].tensor[0, 0], rows)
    agree(trace["output"].tensor[0, :1], [[4, 4, 4, 4]])


def test_padding_gets_no_weight_and_changes_no_token():
    padded, bare = PADDED.trace(), WO_AI_BEIJING.trace()
    assert padded["weights"].tensor.shape == (1, 1, 10, 10)
    assert (padded["weights"].tensor[..., 3:] == 0).all()
    for key in ("weights", "head_output"):
        width = bare[key].tensor.shape[3]
        np.testing.assert_array_equal(padded[key].tensor[0, 0, :3, :width], bare[key].tensor[0, 0])


@for_all("name", ["Q", "K", "V"])
def test_a_given_matrix_replaces_the_computed_one_and_its_parameter(name):
    before = D4_H2.trace()
    given = np.arange(8.0).reshape(2, 2, 2) / 5
    after = D4_H2.with_matrix(name, given).trace()
    np.testing.assert_array_equal(after[name].tensor[0], given)
    assert f"W_{name}" not in after
    for other in {"Q", "K", "V"} - {name}:
        np.testing.assert_array_equal(after[other].tensor, before[other].tensor)
    Q, K, V = (after[key].tensor[0] for key in "QKV")
    for head in range(2):
        for i in range(2):
            powers = [np.exp(Q[head, i] @ K[head, j] / np.sqrt(2)) for j in range(2)]
            mixed = sum(p * V[head, j] for j, p in enumerate(powers)) / sum(powers)
            np.testing.assert_allclose(after["head_output"].tensor[0, head, i], mixed, atol=1e-12)
    assert explain(after, name, (0, 1, 0, 1)).made_by.operation == "given"


def test_taking_a_given_matrix_away_computes_it_again():
    sheet = D4_H2.with_matrix("K", np.zeros((2, 2, 2))).with_matrix("K", None)
    np.testing.assert_array_equal(sheet.trace()["K"].tensor, D4_H2.trace()["K"].tensor)


@for_all(
    ("name", "matrix"),
    [
        ("Q", np.ones((2, 3, 2))),
        ("Q", np.ones((3, 2, 2))),
        ("V", np.ones((2, 2, 5))),
        ("X", np.ones((3, 4))),
        ("X", np.ones((2, 5))),
        ("W_K", np.ones((3, 4, 2))),
        ("W_V", np.ones((1, 4, 2))),
        ("W_O", np.ones((5, 4))),
        ("W_Q", np.full((2, 4, 2), np.nan)),
        ("X", np.full((2, 4), np.inf)),
        ("X", np.full((2, 4), 1e308)),
    ],
)
def test_what_does_not_fit_is_refused_with_a_stated_rule(name, matrix):
    with pytest.raises(InputError):
        D4_H2.with_matrix(name, matrix).trace()


def test_a_matrix_without_the_axes_of_its_name_is_refused_at_once():
    with refuses("shape_mismatch", name="Q", expected="(head, query, d_k)"):
        D4_H2.with_matrix("Q", np.ones((2, 2)))


@for_all("sheet", PRESETS.values())
def test_a_sheet_cannot_be_written_over(sheet: Sheet):
    for matrix in sheet.matrices.values():
        with pytest.raises(ValueError, match="read-only"):
            matrix[...] = 0


@for_all("name", PRESETS)
def test_more_tokens_get_rows_of_zeros_and_fewer_lose_their_last(name):
    sheet = PRESETS[name]
    n = len(sheet.tokens)
    more = sheet.with_tokens((*sheet.tokens, "a", "b"), padded=2)
    again = more.with_tokens(sheet.tokens, padded=sheet.padded)
    for key, matrix in sheet.matrices.items():
        np.testing.assert_array_equal(again.matrices[key], matrix)
    for key in {"X", "Q", "K", "V"} & set(sheet.matrices):
        assert more.matrices[key].shape[-2] == n + 2
        assert not more.matrices[key][..., n:, :].any()
        first = sheet.with_tokens(sheet.tokens[:1]).matrices[key]
        np.testing.assert_array_equal(first, sheet.matrices[key][..., :1, :])
    assert more.trace()["weights"].tensor.shape[2:] == (n + 2, n + 2)
    assert not more.trace()["weights"].tensor[..., n:].any()
    for key in {"W_Q", "W_K", "W_V", "W_O"} & set(sheet.matrices):
        np.testing.assert_array_equal(more.matrices[key], sheet.matrices[key])
