"""Frequent questions, each answered with numbers of the user's sentence."""

from collections.abc import Callable
from itertools import pairwise

import streamlit as st

from pages.understand.glossary import scores, shapes
from pages.understand.glossary.answer import D_MODEL, HEADS, Answer, Example, example
from views.text import Words
from views.text.spans import Span, plain, spans
from views.widgets.grids import grids
from views.widgets.lesson import page_link
from views.widgets.prose import prose
from views.widgets.sentence_input import Sentence

Answers = Callable[[Example, Words, Words], Answer]
ASKED: dict[str, tuple[Answers, str]] = {  # the answer, and the page that it links to
    "transpose": (scores.transpose, "by_hand"),
    "axis": (scores.axis, "softmax"),
    "root": (scores.root, "scaling"),
    "shape": (shapes.shape, "sizes"),
    "again": (scores.again, "cross"),
    "lengths": (shapes.lengths, "cross"),
    "view": (shapes.view, "break_it"),
    "bias": (scores.bias, "softmax"),
    "heads": (shapes.heads, "heads"),
    "position": (shapes.position, "order"),
}


def questions(sentence: Sentence, texts: Words, words: Words) -> None:
    """Draw every question; the one in the link is open, by default the first."""
    computed = example(sentence)
    fields: dict[str, str | Span] = {
        "sentence": ("".join(_joined(computed.words)), ""),
        "d_model": str(D_MODEL),
        "heads": str(HEADS),
        "seed": str(computed.seed),
    }
    prose([spans(texts.given, **fields)], key="given", style="quiet")
    opened: str = st.session_state["question"]
    for name, (compute, page) in ASKED.items():
        question = texts.questions[name]
        with st.expander(plain(question.asked), expanded=name == opened):
            answer = compute(computed, question, texts)
            prose([spans(line, **answer.fields) for line in question.answer], key=f"said_{name}")
            grids(answer.figure, key=f"figure_{name}")
            page_link(texts.more, page)


def _joined(words: tuple[str, ...]) -> list[str]:
    """The words as a sentence, with spaces where its script has them."""
    spaced = [
        (" " if before[-1:].isascii() and word[:1].isascii() else "") + word
        for before, word in pairwise(words)
    ]
    return [words[0], *spaced]
