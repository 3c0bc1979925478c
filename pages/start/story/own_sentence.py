"""The story's last scene: the reader's own sentence in a trained model of its language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from core.experiments.head_patterns import first_shown, pairs_of, thumbnails
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
from views.widgets.checkpoint.cached_layers import pictured_heads, predicted
from views.widgets.checkpoint.chosen_input import Chosen, opened, opened_pretrained
from views.widgets.choice import sample_buttons
from views.widgets.errors import computed
from views.widgets.glance import glance
from views.widgets.known_heads import (
    apart,
    heads_of,
    start_cell,
    words_in,
    words_of,
)
from views.widgets.prose import heading, prose
from views.widgets.tokenization_notes import read_as

LISTED = 3  # likeliest next tokens
PRONOUNS = frozenset(["he", "she", "it", "they", "him", "her", "them", "his", "its", "their"])


@dataclass(frozen=True)
class OwnHead:
    """A head of a decoder that does something with a sentence.

    tokens: their names. weights: (query, key). query: the word to begin with. source: the model's
    name in links. what: which head it is, and what it does, in words. touch: a word to go on with.
    at: its parameters in links.
    """

    tokens: tuple[str, ...]
    weights: np.ndarray
    query: int
    source: str
    what: str
    following: str
    touch: str
    at: Mapping[str, str]

    def sent(self) -> dict[str, Any]:
        """What the browser draws."""
        return {
            "names": self.tokens,
            "weights": self.weights.round(4).tolist(),
            "query": self.query,
            "what": self.what,
            "following": self.following,
            "touch": self.touch,
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
        pages["sentence"] = pages["sentence"] | dict(made.at)
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
    words, known = words_of(chosen), in_language(CHECKPOINT).known
    telling = [one for one in heads_of(chosen) if one.known != "previous"]
    one = first_shown(telling, encoding.ids, words)
    pairs = pairs_of(one, encoding.ids) if one else apart(words)
    if one:
        layer, head, does = one.layer, one.head, known.helps[one.known]
    else:
        layer, head = _most(pictured_heads(chosen)[1], pairs)
        does = texts.apart.format(count=model.layers * model.heads)
    weights = model.run(written, layer + 1)[f"encoder/{layer + 1}/self/weights"].tensor[0, head]
    start = start_cell(weights, words, pairs)
    position = known.position.format(layer=layer + 1, head=head + 1)
    what = known.does.format(position=position, does=does)
    at = {"layer": layer, "head": head, "row": start["query"]}
    shares = {number: float(prediction.probabilities[number]) for number in prediction.likeliest}
    listed = (
        f"“{_bare(model.name_of(number))}” {numbers.per_cent(share, 0)}"
        for number, share in list(shares.items())[:LISTED]
    )
    following = texts.following.format(model=model.name, listed=texts.mark.join(listed))
    names = tuple(map(_bare, encoding.tokens))
    return OwnHead(
        names,
        weights,
        start["query"],
        source,
        what,
        following,
        _touch(names, weights, words, start["query"]),
        {name: str(number + 1) for name, number in at.items()},
    )


def _touch(names: Sequence[str], weights: np.ndarray, words: np.ndarray, query: int) -> str:
    """Of the words that are not shown first, the one that takes most from a word further off.

    Only a word that takes most from such a one, a pronoun before others, for its meaning stands
    elsewhere. words: of ``words_of``. Returns "" for a sentence that has no such word.
    """
    among = np.where(apart(words), weights, 0)  # (query, key)
    most = among.max(axis=1) * (among.argmax(axis=1) == weights.argmax(axis=1))
    most[query] = 0
    if (pronouns := most * [name.lower() in PRONOUNS for name in names]).any():
        most = pronouns
    return names[int(most.argmax())] if most.any() else ""


def _most(pictures: np.ndarray, pairs: np.ndarray) -> tuple[int, int]:
    """The layer and the head, from 0, with the largest weight among pairs.

    pictures: of ``pictured_heads``.
    """
    heads, side = pictures.shape[1:3]
    shown = thumbnails(pairs[None].astype(float), side)
    layer, head = divmod(int((pictures * shown).max(axis=(2, 3)).argmax()), heads)
    return layer, head


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
    first = words_in([model.target[piece] for piece in made.pieces]).argmax()
    layer, head = glance(model, made, label, int(first), brief=True)
    prose(
        [[(texts.origin.format(head=head, layer=layer), "")]],
        key="translation_origin",
        style="quiet",
    )
