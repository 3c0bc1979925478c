import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import ops
from core.experiments.softmax_variants import (
    OVER,
    largest_exponent,
    softmax_over,
    softmax_without_max,
)

QUERY, KEY = 5, 7


def scores(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(QUERY, KEY))


GROUPS = {  # the cells that share one unit of weight with cell (i, j)
    "key": lambda i, j: (i, slice(None)),
    "query": lambda i, j: (slice(None), j),
    "both": lambda i, j: (slice(None), slice(None)),
}


@for_all("over", OVER)
def test_softmax_normalises_over_the_chosen_axis(over):
    found, x = softmax_over(scores(4), over), scores(4)
    for i, j in np.ndindex(QUERY, KEY):
        total = math.fsum(math.exp(score) for score in np.ravel(x[GROUPS[over](i, j)]))
        assert found.weights[i, j] == pytest.approx(math.exp(x[i, j]) / total)
    assert found.row_sums == pytest.approx([math.fsum(row) for row in found.weights])
    assert found.column_sums == pytest.approx([math.fsum(row) for row in found.weights.T])
    assert found.total == pytest.approx({"key": QUERY, "query": KEY, "both": 1}[over])
    assert found.whole.tolist() == [over == "key"] * QUERY


def test_only_a_matrix_has_keys_and_queries():
    with refuses("shape_mismatch", expected="(query, key)"):
        softmax_over(np.zeros(3), "key")


def test_softmax_without_max_overflows_at_1000_and_underflows_at_minus_1000():
    row = np.array([1000.0, 999.0, -1000.0])
    steps = softmax_without_max(row)
    assert steps["exponentials"].tolist() == [math.inf, math.inf, 0]
    assert steps["sum"] == math.inf
    assert np.isnan(steps["weights"]).tolist() == [True, True, False]
    assert ops.softmax(row) == pytest.approx(
        [1 / (1 + math.exp(-1)), math.exp(-1) / (1 + math.exp(-1)), 0]
    )
    steps = softmax_without_max(np.array([-1000.0, -1001.0]))
    assert steps["exponentials"].tolist() == [0, 0]
    assert np.isnan(steps["weights"]).all()


@for_all(("bits", "kind"), [(16, np.float16), (32, np.float32), (64, np.float64)])
def test_an_exponential_overflows_from_the_largest_exponent_on(bits, kind):
    limit = largest_exponent(bits)
    with np.errstate(over="ignore"):
        assert np.isfinite(np.exp(kind(limit * 0.999)))
        assert np.isinf(np.exp(kind(limit * 1.001)))


def test_an_unknown_precision_is_refused():
    with refuses("out_of_range", allowed="16, 32 or 64"):
        largest_exponent(8)
