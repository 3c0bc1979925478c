"""Word alignments read from the weights of cross-attention.

These only say where the weights are large, not which word translates which.
"""

from dataclasses import dataclass

import numpy as np

from core.trace import Trace

HALF = 0.5


@dataclass(frozen=True)
class HardAlignment:
    """The argmax of each row of one head's weights.

    keys: index of the source word with the largest weight, for each target word. weights: that
    weight. decided: rows whose largest weight is above ½. reached: the keys of these rows.
    """

    keys: tuple[int, ...]
    weights: tuple[float, ...]

    @property
    def decided(self) -> tuple[int, ...]:
        """The rows, from 0, whose largest weight is above ½."""
        return tuple(row for row, weight in enumerate(self.weights) if weight > HALF)

    @property
    def reached(self) -> frozenset[int]:
        """The source words with a weight above ½ in some row."""
        return frozenset(self.keys[row] for row in self.decided)

    @property
    def is_clear(self) -> bool:
        """Whether most rows are decided, and not all of several rows for the same word."""
        rows = len(self.keys)
        return 2 * len(self.decided) > rows and len(self.reached) >= min(rows, 2)


def hard_alignment(weights: np.ndarray) -> HardAlignment:
    """The argmax and maximum of each row; the first of equal ones.

    weights: (query, key).
    """
    best = weights.argmax(axis=-1)
    largest = np.take_along_axis(weights, best[:, None], axis=-1)[:, 0]
    return HardAlignment(tuple(best.tolist()), tuple(largest.tolist()))


def cross_weights(trace: Trace) -> np.ndarray:
    """The cross-attention weights of all layers of a translation, first sample.

    Returns (layer, head, query, key).
    """
    keys = [key for key in trace if key.startswith("decoder/") and key.endswith("/cross/weights")]
    return np.stack([trace[key].tensor[0] for key in keys])


def with_mean(weights: np.ndarray) -> np.ndarray:
    """All heads of each layer, followed by their mean: (1/h) Σ_head w.

    weights: (layer, head, query, key). Returns (layer, head + 1, query, key).
    """
    return np.concatenate([weights, weights.mean(axis=1, keepdims=True)], axis=1)
