"""The sentence and the size of a latent vector; and the attention with latent vectors."""

from dataclasses import dataclass, replace
from functools import cache

import streamlit as st

from core import Trace
from core.experiments.latent import Factors, Latent, latent_attention, narrowed
from core.models.altered import Attention, Change
from core.rules import Given
from views import link, parse
from views.text import Words
from views.widgets.decoder_input import (
    FIRST_TEXT,
    Reading,
    decoder_input,
    own_decoder,
    sentence_perplexity,
)

SIZES = (8, 16, 32, 48, 64, 96, 128, 192)
FIRST_SIZE = 96


@cache
def factors() -> tuple[Factors, ...]:
    """W^K and W^V of every layer of the decoder, decomposed once in a process."""
    model = own_decoder()
    return tuple(
        Factors.of(Reading(model, FIRST_TEXT, i + 1).attention.weights) for i in range(model.layers)
    )


@dataclass(frozen=True, eq=False)
class Compressed:
    """A sentence in the decoder, and the numbers of a latent vector."""

    reading: Reading
    d_c: int = FIRST_SIZE

    def latent(self, d_c: int = 0) -> Latent:
        """The matrices of the layer. d_c: other than the chosen one."""
        return _latent(self.reading.attention, self.reading.layer, d_c or self.d_c)

    def traces(self) -> tuple[Trace, Trace]:
        """The layer as trained and from latents. Raises core.errors.InputError."""
        attention = self.reading.attention
        made = latent_attention(
            attention.source, attention.weights, attention.options, self.latent()
        )
        return attention.trace(), Trace(
            replace(stage, rule=Given("trained")) if stage.rule == Given("parameter") else stage
            for stage in made.values()
        )

    def perplexity(self, d_c: int) -> float:
        """Of the sentence, with latents of d_c numbers in all layers."""
        return sentence_perplexity(self.reading, ("latent", d_c), _in_every_layer(d_c))


def _latent(attention: Attention, layer: int, d_c: int) -> Latent:
    return factors()[layer - 1].latent(d_c, attention.weights.W_K.shape[1])


def _in_every_layer(d_c: int) -> Change:
    """A change that is made to the first layer first, to the second next, and so on."""
    numbers = iter(range(1, len(factors()) + 1))

    def change(attention: Attention) -> Attention:
        latent = _latent(attention, next(numbers), d_c)
        return replace(attention, weights=narrowed(attention.weights, latent))

    return change


def latent_input(words: Words, texts: Words) -> Compressed:
    """Draw the controls and return their values. Raises as ``decoder_input``."""
    link.bind_param("d_c", FIRST_SIZE, parse.one_of(SIZES))
    text = st.container()  # filled last: the control stays where a text is refused
    st.select_slider(texts.d_c, SIZES, key="d_c", help=texts.d_c_help)
    with text:
        reading = decoder_input(passes=len(SIZES) + 1)
    return Compressed(reading, st.session_state["d_c"])
