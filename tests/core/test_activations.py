import math

import numpy as np
import pytest
from claims import for_all

from core import activations

X = np.array([[-3.0, -0.5, 0.0], [0.5, 1.0, 30.0]])


def test_relu_is_0_below_0():
    assert activations.relu(X).tolist() == [[0.0, 0.0, 0.0], [0.5, 1.0, 30.0]]


def test_the_relative_error_of_gelu_in_float32_is_at_most_4e_7():
    size = np.geomspace(1e-30, 17, 50_000, dtype=np.float32)
    x = np.concatenate([-size, size])
    exact = [number * math.erfc(-number / math.sqrt(2)) / 2 for number in x.tolist()]
    apart = np.abs(activations.gelu(x) - exact) / np.abs(x)
    assert 2.5e-7 < apart.max() <= 4e-7, "the bound is no larger than it has to be"


def test_gelu_in_double_precision_is_exact():
    x = np.linspace(-5, 5, 331)
    exact = [number * math.erfc(-number / math.sqrt(2)) / 2 for number in x.tolist()]
    assert activations.gelu(x) == pytest.approx(exact, rel=1e-15, abs=2e-16)


def test_the_gelu_of_gpt2_is_within_a_thousandth_of_gelu_and_not_the_same():
    x = np.linspace(-7, 7, 1_501)
    apart = np.abs(activations.gelu_tanh(x) - activations.gelu(x)).max()
    assert 1e-4 < apart < 1e-3


def test_silu_is_x_times_the_logistic_function():
    expected = [[x / (1 + math.exp(-x)) for x in row] for row in X.tolist()]
    assert activations.silu(X) == pytest.approx(np.array(expected), abs=1e-15)


@for_all("name", ["gelu", "gelu_tanh", "quick_gelu", "silu"])
def test_large_numbers_become_those_of_relu(name):
    large = np.array([2.0**100, -(2.0**100)])
    assert getattr(activations, name)(large.astype(np.float32)).tolist() == [2.0**100, 0]
    assert [activations.FUNCTIONS[name](x) for x in large.tolist()] == [2.0**100, 0]


@for_all("name", ["gelu", "gelu_tanh", "silu"])
def test_float32_stays_float32(name):
    assert getattr(activations, name)(X.astype(np.float32)).dtype == np.float32


def test_log_of_powers_of_ten():
    assert np.diff(activations.log(np.array([0.1, 1.0, 10.0]))) == pytest.approx(math.log(10))


@for_all("name", activations.FUNCTIONS)
def test_scalar_and_array_functions_agree(name):
    numbers = np.array([0.25, 0.7, 1.9])
    of_many = getattr(activations, name)(numbers)
    of_one = [activations.FUNCTIONS[name](number) for number in numbers.tolist()]
    assert of_many == pytest.approx(of_one, abs=1e-15)
