import numpy as np
import pytest
from claims import for_all

from core import Weights, multi_head_attention
from core.experiments.norm_order import by_order, seeded_feed_forward
from core.options import AttentionOptions

N, D_MODEL = 5, 6
WEIGHTS = Weights.seeded(D_MODEL, 2, 7)


@for_all("dropout", [0.0, 0.3])
def test_the_norm_stands_behind_the_sum_or_before_the_sublayer(dropout):
    X = np.random.default_rng(1).normal(size=(1, N, D_MODEL))
    options = AttentionOptions(dropout=dropout, seed=3, residual=True)
    found = by_order(multi_head_attention(X, WEIGHTS, options), WEIGHTS, options)

    def sublayer(x):
        again = AttentionOptions(dropout=dropout, seed=3)
        return multi_head_attention(x[None], WEIGHTS, again)["output"].tensor[0]

    def layer_norm(x):
        return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)

    x = X[0]
    rms = x / np.sqrt(np.square(x).mean(1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(found["post"], layer_norm(x + sublayer(x)), atol=1e-12)
    np.testing.assert_allclose(found["pre"], x + sublayer(layer_norm(x)), atol=1e-12)
    np.testing.assert_allclose(found["rms"], x + sublayer(rms), atol=1e-12)
    assert np.abs(found["post"].mean(axis=1)).max() < 1e-12
    assert np.abs(found["pre"].mean(axis=1)).max() > 0.05


def test_the_feed_forward_layer_is_four_times_as_wide_and_treats_each_token_alone():
    layer = seeded_feed_forward(D_MODEL, 7)
    assert layer.W_1.shape == (D_MODEL, 4 * D_MODEL) and layer.W_2.shape == (4 * D_MODEL, D_MODEL)
    X = np.random.default_rng(2).normal(size=(1, N, D_MODEL))
    stages = [multi_head_attention(x, WEIGHTS)["X"] for x in (X, X[:, 2:3])]
    whole, alone = ({s.key: s.tensor for s in layer.stages(stage)} for stage in stages)
    by_hand = np.maximum(X[0] @ layer.W_1, 0) @ layer.W_2
    np.testing.assert_allclose(whole["output"][0], by_hand, atol=1e-12)
    assert alone["output"][0, 0] == pytest.approx(whole["output"][0, 2])
