"""The story's scenes: sums of small integers, and the reader's sentence in a trained model."""

from functools import cache, partial
from typing import Any

import numpy as np
import streamlit as st

from core import Trace
from core.models import translator
from core.models.translator import Translation
from core.models.worked import STORY
from views import link
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import Words, numbers
from views.text.spans import plain
from views.widgets.choice import sample_buttons
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.prose import heading, prose
from views.widgets.tokenization_notes import read_as

QUERY, KEY = 1, 2  # 爱 asks, and 北京 fits best
FIRST = "我爱北京"


@cache
def trace() -> Trace:
    """Every stage of the example."""
    return STORY.trace()


def story(texts: Words) -> dict[str, Any]:
    """The texts of the scenes for the browser, with the sums of the trace filled in."""
    sums = _sums()
    scenes = [
        scene.as_dict() | {name: scene[name].format(**sums) for name in ("question", "answer")}
        for scene in texts.scenes
    ]
    return {"scenes": scenes, "labels": texts.labels.as_dict()}


def _sums() -> dict[str, str]:
    Q, K, V, scores, weights, output = (
        trace()[key].tensor[0, 0] for key in ("Q", "K", "V", "scores", "weights", "head_output")
    )
    values = V[:, 0]
    products = " + ".join(f"{_n(q)}·{_n(k)}" for q, k in zip(Q[QUERY], K[KEY], strict=True))
    return {
        "q": _vector(Q[QUERY]),
        "k": _vector(K[KEY]),
        "average": f"({' + '.join(map(_n, values))}) / {len(values)} = {_n(values.mean())}",
        "product": f"{products} = {_n(scores[QUERY, KEY])}",
        "weighted": numbers.weighted_sum(
            weights[QUERY].tolist(), values.tolist(), float(output[QUERY, 0])
        ),
    }


def _vector(row: np.ndarray) -> str:
    return f"({', '.join(map(_n, row))})"


def _n(value: float) -> str:
    return numbers.bare(float(value))


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
