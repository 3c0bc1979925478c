"""Sinusoidal positions against the paper's formula in plain loops."""

import math

import numpy as np
import pytest
from claims import for_all

from core.sources.position import sinusoids


@for_all(("n", "d_model"), [(7, 12), (5, 11), (3, 1), (1, 2), (211, 64)])
def test_every_number_is_the_sine_or_cosine_of_its_position_and_column(n, d_model):
    position = sinusoids(n, d_model)
    assert position.shape == (n, d_model)
    assert position.dtype == np.float64
    for p in range(n):
        for i in range(d_model // 2 + d_model % 2):
            angle = p / math.pow(10000, 2 * i / d_model)
            assert position[p, 2 * i] == pytest.approx(math.sin(angle), rel=1e-12, abs=1e-12)
            if 2 * i + 1 < d_model:
                expected = pytest.approx(math.cos(angle), rel=1e-12, abs=1e-12)
                assert position[p, 2 * i + 1] == expected


def test_the_first_position_is_all_sines_and_cosines_of_0():
    assert sinusoids(2, 5)[0].tolist() == [0, 1, 0, 1, 0]


def test_the_first_frequency_is_one_radian_per_position_and_the_third_a_hundredth():
    # d_model = 8: 10000^(4/8) = 100.
    expected = [0.8414709848078965, 0.5403023058681398, 0.009999833334166664, 0.9999500004166653]
    assert sinusoids(2, 8)[1, [0, 1, 4, 5]].tolist() == pytest.approx(expected, rel=1e-14)


def test_a_longer_sentence_does_not_change_the_positions_of_the_first_tokens():
    np.testing.assert_array_equal(sinusoids(13, 6)[:5], sinusoids(5, 6))
