import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Weights, multi_head_attention, ops
from core.experiments.softmax_variants import (
    OVER,
    largest_exponent,
    softmax_over,
    softmax_without_max,
)

QUERY, KEY = 5, 7
BEIJING = np.outer([2, 3, 5], [2, 3, 5]) / 8  # 我爱北京, divided by √64


def scores(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(QUERY, KEY))


def test_over_the_keys_every_row_shares_out_one_unit_and_columns_need_not():
    shares = softmax_over(scores(1), "key")
    assert np.array_equal(shares.weights, ops.softmax(scores(1)))
    assert shares.row_sums == pytest.approx(np.ones(QUERY))
    assert shares.whole.tolist() == [True] * QUERY
    assert shares.total == pytest.approx(QUERY)
    assert not np.isclose(shares.column_sums, 1).any()


def test_over_the_queries_it_is_the_columns_that_sum_to_one_and_rows_do_not():
    shares = softmax_over(scores(2), "query")
    for i, j in np.ndindex(QUERY, KEY):
        column = [math.exp(x) for x in scores(2)[:, j]]
        assert shares.weights[i, j] == pytest.approx(column[i] / math.fsum(column))
    assert shares.column_sums == pytest.approx(np.ones(KEY))
    assert shares.whole.tolist() == [False] * QUERY
    assert shares.total == pytest.approx(KEY)


def test_over_everything_all_cells_share_one_unit():
    shares = softmax_over(scores(3), "both")
    every = math.fsum(math.exp(x) for x in scores(3).ravel())
    for i, j in np.ndindex(QUERY, KEY):
        assert shares.weights[i, j] == pytest.approx(math.exp(scores(3)[i, j]) / every)
    assert shares.total == pytest.approx(1)
    assert shares.whole.tolist() == [False] * QUERY


def test_of_wo_ai_beijing_the_wrong_axis_gives_one_word_more_than_one_unit_and_one_less():
    shares = softmax_over(BEIJING, "query")
    columns = [[math.exp(a * b / 8) for a in (2, 3, 5)] for b in (2, 3, 5)]
    sums = [math.fsum(column[i] / math.fsum(column) for column in columns) for i in range(3)]
    assert shares.row_sums == pytest.approx(sums)
    assert shares.whole.tolist() == [False, False, False]
    assert sums[0] < 1 < sums[2]


@for_all("over", OVER)
def test_sums_are_those_of_the_weights(over):
    shares = softmax_over(scores(4), over)
    assert shares.row_sums == pytest.approx([math.fsum(row) for row in shares.weights])
    assert shares.column_sums == pytest.approx([math.fsum(row) for row in shares.weights.T])


def test_only_a_matrix_has_keys_and_queries():
    with refuses("shape_mismatch", expected="(query, key)"):
        softmax_over(np.zeros(3), "key")


def test_without_taking_the_maximum_off_small_scores_give_the_same_weights():
    row = scores(5)[0]
    steps = softmax_without_max(row)
    assert list(steps) == ["exponentials", "sum", "weights"]
    assert steps["exponentials"] == pytest.approx([math.exp(x) for x in row])
    assert steps["sum"] == pytest.approx(math.fsum(math.exp(x) for x in row))
    assert steps["weights"] == pytest.approx(ops.softmax(row))


def test_without_taking_the_maximum_off_scores_of_1000_overflow_and_leave_no_numbers():
    row = np.array([1000.0, 999.0, -1000.0])
    steps = softmax_without_max(row)
    assert steps["exponentials"].tolist() == [math.inf, math.inf, 0]
    assert steps["sum"] == math.inf
    assert np.isnan(steps["weights"]).tolist() == [True, True, False]
    assert ops.softmax(row) == pytest.approx(
        [1 / (1 + math.exp(-1)), math.exp(-1) / (1 + math.exp(-1)), 0]
    )


def test_without_taking_the_maximum_off_scores_of_minus_1000_vanish_and_leave_no_numbers():
    steps = softmax_without_max(np.array([-1000.0, -1001.0]))
    assert steps["exponentials"].tolist() == [0, 0]
    assert np.isnan(steps["weights"]).all()


@for_all(("bits", "kind"), [(16, np.float16), (32, np.float32), (64, np.float64)])
def test_an_exponential_overflows_from_the_largest_exponent_on(bits, kind):
    limit = largest_exponent(bits)
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(kind(limit * 0.999)))
        assert np.isinf(np.exp(kind(limit * 1.001)))


def test_the_largest_exponent_is_known_for_the_usual_precisions_alone():
    with refuses("out_of_range", allowed="16, 32 or 64"):
        largest_exponent(8)


@for_all("constant", [-1000.0, -10.0, 10.0, 1000.0])
def test_a_constant_added_to_every_score_of_a_row_changes_no_weight(constant):
    assert ops.softmax(scores(6) + constant) == pytest.approx(ops.softmax(scores(6)), abs=1e-12)
    each = np.linspace(-constant, constant, QUERY)[:, None]
    assert ops.softmax(scores(6) + each) == pytest.approx(ops.softmax(scores(6)), abs=1e-12)


def test_a_bias_on_K_adds_one_number_to_each_row_of_scores_and_changes_no_weight():
    d_model, heads, d_k = 6, 2, 3
    generator = np.random.default_rng(7)
    names = ("W_Q", "W_K", "W_V", "W_O")
    matrices = {name: generator.normal(size=(d_model, d_model)) for name in names}
    X, b_K = generator.normal(size=(1, QUERY, d_model)), generator.normal(size=d_model)
    plain = multi_head_attention(X, Weights(**matrices, heads=heads))
    biased = multi_head_attention(X, Weights(**matrices, heads=heads, b_K=b_K))
    added = biased["scores"].tensor - plain["scores"].tensor
    Q = plain["Q"].tensor
    for head, query, key in np.ndindex(heads, QUERY, QUERY):
        dot = math.fsum(Q[0, head, query] * b_K[head * d_k : (head + 1) * d_k])
        assert added[0, head, query, key] == pytest.approx(dot)
    assert np.abs(added).max() > 0.1
    assert biased["weights"].tensor == pytest.approx(plain["weights"].tensor, abs=1e-12)
