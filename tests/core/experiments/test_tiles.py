"""Attention in tiles equals attention; and its traffic, counted pass by pass."""

import math

import numpy as np
import pytest
from claims import for_all
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.attention import scaled_dot_product_attention
from core.backward import backward
from core.experiments.tiles import (
    Tile,
    blocks,
    flash_2_traffic,
    flash_traffic,
    merged,
    passes,
    plain_traffic,
    split,
    tiled_attention,
    tiled_gradients,
)
from core.options import AttentionOptions

D_K, D_V = 5, 7
sizes = st.integers(1, 9)


def values(*shape, most=9.0):
    return arrays(
        np.float64, shape, elements=st.floats(-most, most, allow_subnormal=False), fill=st.nothing()
    )


def plainly(Q, K, V, causal=False):
    """softmax(Q Kᵀ / √d_k) V, one number at a time, without subtracting a maximum."""
    output = np.zeros((len(Q), V.shape[1]))
    for i in range(len(Q)):
        keys = [j for j in range(len(K)) if j <= i or not causal]
        e = {j: math.exp(math.fsum(Q[i] * K[j]) / math.sqrt(Q.shape[1])) for j in keys}
        total = math.fsum(e.values())
        for c in range(V.shape[1]):
            output[i, c] = math.fsum(e[j] / total * V[j, c] for j in keys)
    return output


@given(
    st.tuples(sizes, sizes).flatmap(
        lambda n: st.tuples(values(n[0], D_K), values(n[1], D_K), values(n[1], D_V))
    ),
    sizes,
    sizes,
)
def test_online_softmax_equals_softmax_whatever_the_tiles(QKV, rows, columns):
    Q, K, V = QKV
    tiled = tiled_attention(Q, K, V, rows, columns)
    np.testing.assert_allclose(tiled, plainly(Q, K, V), rtol=1e-9, atol=1e-10)
    if len(Q) == len(K):
        tiled = tiled_attention(Q, K, V, rows, columns, causal=True)
        np.testing.assert_allclose(tiled, plainly(Q, K, V, causal=True), rtol=1e-9, atol=1e-10)


def worked() -> list[Tile]:
    """Scores 1, 3 | 2 | with values 10, 20 | 30: a larger score comes within the first tile."""
    Q, K, V = np.array([[1.0]]), np.array([[1.0], [3.0], [2.0]]), np.array([[10.0], [20.0], [30.0]])
    return passes(Q, K, V, slice(0, 1), 1)


def test_the_running_values_are_those_of_a_hand_calculation():
    first, second, third = worked()
    assert (first.m, first.l, first.O) == (1, 1, 10)
    assert first.m_before == -np.inf
    # A larger score: what was summed is multiplied by e^(1 − 3).
    correction = math.exp(-2)
    assert second.m == 3
    assert second.factor == pytest.approx(correction)
    assert second.l == pytest.approx(correction + 1)
    assert second.O[0] == pytest.approx(10 * correction + 20)
    # A smaller one: nothing is corrected.
    assert (third.m, third.factor) == (3, 1)
    assert third.added == pytest.approx(math.exp(-1))
    assert third.l == pytest.approx(correction + 1 + math.exp(-1))
    expected = (10 * correction + 20 + 30 * math.exp(-1)) / (correction + 1 + math.exp(-1))
    assert third.output[0] == pytest.approx(expected)
    for before, after in ((first, second), (second, third)):
        for name in "mlO":
            assert getattr(after, f"{name}_before") == getattr(before, name)


def test_tiles_of_the_future_are_never_computed():
    Q = K = V = np.random.default_rng(1).normal(size=(7, 3))
    for own in blocks(7, 2):
        tiles = passes(Q, K, V, own, 3, causal=True)
        assert [tile.keys.start for tile in tiles] == [s for s in (0, 3, 6) if s < own.stop]
        for tile in tiles:
            hidden = np.arange(own.start, own.stop)[:, None] < np.arange(7)[tile.keys]
            assert (np.isneginf(tile.scores) == hidden).all()


def counted_flash(n, d, on_chip):
    """Algorithm 1 of FlashAttention, its loads and stores counted one array at a time."""
    columns = math.ceil(on_chip / (4 * d))
    rows = min(columns, d)
    reads, writes = 0, n * d + n + n  # line 2: O, l and m are set
    for first_key in range(0, n, columns):
        keys = min(columns, n - first_key)
        reads += 2 * keys * d  # line 6: K and V
        for first_query in range(0, n, rows):
            queries = min(rows, n - first_query)
            reads += 2 * queries * d + 2 * queries  # line 8: Q, O, l, m
            writes += queries * d + 2 * queries  # lines 12 and 13
    return reads, writes


@for_all("n", [1, 11, 100, 257])
@for_all("d", [4, 16])
@for_all("on_chip", [64, 200, 5000])
def test_flash_traffic_equals_counted_loads_and_stores(n, d, on_chip):
    found = flash_traffic(n, d, on_chip)
    assert (found.reads, found.writes) == counted_flash(n, d, on_chip)
    assert found.stored == 2 * n


@for_all("n", [1, 11, 257])
@for_all("rows", [1, 4, 128])
def test_flash_attention_2_reads_keys_and_values_for_each_block_of_queries(n, rows):
    d, reads = 16, 0
    for own in blocks(n, rows):
        reads += (own.stop - own.start) * d + 2 * n * d
    found = flash_2_traffic(n, d, rows)
    assert (found.reads, found.writes, found.stored) == (reads, n * d + n, n)


def test_plain_attention_writes_and_reads_two_tables():
    n, d = 11, 48
    found = plain_traffic(n, d)
    Q = K = V = output = n * d
    scores = weights = n * n
    assert found.reads == Q + K + scores + weights + V
    assert found.writes == scores + weights + output
    assert found.stored == scores + weights
    assert found.total == found.reads + found.writes


@for_all("causal", [False, True])
def test_gradients_of_weights_computed_again_are_those_of_the_chain_rule(causal):
    random = np.random.default_rng(4)
    n = 7
    Q, K = random.normal(size=(2, n, D_K))
    V, dO = random.normal(size=(2, n, D_V))
    plain = scaled_dot_product_attention(
        *(part[None, None] for part in (Q, K, V)), AttentionOptions(causal=causal)
    )
    expected = backward(plain, {"head_output": dO[None, None]})
    for rows, columns in ((1, 1), (2, 3), (7, 7), (4, 5)):
        made = tiled_gradients(Q, K, V, dO, rows, columns, causal=causal)
        for key, gradient in zip("QKV", made, strict=True):
            np.testing.assert_allclose(
                gradient, expected[f"grad/{key}"].tensor[0, 0], rtol=1e-9, atol=1e-12
            )


@for_all("parts", [1, 2, 3, 4, 9])
def test_keys_in_parts_that_know_nothing_of_one_another_give_attention(parts):
    random = np.random.default_rng(5)
    q, K, V = random.normal(size=D_K), random.normal(size=(9, D_K)), random.normal(size=(9, D_V))
    for scale in (1, 40):  # shares of one size, and of all sizes, to 1e-40
        found = split(q * scale, K, V, parts)
        shares, output = merged(found)
        np.testing.assert_allclose(output, plainly(q[None] * scale, K, V)[0], rtol=1e-9)
        assert shares.sum() == pytest.approx(1) and len(found) == len(shares)
        assert all((part.m_before == -np.inf).all() for part in found)
