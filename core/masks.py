"""Boolean attention masks: True where a query may attend to a key."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypedDict

import numpy as np

from core.errors import shape_mismatch

Offset = int | np.ndarray  # the position of the first query: of all samples, or (batch,)


def causal(query: int, key: int, offset: Offset = 0) -> np.ndarray:
    """Causal mask: query i, at position offset + i, attends to the keys up to its own position.

    Returns (query, key), or (batch, query, key) for an offset of each sample. The counts of
    queries and keys may differ. "Attention Is All You Need", section 3.2.3.
    """
    if isinstance(offset, int):
        return np.tri(query, key, offset, dtype=bool)
    return distance(query, key, offset) <= 0


def window(
    query: int,
    key: int,
    before: int,
    after: int,
    offset: Offset = 0,
    *,
    sink_tokens: int = 0,
    global_tokens: Iterable[int] = (),
) -> np.ndarray:
    """Sliding window: a query at position p attends to the keys p − before … p + after.

    before, after: −1 for no limit, as in FlashAttention. offset: as in ``causal``.
    sink_tokens: every query also attends to so many first keys ("Efficient Streaming Language
    Models with Attention Sinks", Xiao et al., 2024, section 3.2).
    global_tokens: positions that attend to all and that all attend to ("Longformer: The
    Long-Document Transformer", Beltagy et al., 2020, section 3.1).
    Returns (query, key), or (batch, query, key) for an offset of each sample.
    """
    apart = distance(query, key, offset)
    allowed = np.ones(apart.shape, bool)
    if before >= 0:
        allowed &= apart >= -before
    if after >= 0:
        allowed &= apart <= after
    keys = np.arange(key)
    wide = np.isin(keys, list(global_tokens))
    allowed |= (keys < sink_tokens) | wide | np.isin(keys - apart, list(global_tokens))
    return allowed


def distance(query: int, key: int, offset: Offset) -> np.ndarray:
    """Key position − query position: (query, key), or (batch, query, key)."""
    first = np.asarray(offset)[..., None, None]
    apart: np.ndarray = np.arange(key) - (np.arange(query)[:, None] + first)
    return apart


def alibi_slopes(heads: int) -> np.ndarray:
    """The slope of each head, from steep to flat: (head,).

    2^(−8 i / h) for i = 1 … h if h is a power of two; else those of the next smaller power, then
    every second one of twice that power ("Train Short, Test Long", Press et al., 2022, section 3,
    and its code).
    """
    power = 1 << (heads.bit_length() - 1)
    slopes = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    between = 2.0 ** (-4 * np.arange(1, 2 * power + 1, 2) / power)
    return np.concatenate([slopes, between])[:heads]


def neighbourhood(rows: int, columns: int, reach: int) -> np.ndarray:
    """Local window in a picture: patches at most ``reach`` rows and ``reach`` columns away.

    Patch p is in row p ÷ columns and column p mod columns, as ``patchify`` numbers them. The
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
    window: tuple[int, int]
    allowed: np.ndarray


Mask = Callable[[int, int], np.ndarray]
# The masks that a reader chooses from, by their names in the words: from the number of tokens n and
# the width of a window to each side, (n, n).
MASKS: Mapping[str, Mask] = {
    "causal": lambda n, near: causal(n, n),
    "window": lambda n, near: window(n, n, near, near),
}


def _allowed(mask: Mask) -> Callable[[int, int], MaskOptions]:
    return lambda n, near: {"allowed": mask(n, near)}


# The same and none of them and both; these two masks are steps of their own.
CHOICES: Mapping[str, Callable[[int, int], MaskOptions]] = {
    "none": lambda n, near: {},
    **{name: _allowed(mask) for name, mask in MASKS.items()},
    "causal": lambda n, near: {"causal": True},
    "window": lambda n, near: {"window": (near, near)},
    "both": lambda n, near: {"causal": True, "window": (near, near)},
}
# Those whose width the reader sets.
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

    parts: each broadcastable to (query, key). Returns (query, key). Raises shape_mismatch.
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

    Raises shape_mismatch if it does not broadcast to ``shape``.
    """
    fits = mask.ndim <= len(shape) and all(
        m in (1, n) for m, n in zip(reversed(mask.shape), reversed(shape), strict=False)
    )
    if not fits:
        raise shape_mismatch(name, f"broadcastable to {shape}", mask.shape)
    return mask.reshape((1,) * (len(shape) - mask.ndim) + mask.shape)
