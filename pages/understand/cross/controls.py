"""The controls of the page on self- and cross-attention: two sentences."""

from dataclasses import dataclass, replace

import streamlit as st

from core import Stage, Trace, Weights, multi_head_attention
from core.limits import SEQUENCE
from core.sources import text
from views import link
from views.text import Words
from views.widgets.option_input import option_input
from views.widgets.tokenization_notes import tokenization_notes
from views.widgets.whole_number import seed_input

D_MODEL, HEADS, FIRST_SEED = 8, 2, 7
FIRST_X, FIRST_MEMORY = "I love Beijing", "我爱北京天安门"


@dataclass(frozen=True)
class Pair:
    """Two sentences: queries come from the first, keys and values from the second if ``cross``."""

    query_tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    cross: bool
    seed: int

    def trace(self) -> Trace:
        """The trace of cross-attention, or of the first sentence's self-attention."""
        return self.attend(_embedded(self.key_tokens, self.seed)["X"] if self.cross else None)

    def attend(self, memory: Stage | None) -> Trace:
        """The attention of the first sentence to a memory, or to itself for None."""
        weights = Weights.seeded(D_MODEL, HEADS, self.seed)
        return multi_head_attention(_embedded(self.query_tokens, self.seed), weights, memory=memory)

    def itself(self) -> Trace:
        """Self-attention, computed as cross-attention whose memory is the sentence's own X."""
        return self.attend(_embedded(self.query_tokens, self.seed)["X"])

    def swapped(self) -> "Pair":
        """The same two sentences with the roles exchanged."""
        return replace(self, query_tokens=self.key_tokens, key_tokens=self.query_tokens)


FIRST = Pair(("I", "love", "Beijing"), ("我", "爱", "北京", "天安门"), cross=True, seed=FIRST_SEED)


def pair_input(texts: Words) -> Pair:
    """Draw the controls and return their values. Raises core.errors.InputError."""
    link.bind_param("text", FIRST_X)
    link.bind_param("memory", FIRST_MEMORY)
    columns = st.columns([1.75, 1.6, 0.5, 1.6, 0.9], vertical_alignment="bottom", gap="small")
    source = option_input(
        texts.source, "source", texts.sources, texts.sources.__getitem__,
        first="cross", where=columns[0],
    )  # fmt: skip
    tokens = texts.text_help.format(tokens=SEQUENCE.tokens)
    columns[1].text_input(texts.query_text, key="text", help=tokens)
    columns[2].button(
        "⇄", key="swap", help=texts.swap, on_click=_swap, disabled=source == "self", width="stretch"
    )
    columns[3].text_input(texts.key_text, key="memory", help=tokens, disabled=source == "self")
    seed = seed_input(texts.seed, FIRST_SEED, where=columns[4], help=texts.seed_help)
    memory = "" if source == "self" else st.session_state["memory"]
    tokenization_notes(f"{st.session_state['text']} {memory}", "word")
    (query_tokens,) = text.read(st.session_state["text"], "word", SEQUENCE)
    if source == "self":
        return Pair(query_tokens, query_tokens, False, seed)
    (key_tokens,) = text.read(st.session_state["memory"], "word", SEQUENCE)
    return Pair(query_tokens, key_tokens, True, seed)


def _swap() -> None:
    one, other = st.session_state["text"], st.session_state["memory"]
    link.set_value("text", other)
    link.set_value("memory", one)


def _embedded(tokens: tuple[str, ...], seed: int) -> Trace:
    return text.embed([tokens], D_MODEL, seed)
