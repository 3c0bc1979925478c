"""Sinusoidal positions against the paper's formula in plain loops."""

import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core.sources.position import by_distance, deviation, dot_products, sinusoids


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


SIZES = [(7, 2), (13, 4), (29, 10), (211, 64), (5, 512)]


@for_all(("n", "d_model"), SIZES)
def test_the_dot_product_is_the_sum_of_the_cosines_of_all_frequencies(n, d_model):
    products = dot_products(sinusoids(n, d_model))
    for p in range(0, n, 3):
        for q in range(0, n, 5):
            by_hand = math.fsum(
                math.cos((p - q) / math.pow(10000, 2 * i / d_model)) for i in range(d_model // 2)
            )
            assert products[p, q] == pytest.approx(by_hand, abs=1e-12 * d_model)
            found = by_distance(np.array([p - q]), d_model)
            assert found[0] == pytest.approx(by_hand, abs=1e-12 * d_model)


def test_the_deviation_is_rounding_for_sinusoids_and_what_is_off_for_others():
    position = sinusoids(31, 6)
    assert deviation(position) < 1e-13
    position[3] = 0  # |PE|² = 3 becomes 0
    assert deviation(position) == pytest.approx(3, abs=1e-12)


@for_all("d_model", [0, 1, 7])
def test_a_sine_without_its_cosine_is_refused(d_model):
    with refuses("out_of_range"):
        by_distance(np.arange(3), d_model)
