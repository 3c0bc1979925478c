"""Where a token is a column: the same numbers, every matrix turned, and A B drawn as Bᵀ Aᵀ."""

import numpy as np
from claims import for_all
from shown_traces import STAGES, TRACES, sentence

from views.figures.formula import in_columns
from views.figures.step import step_of

PRODUCTS = ("Q", "K", "V", "scores", "head_output", "output")
AT = {"batch": 0, "head": 2, "token": 3, "query": 3, "key": 5, "d_k": 1, "d_v": 8}
AT |= {"d_model": 4, "concat": 16}


def at(trace, key):
    return {role: AT.get(role, 0) % trace[key].size(role) for role in trace[key].roles}


def both(trace, key):
    return (step_of(trace, key, at(trace, key), convention) for convention in ("rows", "columns"))


@for_all(("name", "key"), STAGES)
def test_every_plane_is_turned_and_nothing_else_changes(name, key):
    trace = TRACES[name]()
    rows, columns = both(trace, key)
    operands = columns.operands[::-1] if rows.layout == "product" else columns.operands
    for plane, turned in zip(
        (*rows.operands, rows.result), (*operands, columns.result), strict=True
    ):
        assert turned.stage == plane.stage
        if not plane.rows.role:
            np.testing.assert_array_equal(turned.values, plane.values)
            assert (turned.rows, turned.columns, turned.mark) == (
                plane.rows, plane.columns, plane.mark
            )  # fmt: skip
            continue
        np.testing.assert_array_equal(turned.values, plane.values.T)
        assert (turned.rows, turned.columns) == (plane.columns, plane.rows)
        assert (turned.row, turned.column) == (plane.column, plane.row)
        assert turned.mark == plane.mark[::-1]
        assert (turned.index, turned.marked_when) == (plane.index, plane.marked_when)


def test_scores_are_drawn_as_K_transposed_times_Q():
    _, step = both(sentence(), "scores")
    assert [(plane.stage, plane.transposed) for plane in step.operands] == [
        ("K", True), ("Q", False)
    ]  # fmt: skip
    key, d_k = step.operands[0].values.shape
    assert (key, d_k) == (sentence()["K"].size("key"), sentence()["K"].size("d_k"))


@for_all(
    ("rows", "columns"),
    [
        (r"\text{scores} = Q K^\top", r"\text{scores} = K^\top Q"),
        ("Q = X W^Q", "Q = W^Q X"),
        ("V = M W^V + b^V", "V = W^V M + b^V"),
        (r"\text{dropped} \cdot V", r"V \cdot \text{dropped}"),
        (r"\text{output} = \text{concat} \cdot W^O", r"\text{output} = W^O \cdot \text{concat}"),
        (r"\text{flattened} \cdot W^E", r"W^E \cdot \text{flattened}"),
        (r"$QK^\top$ · x", r"$K^\top Q$ · x"),
        (r"\frac{\text{scores}}{\sqrt{d_k}}", r"\frac{\text{scores}}{\sqrt{d_k}}"),
    ],
)  # fmt: skip
def test_with_tokens_as_columns_a_product_is_reversed(rows, columns):
    assert in_columns(rows) == columns


@for_all("key", PRODUCTS)
def test_the_formula_of_every_product_of_attention_is_known(key):
    written = sentence()[key].formula
    assert in_columns(written) != written
    assert sorted(in_columns(written)) == sorted(written)
