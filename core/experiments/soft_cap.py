"""Limits on a row of scores: soft cap, QK norm, a sink, a temperature; weights and gradients.

"Gemma 2" (Gemma Team, 2024), section 2; "Query-Key Normalization for Transformers" (Henry et al.,
2020); "Scaling Vision Transformers to 22 Billion Parameters" (Dehghani et al., 2023), section 2;
"gpt-oss-120b & gpt-oss-20b Model Card" (OpenAI, 2025), section 2.2.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from core import ops
from core.experiments import measures
from core.experiments.cache_size import DecoderSizes
from core.experiments.sliding_window import pairs
from core.options import AttentionOptions
from core.weights import Weights


@dataclass(frozen=True)
class ScoreLimits:
    """What keeps scores or weights from growing without bound.

    factor: by which all queries are longer than trained, so that scores grow. soft_cap: c of
    c · tanh(x / c). qk_norm: RMSNorm of every query and key, with γ = 1. sink: a logit beside those
    of the keys, of every head. temperature: divisor of the scaled scores.
    """

    factor: float = 1.0
    soft_cap: float | None = None
    qk_norm: bool = False
    sink: float | None = None
    temperature: float = 1.0

    @property
    def without_limits(self) -> "ScoreLimits":
        """The same factor, and nothing that limits scores or weights."""
        return ScoreLimits(self.factor)

    def apply(
        self, weights: Weights, options: AttentionOptions
    ) -> tuple[Weights, AttentionOptions]:
        """The weights and the options of an attention with these limits."""
        dtype = weights.W_Q.dtype
        changed = weights if self.factor == 1 else _longer(weights, self.factor)
        if self.qk_norm:
            ones = np.ones(weights.d_k, dtype)
            changed = replace(changed, gamma_Q=ones, gamma_K=ones)
        if self.soft_cap is None and self.sink is None and self.temperature == 1:
            return changed, options
        sinks = None if self.sink is None else np.full(weights.heads, self.sink, dtype)
        return changed, replace(
            options, soft_cap=self.soft_cap, sinks=sinks, temperature=self.temperature
        )


def _longer(weights: Weights, factor: float) -> Weights:
    times = weights.W_Q.dtype.type(factor)
    b_Q = None if weights.b_Q is None else weights.b_Q * times
    return replace(weights, W_Q=weights.W_Q * times, b_Q=b_Q)


@dataclass(frozen=True, eq=False)
class Row:
    """One query's row with limits.

    scaled: (key,), the scores before the cap. logits: (key,), after it. weights: (key,).
    sink_weight: what the sink takes. largest: the largest weight of a key. entropy: in bits, of the
    weights, that of the sink among them. softmax_gradient: the Frobenius norm of softmax's
    Jacobian, ∂ weights / ∂ logits. gradient: that of ∂ weights / ∂ score, through the cap and the
    temperature, which divides the scores: softmax's Jacobian · slope of the cap / T.
    """

    scaled: np.ndarray
    logits: np.ndarray
    weights: np.ndarray
    sink_weight: float
    largest: float
    entropy: float
    softmax_gradient: float
    gradient: float


def limited_row(scaled: np.ndarray, normed: np.ndarray, limits: ScoreLimits) -> Row:
    """Scores, weights and gradients of a row with limits.

    scaled: (key,), the scaled scores of the row as trained. normed: (key,), those with QK norm.
    """
    before = (normed if limits.qk_norm else limits.factor * scaled) / limits.temperature
    cap = limits.soft_cap
    logits = before if cap is None else ops.soft_cap(before, cap)
    every = logits if limits.sink is None else np.append(logits, limits.sink)
    shares = ops.softmax(every)
    weights = shares[: len(logits)]
    jacobian = measures.jacobian(shares)[: len(logits), : len(logits)]
    slope = soft_cap_slope(before, cap)
    return Row(
        scaled=before,
        logits=logits,
        weights=weights,
        sink_weight=0.0 if limits.sink is None else float(shares[-1]),
        largest=float(weights.max()),
        entropy=float(measures.entropy(shares)),
        softmax_gradient=float(np.linalg.norm(jacobian)),
        gradient=float(np.linalg.norm(jacobian * slope)) / limits.temperature,
    )


def soft_cap_slope(scaled: np.ndarray, cap: float | None) -> np.ndarray:
    """The derivative of the soft cap: 1 − tanh²(x / c), 1 without a cap. (key,) -> (key,)."""
    if cap is None:
        return np.ones_like(scaled)
    return 1 - np.square(np.tanh(scaled / cap))


def normed_bound(d_k: int) -> float:
    """The largest scaled score with QK norm and γ = 1: √d_k · √d_k / √d_k (Cauchy–Schwarz)."""
    return math.sqrt(d_k)


@dataclass(frozen=True)
class Extra:
    """What a limit adds to a decoder: parameters, and calls of its function to read a text."""

    parameters: int
    calls: int


def extras(sizes: DecoderSizes, tokens: int) -> dict[str, Extra]:
    """The cost of each limit: a tanh for each pair, a norm for each query and key, a logit a row.

    A temperature is multiplied into the scale.
    """
    rows = sizes.layers * sizes.heads * tokens
    normed = sizes.layers * (sizes.heads + sizes.kv_heads) * tokens
    return {
        "soft_cap": Extra(0, sizes.layers * sizes.heads * pairs(tokens, tokens)),
        "qk_norm": Extra(2 * sizes.layers * sizes.d_k, normed),
        "sink": Extra(sizes.layers * sizes.heads, rows),
        "temperature": Extra(0, 0),
    }
