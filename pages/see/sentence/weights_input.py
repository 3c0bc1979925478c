"""Where the weights of a sentence come from: drawn from a seed, trained, or typed by hand."""

from collections.abc import Mapping

import streamlit as st

from core import Trace
from core.limits import SHEET
from core.models.translator import is_chinese
from core.sources import text
from pages.see.sentence.words import WORDS
from views import link
from views.menu import PAGES
from views.reader import in_language
from views.widgets.sentence_input import FIRST_TEXT
from views.widgets.source_choice import source_choice

SOURCES = ("translator", "seeded")
OF_SEEDED = {
    "mode", "d_model", "heads", "seed", "mask", "position", "temperature", "dropout", "residual",
}  # fmt: skip


def weights_input() -> str:
    """The choice, ``translator`` to begin with, or ``seeded``."""
    said = in_language(WORDS)
    link.imply("model", implied_source(link.session().adopted or {}))
    return source_choice(said.source, SOURCES, said.sources)


def implied_source(query: Mapping[str, str]) -> str:
    """Whose weights a link means that does not say it.

    One that says something of random weights, or has a text that the trained model cannot read,
    means random ones: they were the first choice once.
    """
    is_of_seeded = query.keys() & OF_SEEDED or not is_chinese(query.get("text", FIRST_TEXT))
    return "seeded" if is_of_seeded else "translator"


def by_hand(trace: Trace) -> None:
    """The way to the page where every number is typed, with this sentence where it fits there."""
    names = trace["tokens" if "tokens" in trace else "source/tokens"].axis("token").names() or ()
    tokens = tuple(name for name in names if name != text.PAD)
    query, written = link.query_of("by_hand"), " ".join(tokens)
    if len(tokens) <= SHEET.tokens and text.read(written, "custom") == (tokens,):
        query = query | {"tokens": written}
    label = in_language(WORDS).by_hand
    st.page_link(str(PAGES["by_hand"]), label=label, query_params=query)
