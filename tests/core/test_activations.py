import math

import numpy as np
import pytest

from core import activations

X = np.array([[-3.0, -0.5, 0.0], [0.5, 1.0, 30.0]])


def test_relu_lets_nothing_below_zero_pass():
    assert activations.relu(X).tolist() == [[0.0, 0.0, 0.0], [0.5, 1.0, 30.0]]


def test_gelu_is_each_number_times_the_share_of_a_bell_curve_below_it():
    steps = np.linspace(-12, 1, 2_000_001)
    density = np.exp(-(steps**2) / 2) / math.sqrt(2 * math.pi)
    below_one = np.trapezoid(density, steps)  # Φ(1), by adding up the curve
    assert activations.gelu(X)[1, 1] == pytest.approx(1.0 * below_one, abs=1e-9)
    assert activations.gelu(X)[0, 2] == 0
    assert activations.gelu(X)[1, 2] == 30


def test_gelu_of_x_and_of_minus_x_differ_by_x():
    assert activations.gelu(X) - activations.gelu(-X) == pytest.approx(X, abs=1e-12)


def test_single_precision_stays_single():
    assert activations.gelu(X.astype(np.float32)).dtype == np.float32


def test_equal_ratios_become_equal_steps_in_the_logarithm():
    assert np.diff(activations.log(np.array([0.1, 1.0, 10.0]))) == pytest.approx(math.log(10))


@pytest.mark.parametrize("name", activations.FUNCTIONS)
def test_one_number_and_many_numbers_get_the_same(name):
    numbers = np.array([0.25, 0.7, 1.9])
    of_many = getattr(activations, name)(numbers)
    of_one = [activations.FUNCTIONS[name](number) for number in numbers.tolist()]
    assert of_many == pytest.approx(of_one, abs=1e-15)
