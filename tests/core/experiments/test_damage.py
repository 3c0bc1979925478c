import numpy as np
import pytest

from core import ops
from core.experiments.damage import (
    farthest_sum,
    largest_masked_weight,
    mean_largest_weight,
    origin,
    relative_error,
)
from core.experiments.mistakes import MISTAKES


def test_the_relative_error_is_0_for_the_same_and_1_for_zeros():
    right = np.array([[3.0, 4.0]])
    assert relative_error(right, right) == 0
    assert relative_error(right, np.zeros((1, 2))) == 1
    assert relative_error(right, np.array([[3.0, 4.5]])) == pytest.approx(0.1)
    assert relative_error(np.zeros((1, 2)), np.zeros((1, 2))) == 0


def test_the_farthest_sum_may_lie_on_either_side_of_1():
    assert farthest_sum(np.array([[0.5, 0.5], [0.2, 0.1], [1.0, 0.2]])) == (1, pytest.approx(0.3))
    assert farthest_sum(np.array([[0.9, 0.0], [1.0, 0.7]])) == (1, pytest.approx(1.7))


def test_only_forbidden_keys_count_as_forbidden():
    weights = np.array([[0.5, 0.2, 0.3], [0.1, 0.5, 0.4], [0.9, 0.05, 0.05]])
    allowed = np.tri(3, dtype=bool)
    assert largest_masked_weight(weights, allowed) == (1, 2, 0.4)
    assert largest_masked_weight(weights, np.ones((3, 3), bool))[2] == 0


def test_the_first_row_has_no_choice_and_does_not_count_as_sharp():
    assert mean_largest_weight(
        np.array([[1.0, 0, 0], [0.7, 0.3, 0], [0.2, 0.5, 0.3]])
    ) == pytest.approx(0.6)
    assert mean_largest_weight(np.array([[1.0]])) == 1


def test_where_the_numbers_of_a_head_come_from_is_found_by_splitting():
    n, heads, d_k = 5, 3, 7
    own = [(4, column) for column in range(14, 21)]
    assert origin(ops.split_heads, n, heads, d_k, head=2, row=4) == own
    mixed = origin(MISTAKES["reshape"].wrong, n, heads, d_k, head=1, row=0)
    assert mixed == [divmod(5 * 7 + k, 21) for k in range(7)]
    assert mixed[0][0] == 1
