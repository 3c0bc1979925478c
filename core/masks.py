"""Boolean attention masks: True where a query may attend to a key."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypedDict

import numpy as np

from core.errors import ShapeMismatch


def causal(query: int, key: int) -> np.ndarray:
    """Causal mask: query i sees keys j ≤ i. Returns (query, key).

    "Attention Is All You Need", section 3.2.3. The counts may differ; both start at place 0.
    """
    return np.tri(query, key, dtype=bool)


def window(query: int, key: int, before: int, after: int) -> np.ndarray:
    """Sliding window: query i sees keys i − before … i + after. Returns (query, key)."""
    offset = np.arange(key)[None, :] - np.arange(query)[:, None]
    return (offset >= -before) & (offset <= after)


def neighbourhood(rows: int, columns: int, reach: int) -> np.ndarray:
    """Local window in a picture: patches at most ``reach`` rows and ``reach`` columns away.

    Patch p stands in row p ÷ columns and column p mod columns, as ``patchify`` numbers them. The
    square of 2·reach + 1 patches a side is cut off at the border. Returns (query, key), both the
    rows·columns patches. "Stand-Alone Self-Attention in Vision Models" (Ramachandran et al., 2019).
    """
    row, column = np.divmod(np.arange(rows * columns), columns)
    down = np.abs(row[:, None] - row)
    across = np.abs(column[:, None] - column)
    return (down <= reach) & (across <= reach)


class MaskOptions(TypedDict, total=False):
    """The fields of ``AttentionOptions`` that a choice of masks sets."""

    causal: bool
    allowed: np.ndarray


# The masks that a reader chooses from, for n tokens of which a window lets through so many to each
# side. Words name those that a page offers.
CHOICES: Mapping[str, Callable[[int, int], MaskOptions]] = {
    "none": lambda n, near: {},
    "causal": lambda n, near: {"causal": True},
    "window": lambda n, near: {"allowed": window(n, n, near, near)},
    "both": lambda n, near: {"causal": True, "allowed": window(n, n, near, near)},
}
WINDOWED = ("window", "both")


def without(query: int, key: int, cells: Iterable[tuple[int, int]]) -> np.ndarray:
    """All cells but these. Returns (query, key); cells out of range are ignored."""
    mask = np.ones((query, key), dtype=bool)
    for i, j in cells:
        if i < query and j < key:
            mask[i, j] = False
    return mask


def composed(query: int, key: int, parts: Iterable[np.ndarray]) -> np.ndarray:
    """The conjunction of masks: mask ∧ mask ∧ …; all True for no mask.

    parts: each broadcastable to (query, key). Returns (query, key). Raises ShapeMismatch.
    """
    allowed = np.ones((query, key), dtype=bool)
    for part in parts:
        allowed &= aligned("mask", part, (query, key))
    return allowed


def key_mask(lengths: list[int], key: int) -> np.ndarray:
    """True for the first ``length`` keys of each sample, which are real tokens. (batch, key).

    PyTorch's ``key_padding_mask`` is the opposite: True there means that a key is ignored.
    """
    return np.arange(key)[None, :] < np.asarray(lengths)[:, None]


def aligned(name: str, mask: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The mask with leading axes of length 1 added, up to the number of axes of ``shape``.

    Raises ShapeMismatch if it does not broadcast to ``shape``.
    """
    fits = mask.ndim <= len(shape) and all(
        m in (1, n) for m, n in zip(reversed(mask.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise ShapeMismatch(name, f"broadcastable to {shape}", mask.shape)
    return mask.reshape((1,) * (len(shape) - mask.ndim) + mask.shape)
