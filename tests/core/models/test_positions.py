"""The shipped decoder with other positions, against attention that is computed here."""

import numpy as np
import pytest

from core import ops
from core.masks import alibi_slopes
from core.models import checkpoint
from core.models.altered import MOVED, with_positions
from core.models.installed import shipped
from core.sources.position import sinusoids

TEXT = "The cat sat on the mat because it was warm"


@pytest.fixture(scope="module")
def attention():
    return checkpoint.open(shipped()["decoder"], "decoder", "trained").attention(TEXT, 3)


def scaled(attention, X):
    weights = attention.weights
    Q = ops.split_heads(X @ weights.W_Q, weights.heads)
    K = ops.split_heads(X @ weights.W_K, weights.kv_heads)
    return ops.dot_product_scores(Q, K) / np.sqrt(weights.d_k)


def test_a_sentence_that_is_moved_keeps_its_weights(attention):
    plain, moved = attention.trace(), with_positions(attention, "moved").trace()
    np.testing.assert_allclose(moved["weights"].tensor, plain["weights"].tensor, atol=1e-5)
    assert np.abs(moved["K_rotated"].tensor - plain["K_rotated"].tensor).max() > 1
    n = plain["X"].size("token")
    assert moved["position_ids"].tensor.tolist() == list(range(MOVED, MOVED + n))


def test_other_positions_are_those_of_their_papers(attention):
    X = attention.source["X"].tensor
    n, width = X.shape[1:]
    none, added, alibi = (
        with_positions(attention, kind).trace() for kind in ("none", "sinusoids", "alibi")
    )
    np.testing.assert_allclose(none["scaled"].tensor, scaled(attention, X), atol=1e-4)
    placed = scaled(attention, X + sinusoids(n, width))
    np.testing.assert_allclose(added["scaled"].tensor, placed, atol=1e-4)
    for head, slope in enumerate(alibi_slopes(4)):
        for query, key in ((5, 5), (5, 2), (9, 0)):
            expected = scaled(attention, X)[0, head, query, key] - slope * (query - key)
            assert alibi["masked"].tensor[0, head, query, key] == pytest.approx(expected, abs=1e-4)
