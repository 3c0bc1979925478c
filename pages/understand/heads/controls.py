"""The controls of the page on heads, and the trace of their values."""

from dataclasses import dataclass

import streamlit as st

from core import Trace, Weights, multi_head_attention
from core.experiments.heads import divisors
from core.limits import SPLIT
from core.sources import text
from views import link, parse
from views.text import Words
from views.widgets.sentence_input import FIRST_TEXT, sentence_line_input
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input, whole_number


@dataclass(frozen=True)
class Inputs:
    """The sentence, the sizes, and the seed of the weights."""

    written: str = FIRST_TEXT
    d_model: int = 8
    heads: int = 4
    seed: int = 7

    @property
    def weights(self) -> Weights:
        """The random matrices. Raises heads_do_not_divide."""
        return Weights.seeded(self.d_model, self.heads, self.seed)


def heads_input(texts: Words) -> Inputs:
    """Draw the controls and return their values."""
    first = Inputs()
    line, width, count, chance = st.columns([2, 1, 2, 1], vertical_alignment="bottom")
    with line:
        written = sentence_line_input(texts.text)
    link.bind_param("d_model", first.d_model, parse.number(1, SPLIT.d_model))
    with width:
        d_model = whole_number(texts.d_model, 1, SPLIT.d_model, key="d_model")
    link.bind_param("heads", first.heads, parse.number(1, SPLIT.d_model))
    with count:
        _heads(texts, d_model)
    with chance:
        seed = seed_input(texts.seed, first.seed)
    tokenization_notes(written, "word")
    return Inputs(written, d_model, st.session_state["heads"], seed)


def _heads(texts: Words, d_model: int) -> None:
    """Draw the choice of a divisor of d_model; an invalid value of the link remains an option."""
    options = sorted({*divisors(d_model), st.session_state["heads"]})
    key = "heads_" + "_".join(map(str, options))
    link.show(key, st.session_state["heads"])

    def chosen() -> None:
        link.set_value("heads", st.session_state[key])

    link.offer("heads", options)
    with st.container(key="heads_choice"):
        st.segmented_control(texts.heads, options, key=key, on_change=chosen, required=True)


def heads_trace(inputs: Inputs) -> Trace:
    """The trace from the sentence to the output. Raises core.errors.InputError."""
    lines = text.read(inputs.written, "word", SPLIT)
    return multi_head_attention(text.embed(lines, inputs.d_model, inputs.seed), inputs.weights)
