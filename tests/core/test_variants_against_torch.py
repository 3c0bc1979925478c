"""Shared heads, windows, ALiBi and soft caps as PyTorch computes them, where it is installed."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.nn.attention.flex_attention import create_block_mask, flex_attention  # noqa: E402
from torch.nn.functional import scaled_dot_product_attention as in_torch  # noqa: E402

from core import masks, scaled_dot_product_attention  # noqa: E402
from core.options import AttentionOptions  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:flex_attention called without")
BATCH, HEADS, KV_HEADS, N, D_K = 2, 4, 2, 9, 8
CLOSE = {"rtol": 1e-10, "atol": 1e-12}


def projected():
    draw = np.random.default_rng(1).normal
    return [draw(size=(BATCH, heads, N, D_K)) for heads in (HEADS, KV_HEADS, KV_HEADS)]


def output(**options):
    return scaled_dot_product_attention(*projected(), AttentionOptions(**options))[
        "head_output"
    ].tensor


def flexible(change=None, seen=None):
    mask = None if seen is None else create_block_mask(seen, None, None, N, N, device="cpu")
    tensors = [torch.from_numpy(array) for array in projected()]
    return flex_attention(*tensors, score_mod=change, block_mask=mask, enable_gqa=True).numpy()


@pytest.mark.parametrize("causal", [False, True])
def test_shared_heads(causal):
    tensors = [torch.from_numpy(array) for array in projected()]
    expected = in_torch(*tensors, is_causal=causal, enable_gqa=True).numpy()
    np.testing.assert_allclose(output(causal=causal), expected, **CLOSE)


def test_a_window():
    def seen(batch, head, query, key):
        return (query - key <= 3) & (key - query <= 1)

    np.testing.assert_allclose(output(window=(3, 1)), flexible(seen=seen), **CLOSE)


def test_alibi():
    slopes = torch.from_numpy(masks.alibi_slopes(HEADS))

    def change(score, batch, head, query, key):
        return score - slopes[head] * (query - key).abs()

    np.testing.assert_allclose(output(alibi=slopes.numpy()), flexible(change), **CLOSE)


def test_a_soft_cap():
    def change(score, batch, head, query, key):
        return 0.5 * torch.tanh(score / 0.5)

    np.testing.assert_allclose(output(soft_cap=0.5), flexible(change), **CLOSE)
