"""A sentence in a model that is opened from a folder: a real BERT, or the project's decoder."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.limits import LIMITS
from core.models.checkpoint import Checkpoint
from core.models.installed import bert, shipped
from core.sources import text
from pages.see.sentence.trained_sentence import restore_button
from views import link, parse
from views.figures.axis import shortened
from views.preferences import in_language
from views.text import CHECKPOINT, Words, words_beside
from views.widgets.checkpoint import head_overview, special
from views.widgets.checkpoint.cached_layers import computed_layer
from views.widgets.checkpoint.chosen_input import Chosen, opened
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.token_counts import token_notes
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.model_card import model_card
from views.widgets.model_input import preserve_model
from views.widgets.prose import prose
from views.widgets.sentence_input import ENGLISH, FIRST_MODEL, preserve_mode, text_input
from views.widgets.sentence_input import FIRST_TEXT as CHINESE

WORDS = words_beside(__file__)

SAMPLES = {
    **ENGLISH,
    "The trophy…": "The trophy does not fit in the suitcase because it is too big.",
    "I love Beijing": "I love Beijing",
    CHINESE: CHINESE,
}
(FIRST_TEXT,) = ENGLISH.values()
FIRST_LAYER = 6  # the last


@dataclass(frozen=True)
class Opened:
    """A model that is read from a folder.

    source: its name in the link. name: its own. folder: None if it is not installed. reads: whether
    the model knows the language of a text.
    """

    source: str
    name: str
    folder: Callable[[], Path | None]
    reads: Callable[[str], bool]


def _any(written: str) -> bool:
    return True


BERT = Opened("bert", "all-MiniLM-L6-v2", bert, text.is_english)
DECODER = Opened("decoder", "decoder", lambda: shipped().get("decoder"), _any)
OPENED = {one.source: one for one in (BERT, DECODER)}


def layer_of(opened_model: Opened, words: Words) -> tuple[Chosen, Trace]:
    """The chosen layer and its trace; of an example if the text cannot be read.

    Parameters of the seeded model stay in the link. Raises as ``core.models.checkpoint.open``.
    """
    link.bind_param("text", FIRST_TEXT)
    preserve_mode(words)
    preserve_model(words, FIRST_MODEL)
    folder = opened_model.folder()
    assert folder
    model = opened(folder, opened_model.name, "trained")
    layer = chosen_layer(model, min(FIRST_LAYER, model.layers))
    read = partial(_text, opened_model, model, words)
    found = computed_layer(model, layer, read, words, FIRST_TEXT)
    assert found
    return found


def _text(opened_model: Opened, model: Checkpoint, words: Words) -> str:
    """Draw the controls and return the text. Raises not_english, and as ``Checkpoint.encode``."""
    texts, positions = in_language(WORDS), model.config.positions
    written = text_input(
        SAMPLES, texts.text,
        in_language(CHECKPOINT).text_help.format(tokens=positions, characters=LIMITS.text),
        texts.one_text, first=FIRST_TEXT, as_typed=True,
    )  # fmt: skip
    with st.sidebar:
        st.caption(texts.knows_opened[opened_model.source])
        encoding = model.encode(written)
        if not opened_model.reads(written):
            raise InputError("not_english")
        prose(token_notes(encoding, positions, words), key="cut", style="quiet")
    return written


def keep_layer() -> None:
    """Keep the parameters of the layers in the link while none is shown."""
    link.preserve_param("layer", FIRST_LAYER, parse.number(1, 999))
    link.preserve_param(special.NAME, True, parse.flag)
    link.preserve_param(head_overview.NAME, False, parse.flag)


def layer_view(opened_model: Opened, chosen: Chosen, trace: Trace, words: Words) -> None:
    """Draw the model's layers, and one part of it in the stage viewer."""
    assert isinstance(chosen.given, str)
    with st.container():  # whatever is shown in it, what follows it stays the same element
        restore_button(chosen.given, shortened(chosen.given))
    start = _start(trace[f"{chosen.attention}/weights"].tensor[0], chosen)
    checkpoint_view(chosen, trace, words, origin=partial(origin, opened_model, chosen), start=start)
    if opened_model is DECODER:
        model_card(DECODER.name, words)


def _start(weights: np.ndarray, chosen: Chosen) -> Mapping[str, int]:
    """The initial cell: the largest weight between two different words, in one head.

    The head is that with the largest sum of such weights. Special tokens do not count.
    weights: (head, query, key).
    """
    others = weights * (1 - np.eye(weights.shape[-1]))
    positions = list(chosen.model.encode(str(chosen.given)).special)
    others[:, positions] = others[:, :, positions] = 0
    head = int(others.sum(axis=(1, 2)).argmax())
    query, key = np.unravel_index(others[head].argmax(), others[head].shape)
    return {"head": head, "query": int(query), "key": int(key)}


def origin(opened_model: Opened, chosen: Chosen, words: Words) -> str:
    """Where the trained weights come from, in words."""
    return (
        WORDS[words.code]
        .origin_opened[opened_model.source]
        .format(name=chosen.model.name, layer=chosen.layer, layers=chosen.model.layers)
    )
