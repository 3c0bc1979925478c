import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Weights, cost, multi_head_attention
from core.errors import InputError
from core.experiments.jacobian import stretch
from core.experiments.recurrent import (
    RecurrentNet,
    attention_layer,
    bound,
    gated_share,
    jacobians,
    recurrent_layer,
    states,
)

N, D_MODEL, WIDTH = 7, 5, 3
RADIUS = 0.83


def words(seed: int = 1, n: int = N) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, D_MODEL))


def net(radius: float = RADIUS, seed: int = 11, has_tanh: bool = True) -> RecurrentNet:
    drawn = RecurrentNet.seeded(D_MODEL, WIDTH, radius, seed, has_tanh=has_tanh)
    b = np.random.default_rng(seed).normal(size=WIDTH) / 2
    return RecurrentNet(drawn.W_h, drawn.W_x, b, has_tanh)


def by_differences(given: RecurrentNet, X: np.ndarray, step: float = 1e-6) -> np.ndarray:
    found = np.zeros((len(X), len(X), len(given.b), X.shape[1]))
    for j in range(len(X)):
        for c in range(X.shape[1]):
            up, down = X.copy(), X.copy()
            up[j, c] += step
            down[j, c] -= step
            found[:, j, :, c] = (states(given, up) - states(given, down)) / (2 * step)
    return found


def test_states_equal_plain_loops():
    given, X = net(), words()
    h = [0.0] * WIDTH
    for t in range(N):
        inner = [
            sum(given.W_h[i, k] * h[k] for k in range(WIDTH))
            + sum(given.W_x[i, c] * X[t, c] for c in range(D_MODEL))
            + given.b[i]
            for i in range(WIDTH)
        ]
        h = [math.tanh(value) for value in inner]
        np.testing.assert_allclose(states(given, X)[t], h, atol=1e-14)


@for_all("has_tanh", [True, False])
@for_all("radius", [0.3, 1.0, 1.7])
def test_the_chain_rule_agrees_with_finite_differences(radius: float, has_tanh: bool):
    given, X = net(radius, has_tanh=has_tanh), words()
    exact = jacobians(given, X)
    size = np.abs(exact).max()
    np.testing.assert_allclose(exact, by_differences(given, X), atol=1e-6 * max(1, size))
    assert np.abs(exact[-1, 0]).max() > 0


def test_the_jacobian_is_zero_for_later_words_only():
    exact = jacobians(net(), words())
    for t in range(N):
        for j in range(N):
            assert exact[t, j].any() == (j <= t)


@for_all("seed", range(7))
@for_all("radius", [0.3, 0.9, 1.5])
def test_the_norm_of_the_jacobian_is_within_its_bound(seed: int, radius: float):
    given = net(radius, seed)
    found = stretch(jacobians(given, words(seed, 13)))
    for t in range(13):
        for j in range(t + 1):
            assert found[t, j] <= bound(given, t - j) * (1 + 1e-12)


@for_all("radius", [0.1, 0.9, 2.5])
def test_a_seeded_matrix_has_exactly_the_spectral_radius_asked_for(radius: float):
    given = RecurrentNet.seeded(D_MODEL, 17, radius, 3)
    assert np.abs(np.linalg.eigvals(given.W_h)).max() == pytest.approx(radius, rel=1e-12)
    assert not given.b.any()
    assert given.W_x.shape == (17, D_MODEL)
    other = RecurrentNet.seeded(D_MODEL, 17, radius, 4)
    assert not np.array_equal(given.W_x, other.W_x)


def test_gated_share_is_a_power_of_the_gate():
    assert gated_share(0.5, 3) == 0.125
    assert gated_share(1, 1000) == 1
    assert gated_share(0.99, 1000) == pytest.approx(4.3171e-5, rel=1e-4)


def test_invalid_networks_and_inputs_are_refused():
    with refuses("shape_mismatch"):
        states(net(), np.zeros((2, D_MODEL + 1)))
    with refuses("shape_mismatch"):
        RecurrentNet(np.zeros((2, 3)), np.zeros((2, 4)), np.zeros(2))
    with refuses("not_finite"):
        states(net(), np.full((2, D_MODEL), np.nan))
    with refuses("not_finite"):
        RecurrentNet(np.full((1, 1), np.inf), np.ones((1, 1)), np.zeros(1))
    for wrong in ({"width": 0}, {"spectral_radius": -0.1}, {"spectral_radius": math.inf}):
        sizes = {"d_model": 3, "width": 2, "spectral_radius": 1.0, "seed": 0} | wrong
        with refuses("out_of_range"):
            RecurrentNet.seeded(**sizes)
    RecurrentNet.seeded(1, 1, 1.0, 0)
    with refuses("out_of_range"):
        gated_share(1.01, 2)


def test_a_linear_network_that_overflows_is_refused():
    given = RecurrentNet(np.full((1, 1), 1e200), np.ones((1, 1)), np.zeros(1), has_tanh=False)
    with pytest.raises(InputError):
        jacobians(given, np.array([[0.0], [0.0], [0.0]]))


def test_path_length_and_sequential_operations_are_those_of_table_1():
    for n in (2, 13):
        recurrent, attention = recurrent_layer(n, 5, 3), attention_layer(n, 6, 2)
        assert (recurrent.path, recurrent.sequential) == (n, n)
        assert (attention.path, attention.sequential) == (1, 1)


def test_multiply_adds_of_layers_are_those_of_the_trace():
    n, d_model = 7, 6
    trace = multi_head_attention(np.ones((1, n, d_model)), Weights.seeded(d_model, 2, 1))
    matrix_products = sum(
        cost.stage_cost(trace[key]).multiply_adds
        for key in ("Q", "K", "V", "scores", "head_output", "output")
    )
    assert attention_layer(n, d_model, 2).multiply_adds == matrix_products
    # each of 7 words: a state of 3 from a state of 3 and a word of 6
    assert recurrent_layer(n, d_model, 3).multiply_adds == 7 * (9 + 18)
