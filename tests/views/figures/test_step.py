import math

import numpy as np
import pytest
from claims import for_all
from shown_traces import (
    D_V,
    LINES,
    PATCH,
    STAGES,
    TRACES,
    crossed,
    middle,
    picture,
    sentence,
)

from core import Weights, multi_head_attention
from core.rules import Given
from views.figures.formula import in_columns
from views.figures.step import step_of

PRODUCTS = {
    "Q": ("X", "W_Q", "b_Q"),
    "K": ("X", "W_K", "b_K"),
    "V": ("X", "W_V", "b_V"),
    "scores": ("Q", "K", None),
    "head_output": ("dropped", "V", None),
    "output": ("concat", "W_O", "b_O"),
}
BESIDE = {
    "embedding": ["E"], "X": ["embedding", "position"], "scaled": ["scores"],
    "masked": ["scaled", "bias", "key_mask", "causal", "allowed"], "weights": ["masked"],
    "dropped": ["weights", "keep"], "concat": ["head_output"] * 3, "residual": ["X", "output"],
    "normalised": ["residual"],
}  # fmt: skip
AT = {"batch": 0, "head": 2, "token": 3, "query": 3, "key": 5, "d_k": 1, "d_v": 8}
AT |= {"d_model": 4, "concat": 16}


def at(trace, key):
    return {role: AT.get(role, 0) % trace[key].size(role) for role in trace[key].roles}


def expected_value(trace, key, plane, i, j):
    """A cell of an element-wise operand of ``key`` by plain indexing, in sample 0, head 2."""
    index = {"batch": 0, "head": 2, "query": i, "token": i, "key": j, "d_model": j}
    stage = trace[plane]
    return stage.tensor[tuple(index[role] for role in stage.roles)]


@for_all("key", PRODUCTS)
@for_all("trace", [sentence(), crossed()])
def test_row_i_of_the_left_factor_and_column_j_of_the_right_meet_in_cell_i_j(trace, key):
    step = step_of(trace, key, at(trace, key))
    (left, right), result = step.operands, step.result
    *factors, bias = PRODUCTS[key]
    assert step.layout == "product"
    assert [plane.transposed for plane in step.operands] == [False, key == "scores"]
    shown = [trace[key].computed_from[0], factors[1], key] if key in "KV" else [*factors, key]
    assert [plane.stage for plane in (left, right, result)] == shown
    bias = trace[bias].tensor if bias else None
    assert left.columns == right.rows
    assert left.rows == result.rows
    assert right.columns == result.columns
    for i, j in np.ndindex(result.values.shape):
        total = math.fsum(
            left.values[i, k] * right.values[k, j] for k in range(left.values.shape[1])
        )
        if bias is not None:
            total += bias[2, j] if bias.ndim == 2 else bias[j]
        assert result.values[i, j] == pytest.approx(total, abs=1e-12)


@for_all("key", BESIDE)
def test_a_step_that_is_no_product_is_beside_its_operands(key):
    trace = sentence()
    step = step_of(trace, key, at(trace, key))
    assert step.layout == "beside"
    assert [plane.stage for plane in step.operands] == BESIDE[key]
    assert step.result.stage == key


@for_all("key", ["X", "scaled", "masked", "weights", "dropped", "residual"])
def test_operands_are_aligned_with_the_result_cell_by_cell(key):
    trace = sentence()
    step = step_of(trace, key, at(trace, key))
    for plane in (*step.operands, step.result):
        assert plane.values.shape == step.result.values.shape
        for i, j in np.ndindex(plane.values.shape):
            assert plane.values[i, j] == expected_value(trace, key, plane.stage, i, j)


@for_all("key", BESIDE)
def test_each_operand_is_marked_where_the_chosen_cell_reads_it(key):
    trace = sentence()
    step = step_of(trace, key, at(trace, key))
    row, column = (AT[side.role] for side in (step.result.rows, step.result.columns))
    assert (step.result.row, step.result.column) == (row, column)
    expected = (row, column)
    if key in ("weights", "normalised"):
        expected = (row, None)
    if key == "embedding":
        expected = (LINES[0].index("我"), column)
    if key == "concat":
        nowhere = (None, None)
        assert marks(step) == [nowhere, (row, column - D_V), nowhere]
    else:
        assert set(marks(step)) == {expected}


def marks(step):
    return [(plane.row, plane.column) for plane in step.operands]


def test_a_column_of_concat_is_read_from_its_head():
    trace = sentence()
    for column, head in ((0, 0), (12, 0), (13, 1), (38, 2)):
        sources = step_of(trace, "concat", at(trace, "concat") | {"concat": column}).operands
        for i, source in enumerate(sources):
            assert source.head == i
            np.testing.assert_array_equal(source.values, trace["head_output"].tensor[0, i])
            assert (source.row, source.column) == ((3, column % D_V) if i == head else (None, None))


def test_of_large_heads_only_the_one_that_is_read_is_drawn():
    X = np.random.default_rng(0).normal(size=(1, 100, 64))
    trace = multi_head_attention(X, Weights.seeded(64, 4, 1))
    (source,) = step_of(trace, "concat", {"batch": 0, "query": 7, "concat": 20}).operands
    np.testing.assert_array_equal(source.values, trace["head_output"].tensor[0, 1])


def test_a_patch_is_read_from_its_corner_of_the_image():
    cell = {"batch": 1, "patch": 7, "row": 1, "column": 0, "channel": 2}
    (source,) = step_of(picture(), "patches", cell).operands
    np.testing.assert_array_equal(source.values, picture()["image"].tensor[1, :, :, 2])
    assert (source.row, source.column) == (1 * PATCH + 1, 2 * PATCH)


@for_all(
    ("token", "marks_of_cls", "marks_of_embedding"),
    [(0, (0, 4), (None, None)), (1, (None, None), (0, 4)), (9, (None, None), (8, 4))],
)
def test_a_sequence_is_cls_and_then_the_patches_and_one_of_them_is_marked(
    token, marks_of_cls, marks_of_embedding
):
    step = step_of(picture(), "sequence", {"batch": 1, "token": token, "d_model": 4})
    cls, embedding = step.operands
    assert (cls.stage, embedding.stage) == ("cls", "embedding")
    np.testing.assert_array_equal(cls.values, picture()["cls"].tensor[None])
    np.testing.assert_array_equal(embedding.values, picture()["embedding"].tensor[1])
    assert embedding.column == marks_of_embedding[1]
    assert marks(step) == [marks_of_cls, marks_of_embedding]


@for_all(("name", "key"), [(n, k) for n, k in STAGES if isinstance(TRACES[n]()[k].rule, Given)])
def test_an_input_has_no_operands(name, key):
    trace = TRACES[name]()
    step = step_of(trace, key, middle(trace, key))
    assert (step.layout, step.operands) == ("alone", ())
    assert step.result.stage == key


@for_all("key", ["masked", "dropped", "scaled", "X", "residual"])
def test_an_operand_without_names_stands_beside_those_of_the_result(key):
    trace = sentence()
    step = step_of(trace, key, at(trace, key))
    for plane in step.operands:
        assert (plane.rows.role, plane.columns.role) == (
            step.result.rows.role, step.result.columns.role
        )  # fmt: skip
        assert plane.rows.names == step.result.rows.names == LINES[0]
        assert plane.columns.names == step.result.columns.names


# With tokens as columns: the same numbers, every matrix transposed, and A B drawn as Bᵀ Aᵀ.


def both(trace, key):
    return (step_of(trace, key, at(trace, key), convention) for convention in ("rows", "columns"))


@for_all(("name", "key"), STAGES)
def test_with_tokens_as_columns_every_plane_is_transposed(name, key):
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
