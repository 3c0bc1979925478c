"""Dot products of random queries and keys, by d_k: why the scores are divided by √d_k, and when.

"Attention Is All You Need" (Vaswani et al., 2017), section 3.2.1, footnote 4: where the entries of
q and k are independent with mean 0 and variance 1, their dot product has mean 0 and variance d_k.

q · k / √d_k is the same in any order for real numbers; in float16, which ends at 65,504, a product
that is stored before it is scaled may be ∞ where the scaled score is not. The order q / √d_k first
is that of "CogView" (Ding et al., 2021), section 2.4.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from core import ops
from core.errors import out_of_range
from core.experiments import measures
from core.options import PRECISIONS

WIDTHS = tuple(2**power for power in range(13))  # 1, 2, 4, … 4096
PAIRS, KEYS = 2000, 8
DRAWN = 200  # queries and keys at a time
HEADS = 8
SATURATED = 0.99

Divisor = Literal["none", "sqrt_d_k", "d_k", "sqrt_d_model"]
Order = Literal["after", "query", "both"]
ORDERS: tuple[Order, ...] = get_args(Order)
STORED = (*PRECISIONS, "float32")


@dataclass(frozen=True, eq=False)
class RandomScores:
    """Scores of random vectors of one width.

    pairs: (pair,), independent scores. rows: (query, key), each with 8 of the keys.
    """

    d_k: int
    pairs: np.ndarray
    rows: np.ndarray


@dataclass(frozen=True)
class RowMeasures:
    """Measures of softmax over rows of scores, means over the rows unless noted.

    spread: of the divided scores. largest: the largest weight. saturated: the share of rows whose
    largest weight is above 0.99. entropy: in bits. gradient, gradient_median: of ``gradients``.
    """

    spread: float
    largest: float
    saturated: float
    entropy: float
    gradient: float
    gradient_median: float


@lru_cache(maxsize=4)
def random_scores(seed: int) -> tuple[RandomScores, ...]:
    """The scores of the same random vectors at every width of ``WIDTHS``.

    2000 queries and 2000 keys of 4096 entries from N(0, 1); smaller widths use the first d_k of
    them. Row i has the scores of query i with key i and the seven before it among the 200 that are
    drawn together. Cached by seed; read-only. Raises out_of_range.
    """
    if seed < 0:
        raise out_of_range("seed", seed, "at least 0")
    random = np.random.default_rng(seed)
    scores = np.concatenate(
        [_scores(*random.standard_normal((2, DRAWN, WIDTHS[-1]))) for _ in range(PAIRS // DRAWN)],
        axis=1,
    )
    scores.setflags(write=False)
    return tuple(
        RandomScores(d_k, rows[:, 0], rows) for d_k, rows in zip(WIDTHS, scores, strict=True)
    )


def _scores(Q: np.ndarray, K: np.ndarray) -> np.ndarray:
    """The scores of each query with 8 keys at every width: (width, query, key)."""
    added = [0, *WIDTHS[:-1]]  # where the entries that the previous width lacks begin
    by_key = [
        np.add.reduceat(Q * np.roll(K, shift, axis=0), added, axis=1).cumsum(axis=1)
        for shift in range(KEYS)
    ]  # (query, width) each
    return np.stack(by_key).transpose(2, 1, 0)


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


def gradients(weights: np.ndarray, divided_by: float) -> np.ndarray:
    """‖∂ weights / ∂ scores‖ of every row, where weights = softmax(scores / divisor).

    By the chain rule J / divisor, J the Jacobian of softmax: its Frobenius norm over the divisor.
    (query, key) -> (query,).
    """
    return measures.jacobian_size(weights) / divided_by


def typical_row(scores: RandomScores) -> np.ndarray:
    """The row of undivided scores whose gradient is the median (the lower of two): (key,)."""
    found = gradients(weights_of(scores.rows, 1.0), 1.0)
    row: np.ndarray = scores.rows[found.argsort(kind="stable")[(len(found) - 1) // 2]]
    return row


def slope(row: np.ndarray, divided_by: float) -> tuple[float, float]:
    """The largest weight w of a row, and ∂w / ∂ its score = w (1 − w) / divisor. row: (key,)."""
    weights = weights_of(row, divided_by)
    largest = weights.argmax()
    moved = measures.jacobian(weights)[largest, largest] / divided_by
    return float(weights[largest]), float(moved)


def measured(scores: RandomScores, divided_by: float) -> RowMeasures:
    """The measures of the divided scores."""
    weights = weights_of(scores.rows, divided_by)
    largest, found = weights.max(axis=-1), gradients(weights, divided_by)
    return RowMeasures(
        spread=spread(scores.pairs) / divided_by,
        largest=float(largest.mean()),
        saturated=float((largest > SATURATED).mean()),
        entropy=float(measures.entropy(weights).mean()),
        gradient=float(found.mean()),
        gradient_median=float(np.median(found)),
    )


@dataclass(frozen=True)
class StoredScore:
    """product: q · k as it is stored; scaled: the score that softmax gets. ∞ beyond the largest."""

    product: float
    scaled: float


def stored_score(q: np.ndarray, k: np.ndarray, order: Order, precision: str) -> StoredScore:
    """The scaled score of a query and a key, every result rounded to ``precision``.

    after: (q · k) / √d_k. query: (q / √d_k) · k. both: (q / ⁴√d_k) · (k / ⁴√d_k).
    q, k: (d_k,). Products are added up in float32, as matrix units do, and stored rounded.
    """
    root = np.float32(np.sqrt(len(q)))
    half_root = np.sqrt(root)
    by_q, by_k, by_product = {
        "after": (np.float32(1), np.float32(1), root),
        "query": (root, np.float32(1), np.float32(1)),
        "both": (half_root, half_root, np.float32(1)),
    }[order]
    q, k = (_stored(x.astype(np.float32) / by, precision) for x, by in ((q, by_q), (k, by_k)))
    product = _stored(q @ k, precision)
    return StoredScore(float(product), float(_stored(product / by_product, precision)))


def _stored(array: np.ndarray, precision: str) -> np.ndarray:
    return array if precision == "float32" else ops.round_to(np.asarray(array), precision)
