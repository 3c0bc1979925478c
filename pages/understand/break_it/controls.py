"""The controls of the page of common mistakes."""

from dataclasses import dataclass, replace
from typing import cast

import streamlit as st

from core import Trace, Weights
from core.experiments.mistakes import MISTAKES
from views import link, parse
from views.text import Words
from views.text.spans import plain
from views.widgets.choice import option_input
from views.widgets.sentence_input import FIRST_TEXT, embed_sentence, sentence_line_input
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input, whole_number

HEADS, WIDTHS = (2, 3), (3, 8)  # the least and the most; no head is left empty by d_k / h


@dataclass(frozen=True)
class Inputs:
    """The sentence, the sizes of the model, and the seed of its weights."""

    written: str
    heads: int
    d_k: int
    seed: int

    @property
    def weights(self) -> Weights:
        """The matrices, drawn from the seed."""
        return Weights.seeded(self.heads * self.d_k, self.heads, self.seed)

    def source(self) -> Trace:
        """The trace up to X. Raises core.errors.InputError."""
        return embed_sentence(self.written, self.heads * self.d_k, self.seed)


FIRST = Inputs(FIRST_TEXT, heads=2, d_k=4, seed=7)


def first() -> Inputs:
    """The example in the reader's language."""
    return replace(FIRST, written=link.first_text(FIRST_TEXT))


def break_it_input(texts: Words) -> Inputs:
    """Draw the sentence, the sizes and the seed in one line, and return them."""
    text, heads, d_k, chance = st.columns([3, 1, 1, 1])
    with text:
        written = sentence_line_input(texts.text)
    numbers = []
    for column, name, label, first, (low, high) in (
        (heads, "heads", texts.heads, FIRST.heads, HEADS),
        (d_k, "d_k", texts.d_k, FIRST.d_k, WIDTHS),
    ):
        link.bind_param(name, first, parse.number(low, high))
        numbers.append(whole_number(label, low, high, key=name, where=column))
    numbers.append(seed_input(texts.seed, FIRST.seed, where=chance))
    tokenization_notes(written, "word")
    return Inputs(written, *numbers)


def mistake_input(texts: Words) -> str:
    """Draw the choice of a mistake and return its name."""
    name: str = option_input(
        texts.mistake, "mistake", MISTAKES, lambda name: plain(texts.names[name]),
        first="axis", pills=True, label_visibility="collapsed",
    )  # fmt: skip
    return name


def head_input(texts: Words, heads: int) -> int:
    """Draw the choice of a head and return it, from 0."""
    link.bind_param("head", 1, parse.number(1, HEADS[1]))
    st.session_state["head"] = min(st.session_state["head"], heads)
    number = st.segmented_control(
        texts.head,
        range(1, heads + 1),
        format_func=lambda head: plain(texts.one_head.format(head=head)),
        key="head",
        required=True,
        label_visibility="collapsed",
    )
    return cast(int, number) - 1
