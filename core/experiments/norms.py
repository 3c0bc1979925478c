"""Post-norm, pre-norm and RMSNorm around attention, a feed-forward layer, and statistics of rows.

Post-norm is that of "Attention Is All You Need" (Vaswani et al., 2017), section 3.1; pre-norm that
of GPT-2; "On Layer Normalization in the Transformer Architecture" (Xiong et al., 2020) compares
them. RMSNorm: Zhang & Sennrich, 2019.
"""

from dataclasses import replace

import numpy as np

from core import ops
from core.around import LAYER_NORM_EPSILON
from core.attention import multi_head_attention
from core.layers import FeedForward
from core.options import AttentionOptions
from core.trace import Trace
from core.weights import Weights

WIDER = 4  # d_ff / d_model, as in the paper


def by_order(trace: Trace, weights: Weights, options: AttentionOptions) -> dict[str, np.ndarray]:
    """A sublayer of attention with three kinds of norms: (token, d_model) each, of sample 0.

    post: LayerNorm(X + attention(X)). pre: X + attention(LayerNorm(X)). rms: X + attention(
    RMSNorm(X)), as in Llama.
    trace: of ``multi_head_attention`` of these weights and options, with ``residual``.
    """
    X = trace["X"].tensor
    inside = {
        "pre": ops.layer_norm(X, LAYER_NORM_EPSILON),
        "rms": ops.rms_norm(X, LAYER_NORM_EPSILON),
    }
    plain = replace(options, residual=False)
    added = {
        name: ops.add(X, multi_head_attention(x, weights, plain)["output"].tensor)[0]
        for name, x in inside.items()
    }
    return {"post": trace["normalised"].tensor[0], **added}


def seeded_feed_forward(d_model: int, seed: int) -> FeedForward:
    """A feed-forward layer of seeded random numbers, four times as wide inside (section 3.3)."""
    random, d_ff = np.random.default_rng(seed), WIDER * d_model
    W_1 = random.standard_normal((d_model, d_ff)) / np.sqrt(d_model)
    W_2 = random.standard_normal((d_ff, d_model)) / np.sqrt(d_ff)
    return FeedForward(W_1, np.zeros(d_ff), W_2, np.zeros(d_model))


def mean_and_deviation(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Each row's mean and standard deviation √(Σ (x − mean)² / d). (…, d) -> twice (…)."""
    return rows.mean(axis=-1), rows.std(axis=-1)


def cosine(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The cosine similarity of rows: a · b / (‖a‖ ‖b‖). (…, d) twice -> (…).

    NaN if one of them is all zeros.
    """
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    return (one * other).sum(axis=-1) / np.where(lengths > 0, lengths, np.nan)


def moved(rows: np.ndarray, factor: float, shift: float) -> np.ndarray:
    """rows · factor + shift, which LayerNorm undoes."""
    return rows * factor + shift
