import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import ops
from core.experiments import measures

QUERY, KEY = 5, 7


def rows(seed: int, spread: float = 1.0) -> np.ndarray:
    return np.random.default_rng(seed).normal(scale=spread, size=(QUERY, KEY))


@for_all(
    ("weights", "bits"),
    [
        ([1, 0, 0], 0),
        ([0.5, 0.5], 1),
        ([0.5, 0.25, 0.25], 1.5),
        ([0.5, 0.25, 0.125, 0.125], 1.75),  # 1/2·1 + 1/4·2 + 2·(1/8·3)
        ([0.25] * 4, 2),
        ([0.5, 0.5, 0, 0], 1),
        ([1 / 3] * 3, math.log2(3)),
    ],
)
def test_entropy_by_hand(weights, bits):
    row = np.array(weights, dtype=float)
    assert measures.entropy(row) == pytest.approx(bits, abs=1e-15)
    assert measures.perplexity(row) == pytest.approx(2**bits)


def test_the_entropy_of_a_certain_row_is_0_without_a_sign():
    assert math.copysign(1, measures.entropy(np.array([0.0, 1.0]))) == 1


def test_the_ratio_of_two_weights_depends_on_their_scores_only():
    row = rows(8, 2.0)[0]
    weights = ops.softmax(row)
    for one, other in ((0, 1), (3, 6), (2, 2)):
        assert measures.ratio(row, one, other) == pytest.approx(weights[one] / weights[other])
        moved = np.append(row + 5, 9.0)  # a further key and another maximum
        assert measures.ratio(moved, one, other) == pytest.approx(weights[one] / weights[other])
    assert measures.ratio(np.array([1000.0, 0.0]), 0, 1) == math.inf


def test_the_jacobian_is_the_slope_of_softmax():
    scores, step = rows(4, 2.0), 1e-6
    found = measures.jacobian(ops.softmax(scores))
    assert found.shape == (QUERY, KEY, KEY)
    for j in range(KEY):
        moved = np.zeros(KEY)
        moved[j] = step
        slope = (ops.softmax(scores + moved) - ops.softmax(scores - moved)) / (2 * step)
        assert np.abs(found[:, :, j] - slope).max() < 1e-9


def test_the_size_of_the_jacobian_is_its_frobenius_norm():
    weights = ops.softmax(rows(6))
    by_hand = []
    for p in weights.tolist():
        squares = [(p[i] * (i == j) - p[i] * p[j]) ** 2 for i in range(KEY) for j in range(KEY)]
        by_hand.append(math.sqrt(math.fsum(squares)))
    assert measures.jacobian_size(weights) == pytest.approx(by_hand)


@for_all("measure", [measures.entropy, measures.perplexity, measures.jacobian])
def test_invalid_weights_are_refused(measure):
    with refuses("not_finite"):
        measure(np.array([0.5, np.nan]))
    with refuses("out_of_range", allowed="at least 0"):
        measure(np.array([1.5, -0.5]))
