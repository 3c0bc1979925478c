"""The sentence, its window, sinks and global token; and the attention with them."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from core import Trace
from core.experiments import sliding_window
from core.limits import TODAY
from core.models.altered import Attention
from views import link, parse
from views.figures.axis import shortened
from views.text import Words
from views.widgets.choice import choice
from views.widgets.decoder_input import Reading, decoder_input, sentence_perplexity

FIRST_WINDOW, MOST_SINKS = 3, 4
CURVE = (1, 2, 3, 4, 6, 8, 12, 16)  # windows of which the perplexity is drawn


@dataclass(frozen=True, eq=False)
class Windowed:
    """A sentence in the decoder with a sliding window.

    window: tokens that a query attends to, itself among them. sinks: first tokens to which every
    query attends. global_token: its number from 1; 0 for none.
    """

    reading: Reading
    window: int = FIRST_WINDOW
    sinks: int = 0
    global_token: int = 0

    @property
    def n(self) -> int:
        """The number of tokens."""
        return len(self.reading.encoding.ids)

    @property
    def options(self) -> dict[str, Any]:
        """The fields of ``AttentionOptions``."""
        return {
            "window": (self.window - 1, -1),
            "sink_tokens": self.sinks,
            "global_tokens": tuple([self.global_token - 1] if self.global_token else []),
        }

    def change(self, attention: Attention) -> Attention:
        """The attention of a layer with the window."""
        return attention.with_options(**self.options)

    @property
    def perplexity(self) -> float:
        """Of the sentence, with the window in all layers."""
        name = ("window", self.window, self.sinks, self.global_token)
        return sentence_perplexity(self.reading, name, self.change)

    @property
    def mask(self) -> Any:
        """Which keys a query attends to in one layer: (query, key) bool."""
        options = self.options
        return sliding_window.allowed(self.n, self.window, self.sinks, options["global_tokens"])

    def traces(self) -> tuple[Trace, Trace]:
        """The layer as trained and with the window. Raises core.errors.InputError."""
        attention = self.reading.attention
        return attention.trace(), self.change(attention).trace()


def window_input(words: Words, texts: Words) -> Windowed:
    """Draw the controls and return their values. Raises as ``decoder_input``."""
    link.bind_param("window", FIRST_WINDOW, parse.number(1, TODAY.tokens))
    link.bind_param("sinks", 0, parse.number(0, MOST_SINKS))
    link.bind_param("global", 0, parse.number(0, TODAY.tokens))
    text = st.container()  # filled last: the controls stay where a text is refused
    left, middle, right = st.columns([3, 2, 2], gap="medium")
    left.slider(texts.window, 1, TODAY.tokens, key="window", help=texts.window_help)
    middle.slider(texts.sinks, 0, MOST_SINKS, key="sinks", help=texts.sinks_help)
    with text:
        reading = decoder_input(passes=2 * len(CURVE))
    names = reading.encoding.tokens
    if st.session_state["global"] > len(names):
        link.replace_param("global", 0)
    labels = [texts.no_global, *(f"{i} · {shortened(name)}" for i, name in enumerate(names, 1))]
    choice(
        texts.global_token, "global", range(len(labels)), labels.__getitem__, where=right,
        help=texts.global_help,
    )  # fmt: skip
    state = st.session_state
    return Windowed(reading, state["window"], state["sinks"], state["global"])


def query_input(n: int) -> int:
    """The query, from 0, whose receptive field is drawn; the last one by default."""
    chosen: int = link.bind_param("query", 0, parse.number(0, TODAY.tokens))
    if chosen > n:
        chosen = link.replace_param("query", 0)
    return (chosen or n) - 1
