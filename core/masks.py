"""Who may look at whom: boolean masks, True where a query may look at a key."""

import numpy as np

from core.errors import ShapeMismatch


def causal(query: int, key: int) -> np.ndarray:
    """Itself and what came before: query i sees keys j ≤ i. Returns (query, key).

    "Attention Is All You Need", section 3.2.3. The counts may differ; both start at place 0.
    """
    return np.tri(query, key, dtype=bool)


def window(query: int, key: int, before: int, after: int) -> np.ndarray:
    """Only near neighbours: query i sees keys i − before … i + after. Returns (query, key)."""
    offset = np.arange(key)[None, :] - np.arange(query)[:, None]
    return (offset >= -before) & (offset <= after)


def padding(lengths: list[int], key: int) -> np.ndarray:
    """Real tokens, not the filling behind them: the first ``length`` keys. Returns (batch, key)."""
    return np.arange(key)[None, :] < np.asarray(lengths)[:, None]


def aligned(name: str, mask: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The mask with as many axes as ``shape``, those that it lacks in front with length 1.

    Raises ShapeMismatch where it does not broadcast to ``shape``.
    """
    fits = mask.ndim <= len(shape) and all(
        m in (1, n) for m, n in zip(reversed(mask.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ShapeMismatch(name, f"broadcastable to {shape}", mask.shape)
    return mask.reshape((1,) * (len(shape) - mask.ndim) + mask.shape)
