"""Windows, sinks and global tokens: receptive fields through layers, and the remaining cost.

"Longformer: The Long-Document Transformer" (Beltagy et al., 2020), section 3.1; "Mistral 7B"
(Jiang et al., 2023), section 2. A window of w tokens counts the token itself.
"""

from dataclasses import dataclass, replace

import numpy as np

from core import masks
from core.experiments.cache_size import DecoderSizes


def allowed(n: int, window: int, sink_tokens: int = 0, tokens: tuple[int, ...] = ()) -> np.ndarray:
    """A causal mask of a decoder with a window: (query, key).

    sink_tokens: so many first tokens are visible to all. tokens: the positions of global tokens.
    """
    near = masks.window(n, n, window - 1, -1, sink_tokens=sink_tokens, global_tokens=tokens)
    return masks.causal(n, n) & near


def reach(mask: np.ndarray, layers: int) -> np.ndarray:
    """Whether token key influences token query after 1, 2, … layers: (layer, query, key) bool.

    Boolean matrix products: reach_l = reach_1 · reach_(l − 1). In a layer a token is influenced
    by those that it attends to, and by itself (the residual connection).
    mask: (query, key) bool, of every layer.
    """
    one = mask | np.eye(len(mask), dtype=bool)
    products = [one]
    for _ in range(layers - 1):
        products.append(one @ products[-1])
    return np.stack(products)


def layers_needed(reached: np.ndarray) -> np.ndarray:
    """The first layer after which a key has reached a query: (query, key); 0 if in none.

    reached: (layer, query, key), of ``reach``.
    """
    first = reached.argmax(axis=0) + 1
    return np.where(reached.any(axis=0), first, 0)


def receptive_field(window: int, layers: int) -> int:
    """How many tokens, itself included, reach a token: each layer adds window − 1."""
    return layers * (window - 1) + 1


def pairs(n: int, window: int, sink_tokens: int = 0) -> int:
    """The cells of a causal mask with a window that are computed, of n tokens."""
    near = min(window, n)
    behind = n - near  # queries with keys outside the window
    sinks = min(sink_tokens, behind)
    return near * n - near * (near - 1) // 2 + sinks * behind - sinks * (sinks - 1) // 2


def mean_weight(weights: np.ndarray, where: np.ndarray) -> np.ndarray:
    """The total weight of a query on marked keys, mean over all queries but the first: (head,).

    The first token attends to itself only. weights: (head, query, key); where: (query,
    key). 0 for a single query.
    """
    if weights.shape[1] == 1:
        return np.zeros(len(weights))
    marked: np.ndarray = (weights * where).sum(axis=-1)[:, 1:].mean(axis=-1)
    return marked


@dataclass(frozen=True)
class Reading:
    """The computing and memory of a decoder of given sizes for a long text.

    pairs: of a query and a key, in a head, over all layers. multiply_adds: of QKᵀ and weights · V.
    cache_bytes: of keys and values. field: how many tokens reach the last token.
    """

    pairs: int
    multiply_adds: int
    cache_bytes: int
    field: int


def long_reading(
    sizes: DecoderSizes, tokens: int, window: int | None = None, every: int = 0
) -> Reading:
    """The cost of reading a text with a window in some layers or all.

    window: None for full attention in all layers. every: each ``every``-th layer has full
    attention; 0: none has.
    """
    full = sizes.layers if window is None else sizes.layers // every if every else 0
    local = sizes.layers - full
    near = tokens if window is None else min(window, tokens)
    in_full, in_local = replace(sizes, layers=full), replace(sizes, layers=local)
    counted = full * pairs(tokens, tokens) + local * pairs(tokens, near)
    return Reading(
        pairs=counted,
        multiply_adds=2 * sizes.d_k * sizes.heads * counted,
        cache_bytes=in_full.cache_bytes(tokens) + in_local.cache_bytes(near),
        field=tokens if full else min(tokens, receptive_field(near, sizes.layers)),
    )
