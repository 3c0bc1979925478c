"""The scaled score in half precision: whether the product is stored before or after scaling.

q · k / √d_k is the same in any order for real numbers; in float16, which ends at 65,504, a product
that is stored before it is scaled may be ∞ where the scaled score is not. The order q / √d_k first
is that of "CogView" (Ding et al., 2021), section 2.4.
"""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core import ops
from core.options import PRECISIONS

Order = Literal["after", "query", "both"]
ORDERS: tuple[Order, ...] = get_args(Order)
STORED = (*PRECISIONS, "float32")


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
