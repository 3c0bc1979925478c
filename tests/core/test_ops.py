import math

import numpy as np
import pytest
from attention_inputs import KEY

from core import ops


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_softmax_is_stable_at_both_ends_of_its_precision(dtype):
    largest = np.finfo(dtype).max / 4
    for row in ([largest, 0, -largest], [largest, largest, 0], [-largest, -largest, -largest]):
        weights = ops.softmax(np.array([row], dtype=dtype))
        assert weights.dtype == dtype
        assert weights.sum() == pytest.approx(1)
        assert weights[0, 0] == pytest.approx(1 / row.count(row[0]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_steps_of_softmax_lead_to_its_weights(dtype):
    row = np.array([0.5, -np.inf, 3.25, -2.0, 3.25], dtype=dtype)
    steps = ops.softmax_steps(row)
    assert list(steps) == ["max", "shifted", "exponentials", "sum", "weights"]
    assert {value.dtype for value in steps.values()} == {np.dtype(dtype)}
    assert steps["max"] == 3.25
    assert steps["shifted"].tolist() == [-2.75, -math.inf, 0, -5.25, 0]
    assert steps["exponentials"] == pytest.approx(
        np.array([math.exp(-2.75), 0, 1, math.exp(-5.25), 1]), rel=1e-6
    )
    assert steps["sum"] == pytest.approx(2 + math.exp(-2.75) + math.exp(-5.25), rel=1e-6)
    assert np.array_equal(steps["weights"], ops.softmax(row))


def test_the_steps_of_softmax_of_a_masked_row_end_in_zeros():
    steps = ops.softmax_steps(np.full(KEY, -np.inf))
    assert steps["max"] == -np.inf
    assert steps["sum"] == 0
    assert steps["weights"].tolist() == [0] * KEY


def test_a_head_has_the_same_dropout_mask_alone_and_among_all_also_between_two_sequences():
    together = ops.dropout_mask((2, 3, 5, 7), 0.4, seed=6, heads=(0, 3), queries=(0, 5))
    for head in range(3):
        alone = ops.dropout_mask((2, 1, 5, 7), 0.4, seed=6, heads=(head, 3), queries=(0, 5))
        np.testing.assert_array_equal(alone[:, 0], together[:, head])


def test_a_row_whose_mean_square_overflows_becomes_nan_in_rms_norm_and_no_other():
    # (3e200)² is beyond float64; 3² and 4² have the mean 12.5
    normed = ops.rms_norm(np.array([[3e200, 4.0], [3.0, 4.0]]), 0.0)
    assert np.isnan(normed[0]).all()
    np.testing.assert_allclose(normed[1], [3 / 12.5**0.5, 4 / 12.5**0.5], rtol=1e-15)
