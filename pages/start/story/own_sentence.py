"""The story's last scene: the reader's own sentence in a trained model of its language."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.head_patterns import first_shown
from core.models import pretrained, translator
from core.models.installed import shipped
from core.models.opened_model import Checkpoint
from core.models.pretrained import SMOLLM2
from core.models.translator import Translation
from core.sources import text
from core.sources.visible import SIGNS
from views import link
from views.navigation import PAGE_INFO, PAGES
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import plain
from views.widgets.checkpoint.cached_layers import predicted
from views.widgets.checkpoint.chosen_input import Chosen, opened, opened_pretrained
from views.widgets.choice import sample_buttons
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.known_heads import (
    heads_of,
    known_pairs,
    most_to_others,
    start_cell,
    words_of,
)
from views.widgets.prose import heading, prose
from views.widgets.tokenization_notes import read_as

LISTED = 3  # likeliest next tokens


@dataclass(frozen=True)
class OwnHead:
    """A head of a decoder that does something with a sentence.

    tokens: their names. weights: (query, key). query: the word to begin with. source: the model's
    name in links. what: which head it is, and what it does, in words.
    """

    tokens: tuple[str, ...]
    weights: np.ndarray
    query: int
    source: str
    what: str
    following: str

    def sent(self) -> dict[str, Any]:
        """What the browser draws."""
        return {
            "names": self.tokens,
            "weights": self.weights.round(4).tolist(),
            "query": self.query,
            "what": self.what,
            "following": self.following,
        }


def own_sentence(texts: Words, words: Words) -> OwnHead | None:
    """Draw the input, what is found in it, and links to other pages with it.

    Returns the head of an English sentence, which the story draws; a Chinese one is translated.
    """
    first = next(iter(texts.samples))
    written, made = computed(partial(_written, texts, first), partial(_made, texts), first, words)
    if isinstance(made, Translation):
        with st.container(border=True, key="glance_card"):
            _translation(written, made, texts, words)
    prose([[(texts.next_pages, "")]], key="next_pages")
    pages: dict[str, dict[str, str]] = {"sentence": {"text": written}}
    if isinstance(made, OwnHead):
        pages["sentence"] |= {"model": made.source}
        pages["writing"] = pages["sentence"]
    else:
        pages["translation"] = {"text": written}
    pages["image"] = {}
    with st.container(horizontal=True, key="next_links"):
        for name, given in pages.items():
            st.page_link(
                str(PAGES[name]),
                label=f"{plain(in_language(PAGE_INFO)[name].title)} →",
                query_params=link.query_of(name) | given,
            )
    return made if isinstance(made, OwnHead) else None


def _written(texts: Words, first: str) -> str:
    link.bind_param("text", first)
    written: str = st.text_input(texts.text, key="text")
    sample_buttons({label: sample for sample, label in texts.samples.items()})
    return written


def _made(texts: Words, written: str) -> Translation | OwnHead:
    """Raises what ``Translator.translate`` or ``Checkpoint.survey`` raises."""
    if text.is_chinese(written) or not text.is_english(written):
        return translator.load().translate(written)
    return _head(texts, written)


def _head(texts: Words, written: str) -> OwnHead:
    source, model = _decoder()
    chosen = Chosen(model, written, model.layers)
    encoding, prediction = model.encode(written), predicted(chosen)
    words, found = words_of(chosen), heads_of(chosen)
    one = first_shown(found, encoding.ids, words)
    layer = one.layer + 1 if one else model.layers
    every = model.run(written, layer)[f"encoder/{layer}/self/weights"].tensor[0]
    head = one.head if one else most_to_others(every, words)
    start = start_cell(every[head], words, known_pairs(found, layer - 1, head, encoding.ids))
    known = in_language(CHECKPOINT).known
    position = known.position.format(layer=layer, head=head + 1)
    what = known.does.format(position=position, does=known.helps[one.known] if one else texts.no)
    shares = {number: float(prediction.probabilities[number]) for number in prediction.likeliest}
    listed = (
        f"“{_bare(model.name_of(number))}” {numbers.per_cent(share, 0)}"
        for number, share in list(shares.items())[:LISTED]
    )
    following = texts.following.format(model=model.name, listed=texts.mark.join(listed))
    return OwnHead(
        tuple(map(_bare, encoding.tokens)), every[head], start["query"], source, what, following
    )


def _bare(token: str) -> str:
    """A token without the mark of the space before it, unless it is nothing else."""
    return token.lstrip(SIGNS[" "]) or token


def _decoder() -> tuple[str, Checkpoint]:
    """The name in links, and the model: SmolLM2, or the project's own where it is missing."""
    if pretrained.is_there(SMOLLM2):
        return SMOLLM2.name, opened_pretrained(SMOLLM2)
    return "decoder", opened(shipped()["decoder"], "decoder", "trained")


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
