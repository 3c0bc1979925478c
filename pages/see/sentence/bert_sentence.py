"""An English sentence in a real BERT, where its package is installed."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.errors import NotEnglish
from core.limits import LIMITS
from core.models.checkpoint import Checkpoint
from core.sources import text
from pages.see.sentence.trained_sentence import way_back
from pages.see.sentence.words import WORDS
from views import link, parse
from views.figures.axis import shortened
from views.models_folder import bert
from views.reader import in_language
from views.text import Words
from views.text.checkpoint import WORDS as CHECKPOINT
from views.widgets.checkpoint import board, special
from views.widgets.checkpoint.chosen import Chosen, opened
from views.widgets.checkpoint.computed import computed_or_told
from views.widgets.checkpoint.cut import told_of
from views.widgets.checkpoint.layers import chosen_layer
from views.widgets.checkpoint.view import checkpoint_view
from views.widgets.model_input import hold_model
from views.widgets.prose import prose
from views.widgets.sentence_input import ENGLISH, FIRST_MODEL, hold_mode, text_input
from views.widgets.sentence_input import FIRST_TEXT as CHINESE

NAME = "all-MiniLM-L6-v2"
SAMPLES = {
    **ENGLISH,
    "The trophy…": "The trophy does not fit in the suitcase because it is too big.",
    "I love Beijing": "I love Beijing",
    CHINESE: CHINESE,
}
(FIRST_TEXT,) = ENGLISH.values()
FIRST_LAYER = 6  # the last


def bert_layer(words: Words) -> tuple[Chosen, Trace]:
    """The chosen layer with every stage of it; of an example where the text cannot be read.

    What the controls of the seeded model say is kept.
    Raises what ``core.models.checkpoint.open`` raises.
    """
    link.bind_param("text", FIRST_TEXT)
    hold_mode(words)
    hold_model(words, FIRST_MODEL)
    place = bert()
    assert place
    model = opened(place, NAME, "trained")
    layer = chosen_layer(model, min(FIRST_LAYER, model.layers))
    found = computed_or_told(model, layer, partial(_text, model, words), words, FIRST_TEXT)
    assert found
    return found


def _text(model: Checkpoint, words: Words) -> str:
    """The controls, and the text that they say. Raises NotEnglish, and as ``Checkpoint.cut``."""
    said, places = in_language(WORDS), model.sizes.positions
    with st.sidebar:
        written = text_input(
            words, SAMPLES, said.text,
            in_language(CHECKPOINT).text_help.format(tokens=places, characters=LIMITS.text),
            said.one_text, first=FIRST_TEXT, as_typed=True,
        )  # fmt: skip
        st.caption(said.knows_bert)
        cut = model.encode(written)
        if not text.is_english(written):
            raise NotEnglish
        prose(told_of(cut, places, words), key="cut", style="quiet")
    return written


def keep_layer() -> None:
    """Keep in the link what was chosen of BERT's layers while none is shown."""
    link.preserve_param("layer", FIRST_LAYER, parse.number(1, 999))
    link.preserve_param(special.NAME, True, parse.flag, parse.written_flag)
    link.preserve_param(board.NAME, False, parse.flag, parse.written_flag)


def bert_view(chosen: Chosen, trace: Trace, words: Words) -> None:
    """The model's layers, and one part of it in the stage viewer."""
    assert isinstance(chosen.given, str)
    way_back(chosen.given, shortened(chosen.given))
    start = _start(trace[f"{chosen.attention}/weights"].tensor[0], chosen)
    checkpoint_view(chosen, trace, words, origin=partial(origin, chosen), start=start)


def _start(weights: np.ndarray, chosen: Chosen) -> Mapping[str, int]:
    """The head in which words look most at other words, and the most that one gives there.

    weights: (head, query, key). Special tokens are no words.
    """
    others = weights * (1 - np.eye(weights.shape[-1]))
    places = list(chosen.model.encode(str(chosen.given)).special)
    others[:, places] = others[:, :, places] = 0
    head = int(others.sum(axis=(1, 2)).argmax())
    query, key = np.unravel_index(others[head].argmax(), others[head].shape)
    return {"head": head, "query": int(query), "key": int(key)}


def origin(chosen: Chosen, words: Words) -> str:
    """Where the trained weights come from, in words."""
    return WORDS[words.code].origin_bert.format(
        name=chosen.model.name, layer=chosen.layer, layers=chosen.model.layers
    )
