"""The controls of the page on dropout, residual connection and LayerNorm."""

from dataclasses import dataclass, replace

import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.options import AttentionOptions
from views import link, parse
from views.text import Words, numbers
from views.text.spans import plain
from views.widgets.sentence_input import FIRST_TEXT, embed_sentence, sentence_line_input
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input

D_MODEL, HEADS, SEED = 4, 1, 7  # small enough to show every number
WEIGHTS = Weights.seeded(D_MODEL, HEADS, SEED)
FACTORS = (0.001, 0.01, 0.1, 0.5, 1.0, 2.0, 10.0, 100.0)


@dataclass(frozen=True)
class Inputs:
    """The sentence, the dropout rate (0 … 0.9), and the seed of its mask (``draw``)."""

    written: str
    dropout: float
    draw: int

    @property
    def options(self) -> AttentionOptions:
        """Dropout on the weights, and the residual connection."""
        return AttentionOptions(dropout=self.dropout, seed=self.draw, residual=True)

    def trace(self) -> Trace:
        """The trace up to ``normalised``. Raises core.errors.InputError."""
        source = embed_sentence(self.written, D_MODEL, SEED)
        return multi_head_attention(source, WEIGHTS, self.options)


FIRST = Inputs(FIRST_TEXT, dropout=0.3, draw=10)


def first() -> Inputs:
    """The example in the reader's language."""
    return replace(FIRST, written=link.first_text(FIRST_TEXT))


def around_input(texts: Words) -> Inputs:
    """Draw the sentence, the dropout rate and the seed in one line, and return them."""
    text, share, seed = st.columns([3, 2, 1])
    with text:
        written = sentence_line_input(texts.text)
    link.bind_param("p", FIRST.dropout, parse.number(0.0, 0.9, float))
    link.offer("p", [tenth / 10 for tenth in range(10)])
    p = share.slider(texts.p, 0.0, 0.9, step=0.1, key="p")
    draw = seed_input(texts.draw, FIRST.draw, key="draw", where=seed, help=texts.draw_help)
    tokenization_notes(written, "word")
    return Inputs(written, p, draw)


def move_input(texts: Words) -> tuple[float, int]:
    """Draw the factor and the shift that LayerNorm removes, and return them."""
    left, right = st.columns(2)
    link.bind_param("factor", 2.0, parse.one_of(FACTORS))
    factor: float = left.select_slider(
        texts.factor, FACTORS, format_func=lambda value: plain(numbers.bare(value)), key="factor"
    )
    link.bind_param("shift", 5, parse.number(-10, 10))
    shift: int = right.slider(texts.shift, -10, 10, step=1, key="shift")
    return factor, shift
