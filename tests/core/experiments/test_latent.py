"""Latent attention against the attention that it replaces, and against plain sums."""

import numpy as np
import pytest
from claims import for_all

from core import AttentionOptions, Weights, explain, multi_head_attention
from core.experiments.cache_size import CONTEXT
from core.experiments.latent import (
    DEEPSEEK_V2,
    Factors,
    absorbed_scores,
    latent_attention,
    narrowed,
)
from core.rotary import Rotary
from core.sources import text

D_MODEL, HEADS, KV_HEADS, D_K, D_V = 11, 6, 2, 4, 3
WHOLE = KV_HEADS * (D_K + D_V)
OPTIONS = AttentionOptions(causal=True, rotary=Rotary(D_K))


def numbers(*shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


def weights(**biases):
    return Weights(
        numbers(D_MODEL, HEADS * D_K, seed=1),
        numbers(D_MODEL, KV_HEADS * D_K, seed=2),
        numbers(D_MODEL, KV_HEADS * D_V, seed=3),
        numbers(HEADS * D_V, D_MODEL, seed=4),
        heads=HEADS,
        kv_heads=KV_HEADS,
        **biases,
    )


def source():
    return text.embed((("a", "b", "a", "c", "d"),), D_MODEL, seed=3)


def attended(d_c):
    layer = weights()
    latent = Factors.of(layer).latent(d_c, KV_HEADS * D_K)
    return latent_attention(source(), layer, OPTIONS, latent), latent


def test_latents_of_full_rank_change_nothing():
    whole = min(D_MODEL, WHOLE)
    made, latent = attended(whole)
    plain = multi_head_attention(source(), weights(), OPTIONS)
    assert latent.explained == pytest.approx(1)
    for key in ("K", "V", "weights", "output"):
        np.testing.assert_allclose(made[key].tensor, plain[key].tensor, atol=1e-12, err_msg=key)


@for_all("d_c", [1, 3, 7])
def test_shorter_latents_give_the_attention_of_the_narrowed_weights(d_c):
    made, latent = attended(d_c)
    assert made["latent"].tensor.shape == (1, 5, d_c)
    plain = multi_head_attention(source(), narrowed(weights(), latent), OPTIONS)
    for key in ("K", "V", "weights", "output"):
        np.testing.assert_allclose(made[key].tensor, plain[key].tensor, atol=1e-12, err_msg=key)


def test_no_other_product_of_that_rank_is_nearer():
    """Against the eigenvectors of A Aᵀ, which do not come from the same decomposition."""
    layer = weights()
    A = np.concatenate([layer.W_K, layer.W_V], axis=1)
    values, vectors = np.linalg.eigh(A @ A.T)
    for d_c in (1, 4, 9):
        latent = Factors.of(layer).latent(d_c, KV_HEADS * D_K)
        made = latent.W_DKV @ np.concatenate([latent.W_UK, latent.W_UV], axis=1)
        best = vectors[:, -d_c:] @ vectors[:, -d_c:].T @ A
        np.testing.assert_allclose(made, best, atol=1e-10)
        assert latent.explained == pytest.approx(values[-d_c:].sum() / values.sum())


@for_all(("key", "index"), [("latent", (0, 3, 1)), ("K", (0, 1, 3, 2)), ("V", (0, 0, 4, 1))])
def test_a_latent_a_key_and_a_value_open_down_to_their_sums(key, index):
    made, _ = attended(3)
    cell = explain(made, key, index)
    assert cell.made_by.value == pytest.approx(cell.value, rel=1e-12)
    operands = [part.address.stage for part in cell.made_by.parts[0].parts]
    expected = ["X", "W_DKV"] if key == "latent" else ["latent", f"W_U{key}"]
    assert operands == expected
    assert len(cell.made_by.parts) == (D_MODEL if key == "latent" else 3)


def test_the_matrix_up_moves_to_the_query_unless_positions_rotate_the_keys():
    made, latent = attended(3)
    Q, K, c = (made[key].tensor[0] for key in ("Q", "K", "latent"))
    scores = absorbed_scores(Q, c, latent.W_UK)
    for head, i, j in np.ndindex(scores.shape):
        expected = sum(Q[head, i] * K[head // (HEADS // KV_HEADS), j])
        assert scores[head, i, j] == pytest.approx(expected)
    rotated = absorbed_scores(made["Q_rotated"].tensor[0], c, latent.W_UK)
    assert np.abs(rotated - made["scores"].tensor[0]).max() > 0.1


def test_a_bias_is_refused():
    with pytest.raises(ValueError, match="bias"):
        Factors.of(weights(b_K=np.ones(KV_HEADS * D_K)))


def test_the_cache_of_deepseek_v2():
    """The paper's section 2.1.4: as much as grouped-query attention with 2.25 groups."""
    assert DEEPSEEK_V2.numbers == 576 == 2.25 * 2 * 128
    assert DEEPSEEK_V2.cache_bytes(CONTEXT) == 576 * 60 * 131_072 * 2
    assert DEEPSEEK_V2.multiply_adds_absorbed == 512 + 64 + 512
