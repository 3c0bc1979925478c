"""The story's scenes: a recorded word of a pretrained model, a tiny model, and one's own words."""

from functools import cache, partial
from typing import Any

import streamlit as st

from core import Trace
from core.models import pretrained, story, translator
from core.models.meanings import meanings
from core.models.translator import Translation
from views import link
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import Words
from views.text.spans import plain
from views.widgets.choice import sample_buttons
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.prose import heading, prose
from views.widgets.tokenization_notes import read_as

FIRST = "我爱北京"
BY_HEAD = ("K", "V")


def scenes(texts: Words, code: str) -> dict[str, Any]:
    """What the browser needs for all scenes: texts, and the numbers of both models."""
    vocabulary, sentences = texts.vocabulary, tuple(map(tuple, texts.sentences))
    names = [[vocabulary[number] for number in numbers] for numbers in sentences]
    (query,) = {numbers.index(story.WORD) for numbers in sentences}
    recorded = meanings()[code]
    return {
        "scenes": [scene.as_dict() for scene in texts.scenes],
        "labels": texts.labels.as_dict(),
        "meanings": recorded | {"title": pretrained.ALL[recorded["model"]].title},
        "names": names,
        "query": query,
        "steps": _steps(sentences, query),
    }


@cache
def _steps(sentences: tuple[tuple[int, ...], ...], query: int) -> list[dict[str, Any]]:
    """The tiny model at each step of its training, with the row of the word that asks."""
    return [
        {
            "step": model.step,
            "accuracy": model.accuracy,
            **{name: getattr(model, name).tolist() for name in ("W_Q", "W_K", "W_V")},
            "sentences": [
                _row(model.trace(numbers, [str(number) for number in numbers]), query)
                for numbers in sentences
            ],
        }
        for model in story.steps()
    ]


def _row(trace: Trace, query: int) -> dict[str, Any]:
    """By head the row of the word that asks, and what every word has."""
    tensor = {key: trace[key].tensor[0] for key in trace if trace[key].axes[0].role == "batch"}
    rows = {"Q": "Q", "scores": "scores", "weights": "weights", "mixed": "head_output"}
    return {
        "X": tensor["X"].tolist(),
        **{name: tensor[name].tolist() for name in BY_HEAD},
        **{name: tensor[key][:, query].tolist() for name, key in rows.items()},
    }


def trained(texts: Words, words: Words) -> None:
    """Draw the input, the translation with its best head, and links to other pages."""
    model = translator.load()
    written, made = computed(partial(_written, texts), model.translate, FIRST, words)
    with st.container(border=True, key="glance_card"):
        _translation(written, made, texts, words)
    prose([[(texts.next_pages, "")]], key="next_pages")
    with st.container(horizontal=True, key="next_links"):
        typed = st.session_state["text"].strip() or written  # Sentence reads other languages, too
        for name, given in {
            "sentence": {"text": typed}, "translation": {"text": written}, "image": {},
        }.items():  # fmt: skip
            st.page_link(
                str(PAGES[name]),
                label=f"{plain(in_language(PAGE_INFO)[name].title)} →",
                query_params=link.query_of(name) | given,
            )


def _written(texts: Words) -> str:
    link.bind_param("text", FIRST)
    written: str = st.text_input(texts.text, key="text")
    sample_buttons({label: sample for sample, label in texts.samples.items()})
    return written


def _translation(written: str, made: Translation, texts: Words, words: Words) -> None:
    model = translator.load()
    label = texts.title.format(source=written, target=model.decode(made.pieces))
    heading(label)
    read_as(written, made.tokens)
    layer, head = glance(model, made, label)
    lines = [texts.origin.format(head=head, layer=layer)]
    if model.supervised_head == (layer - 1, head - 1):
        lines.append(words.home.glance_taught)
    prose([[(line, "")] for line in lines], key="translation_origin", style="quiet")
