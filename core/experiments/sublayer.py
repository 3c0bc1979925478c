"""Parts of a sublayer beside attention: dropout, norms, feed-forward, and statistics of rows.

Post-norm is that of "Attention Is All You Need" (Vaswani et al., 2017), section 3.1; pre-norm that
of GPT-2; "On Layer Normalization in the Transformer Architecture" (Xiong et al., 2020) compares
them. RMSNorm: Zhang & Sennrich, 2019. Dropout: Srivastava et al., "Dropout: A Simple Way to Prevent
Neural Networks from Overfitting" (2014); here on the attention weights as implementations apply it,
while section 5.4 of the paper names only the outputs of sublayers and the embeddings.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from core import ops, steps
from core.around import LAYER_NORM_EPSILON
from core.attention import multi_head_attention
from core.errors import out_of_range
from core.layers import FeedForward
from core.options import AttentionOptions
from core.trace import Stage, Trace
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


@dataclass(frozen=True, eq=False)
class ManyDraws:
    """The mean of the dropped weights over many draws.

    mean: of the shape of the weights. farthest: the largest deviation of a mean from its weight.
    expected: four standard errors of that mean.
    """

    draws: int
    mean: np.ndarray
    farthest: float
    expected: float


def over_draws(weights: Stage, dropout: float, seed: int, draws: int) -> ManyDraws:
    """The mean of the weights after dropout with seed, seed + 1, …

    A weight w becomes w / (1 − p) with probability 1 − p and else 0: its mean is w and its standard
    deviation w √(p / (1 − p)), that of a mean of N draws √N times less.
    Raises out_of_range for a dropout outside 0 ≤ p < 1, and for draws < 1.
    """
    if not 0 <= dropout < 1:
        raise out_of_range("dropout", dropout, "at least 0 and below 1")
    if draws < 1:
        raise out_of_range("draws", draws, "at least 1")
    tensor = weights.tensor
    total = np.zeros_like(tensor)
    for draw in range(seed, seed + draws):
        total += steps.dropped(weights, dropout, draw)[1].tensor
    mean = total / draws
    distance = np.abs(mean - tensor)
    allowed = 4 * tensor * math.sqrt(dropout / (1 - dropout) / draws)
    worst = np.unravel_index(distance.argmax(), distance.shape)
    return ManyDraws(draws, mean, float(distance[worst]), float(allowed[worst]))
