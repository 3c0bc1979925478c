"""The controls of the page on recurrent nets, and the models that it compares."""

from dataclasses import dataclass

import numpy as np
import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.experiments.jacobian import attention_jacobian, stretch
from core.experiments.recurrent import RecurrentNet, jacobians
from core.limits import LIMITS
from core.options import AttentionOptions
from core.sources import text as source
from views import link, parse
from views.text import Words
from views.widgets.errors import LastValidInput
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input

D_MODEL, HEADS, WIDTH = 16, 2, 16
FIRST_RADIUS, FIRST_SEED = 0.9, 7
RADII, MOST_TIMES = (0.1, 2.5), 8


@dataclass(frozen=True)
class Inputs:
    """The sentence, its repetitions, and the recurrent net.

    radius: the spectral radius of W_h. squashes: whether the net applies tanh.
    """

    written: str
    times: int = 1
    radius: float = FIRST_RADIUS
    squashes: bool = True
    seed: int = FIRST_SEED

    def attention_trace(self) -> Trace:
        """Causal attention over the sentence. Raises core.errors.InputError."""
        lines = source.read(self.written, "word")
        tokens = (tuple(token for line in lines for token in line) * self.times)[: LIMITS.tokens]
        embedded = source.embed([tokens], D_MODEL, self.seed, position=False)
        return multi_head_attention(
            embedded, Weights.seeded(D_MODEL, HEADS, self.seed), AttentionOptions(causal=True)
        )

    def net(self) -> RecurrentNet:
        """The recurrent net, with random weights."""
        return RecurrentNet.seeded(D_MODEL, WIDTH, self.radius, self.seed, has_tanh=self.squashes)


@dataclass(frozen=True, eq=False)
class Influence:
    """The norms ‖∂h_t / ∂x_j‖ in the recurrent net and in attention, each (step, word)."""

    words: tuple[str, ...]
    net: np.ndarray
    attention: np.ndarray


def compute_influence(inputs: Inputs, attention_trace: Trace) -> Influence:
    """The influence of each word on each step, in both models."""
    X = attention_trace["X"]
    return Influence(
        tuple(X.axis("token").label(index) for index in range(X.size("token"))),
        stretch(jacobians(inputs.net(), X.tensor[0])),
        stretch(attention_jacobian(attention_trace)[0]),
    )


def before_input(texts: Words) -> Inputs:
    """Draw the controls and return their values."""
    link.bind_param("text", texts.sample)
    link.bind_param("times", 1, parse.number(1, MOST_TIMES))
    link.bind_param("radius", FIRST_RADIUS, parse.number(*RADII, float))
    link.bind_param("tanh", True, parse.flag)
    written = st.text_input(texts.text, key="text")
    tokenization_notes(written, "word")
    last_sentence = link.remembered(LastValidInput).inputs.get("sentence")
    if last_sentence and last_sentence.written != written:
        st.button(
            texts.yours, key="yours", on_click=link.set_value, args=("text", last_sentence.written)
        )
    columns = st.columns([1.6, 1.3, 0.6, 0.7], vertical_alignment="bottom", gap="medium")
    link.offer("radius", [tenth / 10 for tenth in range(1, round(10 * RADII[1]) + 1)])
    radius = columns[0].slider(texts.radius, *RADII, step=0.1, key="radius", help=texts.radius_help)
    times = columns[1].slider(
        texts.times, 1, MOST_TIMES, key="times",
        help=texts.times_help.format(tokens=LIMITS.tokens),
    )  # fmt: skip
    squashes = columns[2].toggle(texts.tanh, key="tanh", help=texts.tanh_help)
    seed = seed_input(texts.seed, FIRST_SEED, where=columns[3])
    return Inputs(written, times, radius, squashes, seed)
