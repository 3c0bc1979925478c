"""Dot products of random queries and keys, by d_k: why the scores are divided by √d_k.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2.1, footnote 4: where the entries of
q and k are independent with mean 0 and variance 1, their dot product has mean 0 and variance d_k.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from core import ops
from core.errors import OutOfRange
from core.experiments import measures

WIDTHS = tuple(2**power for power in range(11))  # 1, 2, 4, … 1024
PAIRS, KEYS = 2000, 16
HEADS = 8

Divisor = Literal["none", "sqrt_d_k", "d_k", "sqrt_d_model"]
DIVISORS: tuple[Divisor, ...] = get_args(Divisor)


@dataclass(frozen=True, eq=False)
class RandomScores:
    """Scores of random vectors of one width.

    pairs: (pair,), independent scores. rows: (query, key), with separate keys for each query.
    """

    d_k: int
    pairs: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True)
class RowMeasures:
    """Measures of softmax over rows of scores, each a mean over the rows.

    spread: of the divided scores. largest: the largest weight. entropy: in bits.
    jacobian_size: the Frobenius norm of softmax's Jacobian.
    """

    spread: float
    largest: float
    entropy: float
    jacobian_size: float


@lru_cache(maxsize=16)
def random_scores(seed: int) -> tuple[RandomScores, ...]:
    """The scores of the same random vectors at every width of ``WIDTHS``.

    2000 queries and 2000 keys of 1024 entries from N(0, 1); smaller widths use the first d_k of
    them. Cached by seed; read-only. Raises OutOfRange.
    """
    if seed < 0:
        raise OutOfRange("seed", seed, "at least 0")
    Q, K = np.random.default_rng(seed).standard_normal((2, PAIRS, WIDTHS[-1]))
    return tuple(_scores(Q[:, :d_k], K[:, :d_k]) for d_k in WIDTHS)


def _scores(Q: np.ndarray, K: np.ndarray) -> RandomScores:
    d_k = Q.shape[1]
    # (pair, 1, d_k) · (pair, d_k, 1) -> (pair, 1, 1)
    pairs = ops.dot_product_scores(Q[:, None], K[:, None]).ravel()
    # (query, 1, d_k) · (query, d_k, key) -> (query, 1, key)
    queries, keys = Q[: PAIRS // KEYS, None], K.reshape(PAIRS // KEYS, KEYS, d_k)
    rows = ops.dot_product_scores(queries, keys)[:, 0]
    for array in (pairs, rows):
        array.setflags(write=False)
    return RandomScores(d_k, pairs, rows)


def divisor(kind: Divisor, d_k: int, heads: int = HEADS) -> float:
    """The divisor of the scores, with d_model = h · d_k."""
    return {
        "none": 1.0,
        "sqrt_d_k": math.sqrt(d_k),
        "d_k": float(d_k),
        "sqrt_d_model": math.sqrt(heads * d_k),
    }[kind]


def spread(scores: np.ndarray) -> float:
    """The standard deviation of scores of mean 0: √(mean of squares)."""
    return float(np.sqrt(np.square(scores).mean()))


def spread_interval(d_k: int, pairs: int = PAIRS, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval (for z = 1.96) of the measured spread of independent pairs.

    √d_k · √(1 ± z · √((2 + 6/d_k) / pairs)): the sum of d_k products of two N(0, 1) has variance
    d_k and kurtosis 3 + 6/d_k, so the mean of its squares has mean d_k and variance
    d_k² · (2 + 6/d_k) / pairs, and is nearly normal for many pairs.
    """
    part = z * math.sqrt((2 + 6 / d_k) / pairs)
    return math.sqrt(d_k * max(0.0, 1 - part)), math.sqrt(d_k * (1 + part))


def normal_density(x: np.ndarray, spread: float) -> np.ndarray:
    """The normal curve of mean 0: e^(−x² / 2σ²) / (σ √(2π))."""
    return np.exp(-np.square(x / spread) / 2) / (spread * math.sqrt(2 * math.pi))


def weights_of(rows: np.ndarray, divided_by: float) -> np.ndarray:
    """softmax(rows / divisor), the weights of every row. (query, key) -> (query, key)."""
    return ops.softmax(ops.scale_scores(rows, 1 / divided_by))


def measured(scores: RandomScores, divided_by: float) -> RowMeasures:
    """The measures of the divided scores."""
    weights = weights_of(scores.rows, divided_by)
    return RowMeasures(
        spread=spread(scores.pairs) / divided_by,
        largest=float(weights.max(axis=-1).mean()),
        entropy=float(measures.entropy(weights).mean()),
        jacobian_size=float(measures.jacobian_size(weights).mean()),
    )
