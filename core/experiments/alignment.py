"""Cross-attention read as an alignment: which source word each target word looks at.

Nothing here knows which word renders which. It only says where the weight lies, row by row.
"""

from dataclasses import dataclass

import numpy as np

from core.trace import Trace

HALF = 0.5


@dataclass(frozen=True)
class HardAlignment:
    """Where the rows of one head look: for each target word the largest weight and its key.

    keys: the source word from 0. weights: what it gets of the row's unit. decided: the rows that
    give more than half of their unit to one word. reached: the source words that get it.
    """

    keys: tuple[int, ...]
    weights: tuple[float, ...]

    @property
    def decided(self) -> tuple[int, ...]:
        """The rows, from 0, of which one source word has more than half."""
        return tuple(row for row, weight in enumerate(self.weights) if weight > HALF)

    @property
    def reached(self) -> frozenset[int]:
        """The source words that have more than half of some row."""
        return frozenset(self.keys[row] for row in self.decided)

    @property
    def is_clear(self) -> bool:
        """Whether most rows are decided, and several rows not all for the same word."""
        rows = len(self.keys)
        return 2 * len(self.decided) > rows and len(self.reached) >= min(rows, 2)


def hard_alignment(weights: np.ndarray) -> HardAlignment:
    """The largest weight of each row: max_j w_ij and its j; of equal ones the first.

    weights: (query, key).
    """
    best = weights.argmax(axis=-1)
    largest = np.take_along_axis(weights, best[:, None], axis=-1)[:, 0]
    return HardAlignment(tuple(best.tolist()), tuple(largest.tolist()))


def cross_weights(trace: Trace) -> np.ndarray:
    """The weights of every cross-attention of a translation, first sample.

    Returns (layer, head, query, key).
    """
    keys = [key for key in trace if key.startswith("decoder/") and key.endswith("/cross/weights")]
    return np.stack([trace[key].tensor[0] for key in keys])


def with_mean(weights: np.ndarray) -> np.ndarray:
    """All heads of a layer and, behind them, their mean: (1/h) Σ_head w.

    weights: (layer, head, query, key). Returns (layer, head + 1, query, key).
    """
    return np.concatenate([weights, weights.mean(axis=1, keepdims=True)], axis=1)


def clearest_head(weights: np.ndarray) -> tuple[int, int]:
    """The layer and the head, from 0, whose rows tell the source words apart best.

    That is the head that reaches the most source words; among equals the one that gives the largest
    weights on the mean of all rows. weights: (layer, head, query, key).
    """

    def clearness(place: tuple[int, int]) -> tuple[int, float]:
        found = hard_alignment(weights[place])
        return len(found.reached), float(np.mean(found.weights))

    layers, heads = weights.shape[:2]
    return max(((layer, head) for layer in range(layers) for head in range(heads)), key=clearness)
