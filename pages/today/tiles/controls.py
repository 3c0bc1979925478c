"""The sentence, the size of a tile and the chosen tile; and one head of the decoder in tiles."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import Trace
from core.experiments import tiles
from core.experiments.tiles import Tile
from core.limits import TODAY
from views import link, parse
from views.text import Words
from views.widgets.choice import option_input
from views.widgets.decoder_input import Reading, decoder_input

KEYS, QUERIES = (1, 2, 3, 4, 6, 8), (1, 2, 3, 4)
FIRST_KEYS, FIRST_QUERIES, FIRST_TILE = 3, 1, 2
LARGER = 8  # the layer of SmolLM2 in which the second tile brings a larger score, in all heads


@dataclass(frozen=True, eq=False)
class Tiled:
    """A sentence in the decoder, and the queries and keys of a tile."""

    reading: Reading
    rows: int = FIRST_QUERIES
    columns: int = FIRST_KEYS

    def trace(self) -> Trace:
        """The layer in the usual order. Raises core.errors.InputError."""
        return self.reading.attention.trace()

    def needed(self) -> tuple[list[slice], list[slice], np.ndarray]:
        """The blocks of queries, the tiles of keys, and which pairs are not all of the future."""
        n = len(self.reading.encoding.ids)
        own, across = tiles.blocks(n, self.rows), tiles.blocks(n, self.columns)
        return own, across, np.array([[k.start < q.stop for k in across] for q in own])

    def block(self, query: int) -> int:
        """The index of a query's block."""
        return query // self.rows


def tiles_input(words: Words, texts: Words) -> Tiled:
    """Draw the controls and return their values. Raises as ``decoder_input``."""
    text = st.container()  # filled last: the controls stay where a text is refused
    with st.container(horizontal=True, gap="medium"):
        columns = option_input(texts.tile_keys, "tile_keys", KEYS, first=FIRST_KEYS)
        rows = option_input(texts.tile_queries, "tile_queries", QUERIES, first=FIRST_QUERIES)
    link.bind_param("tile", FIRST_TILE, parse.number(1, TODAY.tokens))
    with text:
        reading = decoder_input(layer=LARGER)
    return Tiled(reading, rows, columns)


def of_head(trace: Trace, head: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q, K and V of a head as its attention reads them, (token, d_k) or (token, d_v) each."""
    Q = trace["Q_rotated"].tensor[0]
    K, V = (trace[key].tensor[0] for key in ("K_rotated", "V"))
    shared = head * len(K) // len(Q)
    return Q[head], K[shared], V[shared]


def passes(trace: Trace, tiled: Tiled, head: int, block: int) -> list[Tile]:
    """The tiles of a block of queries."""
    Q, K, V = of_head(trace, head)
    queries = tiles.blocks(len(Q), tiled.rows)[block]
    return tiles.passes(Q, K, V, queries, tiled.columns, causal=True)


def largest_difference(trace: Trace, tiled: Tiled) -> float:
    """The largest difference of the outputs in tiles and in the usual order, over all heads."""
    expected = trace["head_output"].tensor[0]
    return max(
        float(
            np.abs(
                tiles.tiled_attention(*of_head(trace, head), tiled.rows, tiled.columns, causal=True)
                - expected[head]
            ).max()
        )
        for head in range(len(expected))
    )
