"""A reader's sentence in the shipped decoder: its controls, its attention, and its perplexity."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

import streamlit as st

from core.errors import InputError
from core.limits import TODAY
from core.models.altered import Attention, Change, perplexity
from core.models.installed import shipped
from core.models.opened_model import Checkpoint
from core.sources.tokenizer import Encoding
from views import link, parse
from views.preferences import in_language
from views.text import DECODER, Words
from views.widgets.checkpoint.chosen_input import opened
from views.widgets.sentence_input import text_input

FIRST_TEXT = "The cat sat on the mat because it was warm"
SAMPLES = {
    "The cat…": FIRST_TEXT,
    "Tom doesn’t…": "Tom doesn't know how to do that",
    "我爱北京": "我爱北京",
    "小猫在树上…": "小猫在树上睡觉，因为它累了。",
}
FIRST_LAYER = 4


@dataclass(frozen=True, eq=False)
class Reading:
    """A sentence in the decoder. layer: from 1, that is looked at."""

    model: Checkpoint
    text: str
    layer: int

    @cached_property
    def encoding(self) -> Encoding:
        """The tokens of the sentence. Raises what ``Checkpoint.encode`` raises."""
        return self.model.encode(self.text, TODAY)

    @cached_property
    def attention(self) -> Attention:
        """The attention of the layer, as it was trained. Raises as ``Checkpoint.attention``."""
        return self.model.attention(self.text, self.layer, TODAY)

    def origin(self, words: Words) -> str:
        """Where the weights come from, in words."""
        return DECODER[words.code].origin.format(layer=self.layer, layers=self.model.layers)


def first_reading(layer: int = FIRST_LAYER, text: str = FIRST_TEXT) -> Reading:
    """The example with which a page begins."""
    return Reading(_decoder(), text, layer)


def decoder_input(
    *,
    layer: int | None = FIRST_LAYER,
    samples: Mapping[str, str] = SAMPLES,
    first: str = FIRST_TEXT,
) -> Reading:
    """Draw the text box with samples, and the choice of a layer.

    layer: the one to begin with; None for a page without that choice, which reads all. samples: by
    the labels of their buttons; first: the text to begin with.
    Raises too_many_tokens, and what ``Checkpoint.encode`` raises.
    """
    texts, model = in_language(DECODER), _decoder()
    written = text_input(
        samples, texts.text, texts.text_help.format(tokens=TODAY.tokens), texts.one_text,
        first=first, as_typed=True,
    )  # fmt: skip
    chosen = 1
    if layer is not None:
        link.bind_param("layer", layer, parse.number(1, model.layers))
        st.segmented_control(texts.layer, range(1, model.layers + 1), key="layer", required=True)
        chosen = st.session_state["layer"]
    reading = Reading(model, written, chosen)
    tokens = len(reading.encoding.ids)
    if tokens > TODAY.tokens:
        raise InputError("too_many_tokens", line=1, tokens=tokens, limit=TODAY.tokens)
    return reading


def _decoder() -> Checkpoint:
    return opened(shipped()["decoder"], "decoder", "trained")


def sentence_perplexity(reading: Reading, name: Hashable, change: Change) -> float:
    """The perplexity of the sentence, computed once for all sessions: it takes some 25 ms.

    name: of the change, unique among all pages. change: of the attention of every layer.
    Raises as ``Checkpoint.log_probabilities``.
    """
    return _perplexity(reading.text, name, reading, change)


def trained_perplexity(reading: Reading) -> float:
    """The same with the attention that was trained."""
    return sentence_perplexity(reading, "trained", lambda attention: attention)


@st.cache_data(max_entries=1024, show_spinner=False)
def _perplexity(text: str, name: Hashable, _reading: Reading, _change: Change) -> float:
    return perplexity(_reading.model.log_probabilities(text, _change, TODAY))
