"""Scores by distance against complex numbers: a pair is one, and a position turns it."""

import math

import numpy as np
import pytest

from core.experiments.cache_size import CONTEXT, LLAMA_8B
from core.experiments.rotary_positions import (
    SCALINGS,
    added_scores,
    alibi_multiply_adds,
    alibi_scores,
    rotary_scores,
    rotation_multiply_adds,
    sharpened,
    slower,
    spread_by_distance,
    table_parameters,
    turns,
)
from core.rotary import Rotary

N, D_K, D_MODEL = 7, 6, 5
RANDOM = np.random.default_rng(3)
Q, K = RANDOM.normal(size=(2, D_K))


def complex_pairs(vector):
    return vector[: D_K // 2] + 1j * vector[D_K // 2 :]


def test_rotary_scores_are_products_of_rotated_complex_numbers():
    rotary = Rotary(D_K, 50.0)
    found = rotary_scores(Q, K, rotary, N)
    for m in range(N):
        for n in range(N):
            turned = np.exp(1j * (m - n) * 50.0 ** (-2 * np.arange(3) / D_K))
            product = complex_pairs(Q) * turned * complex_pairs(K).conj()
            assert found[m, n] == pytest.approx(product.real.sum() / np.sqrt(D_K))
    assert spread_by_distance(found) < 1e-14


def test_scores_with_added_positions_depend_on_more_than_distance():
    x_q, x_k = RANDOM.normal(size=(2, D_MODEL))
    W_Q, W_K = RANDOM.normal(size=(2, D_MODEL, D_K))
    position = RANDOM.normal(size=(N, D_MODEL))
    found = added_scores(x_q, x_k, position, W_Q, W_K)
    for m, n in ((0, 0), (4, 2), (6, 6)):
        q, k = (x_q + position[m]) @ W_Q, (x_k + position[n]) @ W_K
        assert found[m, n] == pytest.approx(sum(q * k) / np.sqrt(D_K))
    assert spread_by_distance(found) > 1


def test_alibi_subtracts_slope_times_distance():
    found = alibi_scores(Q, K, 0.25, N)
    alike = sum(Q * K) / np.sqrt(D_K)
    expected = [[alike - 0.25 * abs(m - n) for n in range(N)] for m in range(N)]
    np.testing.assert_allclose(found, expected)


def test_only_keys_that_are_not_later_are_compared():
    scores = np.zeros((3, 3))
    scores[0, 1] = 9
    assert spread_by_distance(scores) == 0
    scores[2, 1] = -4
    assert spread_by_distance(scores) == 4


def test_costs_of_positions_in_a_large_model():
    assert table_parameters(LLAMA_8B, CONTEXT) == 131_072 * 4096
    assert rotation_multiply_adds(LLAMA_8B) == 32 * (32 + 8) * 128 * 2
    assert alibi_multiply_adds(LLAMA_8B, CONTEXT) == 32 * 32 * 131_072


def test_pairs_are_slowed_down_by_their_turns_within_the_trained_length():
    # Pair i of 64 turns 8192 · 500 000^(−i / 64) / 2π times; between the bounds, θ is mixed.
    made = [8192 * 500_000 ** (-i / 64) / (2 * math.pi) for i in range(64)]
    np.testing.assert_allclose(turns(), made)
    for name, low, high in (("llama_3", 1, 4), ("yarn", 1, 32)):
        found = slower(SCALINGS[name])
        for turn, times in zip(made, found, strict=True):
            kept = min(max((turn - low) / (high - low), 0), 1)
            assert 1 / times == pytest.approx(kept + (1 - kept) / 8), (name, turn)
        assert found[0] == 1 and found[-1] == pytest.approx(8)
    assert set(slower(SCALINGS["linear"])) == {8}
    assert sharpened(8) == pytest.approx((0.1 * math.log(8) + 1) ** 2) and sharpened(1) == 1
