"""The attention of an opened model to a sound on a time axis, and to the silence behind it."""

from collections.abc import Mapping

import streamlit as st

from core import Trace
from core.models.families.whisper import STRIDE, FeatureExtractor
from core.nested import subtrace
from core.sources.spectrum import HOP, RATE
from views import link, parse
from views.preferences import in_language
from views.selection import Selection
from views.text import CHECKPOINT, numbers
from views.text.spans import spans
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.prose import prose
from views.widgets.timeline import timeline

NAME = "filled"


def sound_start(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The initial cell: the loudest token and its largest weight; None without a sound."""
    if not chosen.model.listens:
        return None
    levels = trace["input/level"].tensor[0].mean(axis=1)  # (frame,)
    query = int(levels.argmax()) // STRIDE
    weights = trace[f"{chosen.attention}/weights"].tensor[0, 0, query]  # (key,)
    return {"query": query, "key": int(weights.argmax()), "frame": query * STRIDE}


def sound_card(chosen: Chosen, trace: Trace, selection: Selection) -> None:
    """Draw the sound with the weights of the chosen token; nothing without a sound.

    Whether the silence behind it is drawn too is bound to the link as ``filled``.
    """
    whole: bool = link.bind_param(NAME, False, parse.flag)
    reader = chosen.model.listens
    if not reader:
        return
    source, attention = (subtrace(trace, path) for path in ("input", chosen.attention))
    sounding = tokens_of(source)
    with st.container(border=True, key="sound_card"):
        timeline(source, attention, selection, None if whole else sounding)
        if sounding < attention["weights"].size("key"):
            _silence(reader, attention, sounding, selection)


def tokens_of(source: Trace) -> int:
    """The number of tokens that the sound reaches; those behind them are silence."""
    return -(-source["waveform"].size("sample") // (STRIDE * HOP))


def _silence(
    reader: FeatureExtractor, attention: Trace, sounding: int, selection: Selection
) -> None:
    """Draw the switch, and the weight that the chosen token gives to the silence."""
    texts, weights, at = in_language(CHECKPOINT).silence, attention["weights"], selection.at
    query = min(at["query"], weights.size("query") - 1)
    row = weights.tensor[0, at["head"], query]  # (key,)
    seconds = numbers.bare(reader.samples / RATE)
    sentence = spans(
        texts.share,
        query=(weights.axis("query").label(query), "query"),
        given=numbers.per_cent(float(row[sounding:].sum(dtype=float))),
        even=numbers.per_cent(1 - sounding / row.size),
    )
    with st.container(
        horizontal=True, vertical_alignment="center", gap="medium", key="silence_row"
    ):
        st.checkbox(texts.filled.format(seconds=seconds), key=NAME, width="content")
        prose([sentence], key="to_silence", style="quiet")
