"""The sentence, and a query and a key of one head, which can be given other positions."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import streamlit as st

from core import Trace
from core.limits import TODAY
from core.models.altered import POSITION_KINDS, PositionKind, with_positions
from core.rotary import Rotary
from core.sources.visible import SIGNS
from views import link, parse
from views.figures.axis import shortened
from views.text import Words
from views.widgets.choice import choice, option_input
from views.widgets.decoder_input import Reading, sentence_perplexity, trained_perplexity

FIRST = {"query": "it", "key": "cat"}  # in the first text
NEAR = {"query": 9, "key": 3}  # tokens, from 1, of a text without these
LAST = 64  # position to which a token can be moved


@dataclass
class Moves:
    """The moves of the arrows in the browser. count: those that the server knows of."""

    count: int = 0


@dataclass(frozen=True, eq=False)
class Positions:
    """One layer, and the whole model, with rotary positions and with others.

    trained: the layer's attention as it was trained. perplexity: of the model on the sentence.
    """

    reading: Reading
    trained: Trace
    perplexity: float

    @classmethod
    def of(cls, reading: Reading) -> "Positions":
        """The trace and the perplexity of a sentence. Raises core.errors.InputError."""
        return cls(reading, reading.attention.trace(), trained_perplexity(reading))

    def otherwise(self, kind: PositionKind) -> tuple[Trace, float]:
        """The layer's trace with other positions, and the perplexity with them in all layers."""
        change = partial(with_positions, kind=kind)
        perplexity = sentence_perplexity(self.reading, ("positions", kind), change)
        return change(self.reading.attention).trace(), perplexity

    @property
    def rotary(self) -> Rotary:
        """The rotary positions of the decoder."""
        rotary = self.reading.attention.options.rotary
        assert rotary is not None
        return rotary

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens of the sentence."""
        return self.reading.encoding.tokens


@dataclass(frozen=True, eq=False)
class Pair:
    """A query and a key of one head, all from 0. at: the positions that they are given."""

    positions: Positions
    head: int
    query: int
    key: int
    at: tuple[int, int]

    @property
    def names(self) -> tuple[str, str]:
        """The tokens of the query and of the key."""
        tokens = self.positions.tokens
        return shortened(tokens[self.query]), shortened(tokens[self.key])

    @cached_property
    def q(self) -> np.ndarray:
        """The query before it is rotated: (d_k,)."""
        vector: np.ndarray = self.positions.trained["Q"].tensor[0, self.head, self.query]
        return vector

    @cached_property
    def k(self) -> np.ndarray:
        """The key before it is rotated: (d_k,)."""
        K = self.positions.trained["K"].tensor[0]
        vector: np.ndarray = K[self.head * len(K) // self.heads, self.key]
        return vector

    @property
    def heads(self) -> int:
        """The number of query heads."""
        return self.positions.reading.attention.weights.heads


def pair_input(positions: Positions, texts: Words) -> Pair:
    """Draw the choice of a head, a query and a key; return them with their positions."""
    tokens, heads = positions.tokens, positions.reading.attention.weights.heads
    head_column, query_column, key_column, back_column = st.columns(
        [heads / 3, 1.3, 1.3, 1], vertical_alignment="bottom"
    )
    with head_column:
        head = option_input(texts.head, "of_head", range(1, heads + 1))
    query = _token("query", tokens)
    key = _token("key", tokens[: query + 1])
    labels = ["", *(f"{position}: {shortened(token)}" for position, token in enumerate(tokens))]
    for label, name, size, where in (
        (texts.query, "query", len(tokens), query_column),
        (texts.key, "key", query + 1, key_column),
    ):
        choice(label, name, range(1, size + 1), labels.__getitem__, where=where)
    at: tuple[int, ...] = link.bind_param("at", (), _parsed)
    back_column.button(texts.back, on_click=link.set_value, args=("at", ()), disabled=not at)
    m, n = at or (query, key)
    return Pair(positions, head - 1, query, key, (m, n))


def kind_input(texts: Words) -> PositionKind:
    """Draw the choice of other positions for the whole sentence; return it."""
    first = POSITION_KINDS[-1]
    kind: PositionKind = option_input(
        texts.other, "kind", POSITION_KINDS, texts.kinds.__getitem__, first=first
    )
    return kind


def _token(name: str, tokens: Sequence[str]) -> int:
    """A token, from 0; the last one if there are not as many."""
    size, words = len(tokens), [token.strip(SIGNS[" "]) for token in tokens]
    first = words.index(FIRST[name]) + 1 if FIRST[name] in words else min(NEAR[name], size)
    value: int = link.bind_param(name, first, parse.number(1, TODAY.tokens))
    if value > size:
        value = link.replace_param(name, size)
    return value - 1


def _parsed(written: str) -> tuple[int, ...]:
    """Two positions of a link, such as ``8,2``, the key not behind the query. Raises ValueError."""
    number = parse.number(0, LAST)
    m, n = (number(part) for part in written.split(","))
    if n > m:
        raise ValueError(written)
    return m, n
