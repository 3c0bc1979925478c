"""Attention in tiles: online softmax with every running value, and the memory traffic.

"Online normalizer calculation for softmax" (Milakov & Gimelshein, 2018), algorithm 3;
"Self-attention Does Not Need O(n²) Memory" (Rabe & Staats, 2021), section 2; "FlashAttention" (Dao
et al., 2022), sections 2.2 and 3.1; "FlashAttention-2" (Dao, 2023), section 3.1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core import masks, ops

SRAM_BYTES = 192 * 1024  # of one multiprocessor of an A100 (Dao et al., 2022, section 2.1)
# Reads and writes of each score by softmax (Milakov & Gimelshein, 2018, sections 2 and 3).
SOFTMAX_ACCESSES = {"safe": 4, "online": 3}


@dataclass(frozen=True, eq=False)
class Tile:
    """A block of queries and a block of keys: their scores, and the running values after them.

    queries, keys: the positions of the blocks. scores: (query, key), −∞ where masked.
    largest: (query,), of the scores. m_before, m: (query,), the largest score so far.
    factor: (query,), e^(m_before − m), by which what was summed before is corrected.
    added: (query,), the sum of e^(scores − m).
    l_before, l: (query,), the sum of exponentials so far.
    O_before, O: (query, d_v), the sum of the values so far, each times its exponential.
    """

    queries: slice
    keys: slice
    scores: np.ndarray
    largest: np.ndarray
    m_before: np.ndarray
    m: np.ndarray
    factor: np.ndarray
    added: np.ndarray
    l_before: np.ndarray
    l: np.ndarray  # noqa: E741
    O_before: np.ndarray
    O: np.ndarray  # noqa: E741

    @property
    def output(self) -> np.ndarray:
        """The weighted mean of the values so far: O / l, (query, d_v); 0 if all is masked."""
        return self.O / np.where(self.l == 0, 1, self.l)[:, None]


def blocks(n: int, size: int) -> list[slice]:
    """The positions 0 … n − 1 in blocks of a size; the last may be shorter."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def passes(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, queries: slice, size: int, *, causal: bool = False
) -> list[Tile]:
    """One block of queries against all keys, tile after tile; tiles of the future are left out.

    m = max(m_before, max S), l = e^(m_before − m) · l_before + Σ e^(S − m),
    O = e^(m_before − m) · O_before + e^(S − m) V

    Q: (query, d_k). K: (key, d_k). V: (key, d_v). size: keys of a tile.
    """
    own = Q[queries] * Q.dtype.type(1 / math.sqrt(Q.shape[1]))  # (query, d_k)
    m = np.full(len(own), -np.inf, Q.dtype)
    l = np.zeros(len(own), Q.dtype)  # noqa: E741
    O = np.zeros((len(own), V.shape[1]), Q.dtype)  # noqa: E741
    tiles: list[Tile] = []
    for keys in blocks(len(K), size):
        if causal and keys.start >= queries.stop:
            break
        S = ops.dot_product_scores(own, K[keys])  # (query, key)
        if causal:
            visible = masks.causal(S.shape[0], S.shape[1], queries.start - keys.start)
            S = ops.mask_scores(S, (visible,))
        largest = S.max(axis=1)
        m_now = np.maximum(m, largest)
        at = np.where(np.isneginf(m_now), 0, m_now)  # a row whose scores are all −∞ so far
        factor = np.exp(m - at)
        P = np.exp(S - at[:, None])
        added = P.sum(axis=1)
        l_now = factor * l + added
        O_now = factor[:, None] * O + P @ V[keys]
        tiles.append(Tile(queries, keys, S, largest, m, m_now, factor, added, l, l_now, O, O_now))
        m, l, O = m_now, l_now, O_now  # noqa: E741
    return tiles


def tiled_attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, rows: int, columns: int, *, causal: bool = False
) -> np.ndarray:
    """softmax(Q Kᵀ / √d_k) V without a table of all scores: (query, d_v).

    rows, columns: queries and keys of a tile. Q: (query, d_k). K: (key, d_k). V: (key, d_v).
    """
    last = (passes(Q, K, V, own, columns, causal=causal)[-1] for own in blocks(len(Q), rows))
    return np.concatenate([tile.output for tile in last])


def tiled_gradients(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, dO: np.ndarray, rows: int, columns: int,
    *, causal: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """dQ, dK and dV by weights that are computed again, tile by tile: none is stored.

    "FlashAttention-2" (Dao, 2023), algorithm 2, with L = m + ln l of the forward pass and
    D = Σ dO ⊙ O of each row: for each tile of keys, all blocks of queries again.
    dO: the gradient of the output, (query, d_v). The rest as for ``tiled_attention``.
    """
    scale = Q.dtype.type(1 / math.sqrt(Q.shape[1]))
    last = [passes(Q, K, V, own, columns, causal=causal)[-1] for own in blocks(len(Q), rows)]
    L = np.concatenate([tile.m + np.log(tile.l) for tile in last])  # (query,)
    D = (dO * np.concatenate([tile.output for tile in last])).sum(axis=1)  # (query,)
    dQ, dK, dV = np.zeros_like(Q), np.zeros_like(K), np.zeros_like(V)
    for keys in blocks(len(K), columns):
        for tile in last:
            own = tile.queries
            if causal and keys.start >= own.stop:
                continue
            S = ops.dot_product_scores(Q[own] * scale, K[keys])  # (query, key)
            if causal:
                S = ops.mask_scores(
                    S, (masks.causal(S.shape[0], S.shape[1], own.start - keys.start),)
                )
            P = np.exp(S - L[own, None])
            dV[keys] += P.T @ dO[own]
            dS = P * (dO[own] @ V[keys].T - D[own, None]) * scale
            dQ[own] += dS @ K[keys]
            dK[keys] += dS.T @ Q[own]
    return dQ, dK, dV


def split(q: np.ndarray, K: np.ndarray, V: np.ndarray, parts: int) -> list[Tile]:
    """The keys of one query in parts, none of which waits for another (split-K).

    "Flash-Decoding for long-context inference" (Dao, Haziza, Massa & Sizov, 2023).
    q: (d_k,). K: (key, d_k), all of which it may attend to. V: (key, d_v).
    """
    size = math.ceil(len(K) / parts)
    return [passes(q[None], K[own], V[own], slice(1), size)[0] for own in blocks(len(K), size)]


def merged(parts: Sequence[Tile]) -> tuple[np.ndarray, np.ndarray]:
    """The share of each part in the output, (part,), and the output, (d_v,).

    With m = max m_i, share_i = e^(m_i − m) l_i / Σ_i e^(m_i − m) l_i, and the output is
    Σ_i share_i · O_i / l_i.
    """
    m, l = (np.array([getattr(part, name)[0] for part in parts]) for name in ("m", "l"))  # noqa: E741
    totals = np.exp(m - m.max()) * l
    shares = totals / totals.sum()
    return shares, shares @ np.array([part.output[0] for part in parts])


@dataclass(frozen=True)
class Traffic:
    """Numbers that pass between the large memory (HBM) and the chip, for one head.

    stored: numbers in the large memory beside Q, K, V and the output.
    """

    reads: int
    writes: int
    stored: int

    @property
    def total(self) -> int:
        """Reads and writes."""
        return self.reads + self.writes


def plain_traffic(n: int, d: int) -> Traffic:
    """QKᵀ, softmax and the weighted sum one after the other (Dao et al., 2022, algorithm 0).

    Reads Q, K, then the scores, then the weights and V; writes scores, weights and output.
    """
    return Traffic(3 * n * d + 2 * n * n, 2 * n * n + n * d, 2 * n * n)


def flash_traffic(n: int, d: int, on_chip: int) -> Traffic:
    """FlashAttention (Dao et al., 2022, algorithm 1): for each tile of keys, all queries again.

    on_chip: the numbers M that the memory on the chip holds; a tile has ⌈M / 4d⌉ keys. Each pass
    reads Q, O, l and m, and writes O, l and m, which are initialised once.
    """
    passes_of_keys = math.ceil(n / math.ceil(on_chip / (4 * d)))
    running = n * d + 2 * n  # O, l and m
    reads = 2 * n * d + passes_of_keys * (n * d + running)
    return Traffic(reads, (passes_of_keys + 1) * running, 2 * n)


def flash_2_traffic(n: int, d: int, rows: int) -> Traffic:
    """FlashAttention-2 (Dao, 2023, algorithm 1): for each block of queries, all keys again.

    rows: queries of a block. O, l and m stay on the chip; the output and one number for each query,
    m + ln l, are written.
    """
    passes_of_queries = math.ceil(n / rows)
    return Traffic(n * d + passes_of_queries * 2 * n * d, n * d + n, n)
