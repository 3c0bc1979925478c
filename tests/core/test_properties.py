"""Properties of attention for random inputs."""

import numpy as np
from attention_inputs import biased_weights, numbers
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import multi_head_attention, scaled_dot_product_attention
from core.options import AttentionOptions

BATCH, HEADS, D_K, D_V = 2, 3, 5, 7
counts = st.integers(1, 4)
seeds = st.integers(0, 2**32 - 1)
close = {"rtol": 1e-9, "atol": 1e-10}


def values(*shape):
    """Ordinary numbers, ties and zeros among them."""
    return arrays(
        np.float64, shape, elements=st.floats(-9, 9, allow_subnormal=False), fill=st.nothing()
    )


@st.composite
def projections(draw):
    """Q, K and V of any number of queries and keys."""
    query, key = draw(counts), draw(counts)
    return (
        draw(values(BATCH, HEADS, query, D_K)),
        draw(values(BATCH, HEADS, key, D_K)),
        draw(values(BATCH, HEADS, key, D_V)),
    )


@st.composite
def masked_projections(draw):
    """Q, K, V and a mask that may hide whole rows."""
    Q, K, V = draw(projections())
    shape = (BATCH, HEADS, Q.shape[2], K.shape[2])
    return Q, K, V, draw(arrays(bool, shape))


@given(masked_projections(), st.booleans(), st.floats(0.01, 100))
def test_rows_of_weights_sum_to_1_or_are_fully_masked_and_sum_to_0(QKV, causal, temperature):
    Q, K, V, allowed = QKV
    trace = scaled_dot_product_attention(
        Q, K, V, AttentionOptions(allowed=allowed, causal=causal, temperature=temperature)
    )
    visible = allowed & np.tri(*allowed.shape[2:], dtype=bool) if causal else allowed
    weights = trace["weights"].tensor
    np.testing.assert_allclose(weights.sum(axis=-1), visible.any(axis=-1), rtol=1e-12)
    assert (weights >= 0).all()
    assert not weights[~visible].any()


@given(projections(), st.data())
def test_removing_a_masked_key_changes_nothing(QKV, data):
    Q, K, V = QKV
    visible = data.draw(arrays(bool, K.shape[2]).filter(np.any))
    trace = scaled_dot_product_attention(Q, K, V, AttentionOptions(allowed=visible))
    without = scaled_dot_product_attention(Q, K[:, :, visible], V[:, :, visible])
    np.testing.assert_allclose(trace["head_output"].tensor, without["head_output"].tensor, **close)


@given(st.lists(counts, min_size=1, max_size=4), st.booleans(), seeds)
def test_a_sample_of_a_padded_batch_equals_that_sample_run_alone(lengths, causal, seed):
    longest = max(lengths)
    X = numbers(len(lengths), longest, 17, seed=seed)
    key_mask = np.array([[i < n for i in range(longest)] for n in lengths])
    batch = multi_head_attention(
        X, biased_weights(), AttentionOptions(key_mask=key_mask, causal=causal, residual=True)
    )
    for i, n in enumerate(lengths):
        alone = multi_head_attention(
            X[i : i + 1, :n], biased_weights(), AttentionOptions(causal=causal, residual=True)
        )
        np.testing.assert_allclose(
            batch["weights"].tensor[i, :, :n, :n], alone["weights"].tensor[0], **close
        )
        assert not batch["weights"].tensor[i, :, :, n:].any()
        for key in ("output", "normalised"):
            np.testing.assert_allclose(
                batch[key].tensor[i, :n], alone[key].tensor[0], rtol=1e-7, atol=1e-8
            )
