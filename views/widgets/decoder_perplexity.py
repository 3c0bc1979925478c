"""The perplexity of a reader's sentence in the decoder with other attention in all layers."""

from collections.abc import Hashable

import streamlit as st

from core.limits import TODAY
from core.models.altered import Change, perplexity
from views.widgets.decoder_input import Reading


def sentence_perplexity(reading: Reading, name: Hashable, change: Change) -> float:
    """The perplexity of the sentence, computed once for all sessions: it takes some 25 ms.

    name: tells apart the changes that any page makes. change: of the attention of every layer.
    Raises as ``Checkpoint.log_probabilities``.
    """
    return _perplexity(reading.text, name, reading, change)


def trained_perplexity(reading: Reading) -> float:
    """The same with the attention that was trained."""
    return sentence_perplexity(reading, "trained", lambda attention: attention)


@st.cache_data(max_entries=1024, show_spinner=False)
def _perplexity(text: str, name: Hashable, _reading: Reading, _change: Change) -> float:
    return perplexity(_reading.model.log_probabilities(text, _change, TODAY))
