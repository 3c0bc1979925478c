import numpy as np
import pytest
from claims import for_all
from hypothesis import given
from hypothesis import strategies as some

from core import Weights, multi_head_attention
from core.experiments.order import as_given, inverse, reordered, restore_order, shuffled
from core.options import AttentionOptions
from core.sources.position import sinusoids

D_MODEL, HEADS, D_K, D_V = 11, 3, 5, 7
ROUNDING = 1e-15  # of numbers of the size of one


def sequences():
    """Any vectors for 2 to 13 tokens, and an order of them that is not the given one."""
    return some.integers(2, 13).flatmap(
        lambda n: some.tuples(
            some.integers(0, 10**6),
            some.permutations(range(n)).filter(lambda order: order != sorted(order)),
        )
    )


def attended(X, **options):
    """Attention over one sample of vectors, with matrices that keep every number near one."""
    weights = Weights.seeded(D_MODEL, HEADS, 19, D_K, D_V)
    trace = multi_head_attention(X[None], weights, AttentionOptions(**options))
    return trace["output"].tensor[0], trace["weights"].tensor[0]


def vectors(seed, n):
    return np.random.default_rng(seed).uniform(-1, 1, (n, D_MODEL))


@given(sequences())
def test_self_attention_is_equivariant_without_position_and_causal_mask_only(case):
    seed, order = case
    n = len(order)
    X, position, P = vectors(seed, n), sinusoids(n, D_MODEL), np.eye(n)[order]
    output, weights = attended(X)
    moved, moved_weights = attended(P @ X)
    np.testing.assert_allclose(moved, P @ output, rtol=0, atol=ROUNDING)
    assert restore_order(output, moved, order).largest <= ROUNDING
    for one, other in zip(weights, moved_weights, strict=True):
        np.testing.assert_allclose(other, P @ one @ P.T, rtol=0, atol=ROUNDING)
        assert restore_order(one, other, order, axes=(0, 1)).largest <= ROUNDING
    for added, causal in ((position, False), (0, True)):
        output, _ = attended(X + added, causal=causal)
        moved, _ = attended(P @ X + added, causal=causal)
        assert restore_order(output, moved, order).largest > 1e-6


def test_reordered_and_inverse_by_hand():
    A = np.array([[11, 12, 13], [21, 22, 23], [31, 32, 33]])
    assert reordered(A[:, :1], (2, 0, 1)).tolist() == [[31], [11], [21]]
    moved = reordered(A, (2, 0, 1), axes=(0, 1))
    assert moved.tolist() == [[33, 31, 32], [13, 11, 12], [23, 21, 22]]
    assert inverse((4, 2, 0, 1, 3)) == (2, 3, 1, 4, 0)
    np.testing.assert_array_equal(reordered(moved, inverse((2, 0, 1)), axes=(0, 1)), A)


def test_the_restored_result_is_compared_row_by_row():
    before, after = np.array([[1.0, 1], [5, 5], [9, 9]]), np.array([[9.0, 9], [4, 5], [5, 9]])
    found = restore_order(before, after, (2, 0, 1))
    assert found.after.tolist() == [[4, 5], [5, 9], [9, 9]]
    assert found.difference.tolist() == [[3, 4], [0, 4], [0, 0]]
    assert found.by_row.tolist() == [5, 4, 0]
    assert found.largest == 4
    assert restore_order(np.array([[5.0, 0]]), np.array([[1.0, 2]]), (0,)).largest == 4


@for_all("seed", range(23))
def test_a_shuffle_is_a_permutation_other_than_the_identity_and_deterministic(seed):
    for n in (2, 3, 13):
        found = shuffled(n, seed)
        assert sorted(found) == list(range(n))
        assert found != as_given(n)
        assert found == shuffled(n, seed)
    assert shuffled(1, seed) == (0,)
    assert len({shuffled(7, other) for other in range(11)}) > 7


@for_all("order", [(0, 1), (0, 0, 2), (1, 2, 3), (0, 1, 2, 3), (-1, 0, 1)])
def test_an_order_that_is_no_permutation_is_refused(order):
    with pytest.raises(ValueError, match="is not a permutation of 3 positions"):
        reordered(np.zeros((3, 5)), order)
