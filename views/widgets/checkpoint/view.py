"""An opened model: its layers, the map of one of them, and any part in the viewer."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
import streamlit as st

from core import Trace
from core.models.families.whisper import STRIDE, FeatureExtractor
from core.models.opened_model import Checkpoint
from core.models.prediction import Prediction
from core.nested import parts, subtrace
from core.sources.spectrum import HOP, RATE
from views import link, parse
from views.preferences import in_language
from views.selection import Selection
from views.text import CHECKPOINT, Words, numbers
from views.text.spans import spans
from views.widgets.checkpoint.cached_layers import all_layers
from views.widgets.checkpoint.chosen_input import Chosen
from views.widgets.checkpoint.head_overview import head_overview, overview_asked
from views.widgets.checkpoint.layers import chosen_part_of, layers
from views.widgets.checkpoint.next_token import next_token_buttons, predict_next, with_prediction
from views.widgets.checkpoint.notes import with_stored
from views.widgets.checkpoint.picture_card import attention_card, photos_beside, picture_start
from views.widgets.checkpoint.special import (
    hidden_positions,
    pooled_start,
    pooled_token,
    special_of,
    special_tokens,
)
from views.widgets.checkpoint.what_if_card import (
    next_token_changes,
    next_token_effects,
    next_token_relevance,
)
from views.widgets.interventions import Intervened, with_changes
from views.widgets.known_heads import start_cell, words_of
from views.widgets.microscope import FirstView
from views.widgets.model_map import Whole, chosen_part
from views.widgets.prose import prose
from views.widgets.relevance import relevance_card
from views.widgets.timeline import timeline
from views.widgets.viewer import part_viewer

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


def checkpoint_view(
    chosen: Chosen,
    trace: Trace,
    words: Words,
    *,
    origin: Callable[[Chosen, Words], str],
    start: Mapping[str, int] | None = None,
    first_view: FirstView | None = None,
    card: bool = True,
    of: Intervened[Checkpoint] | None = None,
) -> Selection:
    """Show a layer of the model; returns the selected cell.

    origin: where the weights of a layer come from, in words. start: the initial cell of a text,
    from 0 by axis. first_view: shows the words of a text alone at first; then the next token is
    predicted from the start, whatever the size of the model. card: whether a sound is drawn, if
    the page does not draw it itself. of: the model with the changes of the link and without, if it
    takes changes.
    """
    texts, model = in_language(CHECKPOINT), chosen.model
    made = predict_next(chosen, first_view is not None)
    trace = with_prediction(chosen, trace, made)
    asked = None
    with st.container(key="mattering"):  # always drawn: else what follows is created again
        if of is not None and model.decodes and isinstance(made, Prediction):
            asked = next_token_relevance(chosen, of.plain)
    more = asked.parts if asked else ()
    path = chosen_part_of((*parts(trace), *more), chosen.attention)
    whole = Whole(texts.called[model.config.model_type], (model.layers,))
    special = special_of(chosen)
    hidden = hidden_positions(special)

    def lead(selection: Selection) -> None:
        layers(model, chosen.layer)
        pooled_token(chosen, trace)
        attention_card(chosen, trace, selection, words)
        if card:
            sound_card(chosen, trace, selection)
        chosen_part(trace, chosen.attention, words, hidden, whole, more)

    def where(of: Chosen, language: Words) -> str:
        said = with_changes(origin(of, language), model.interventions, language)
        return with_stored(model, said, language)

    starts = (begin(chosen, trace) for begin in (picture_start, sound_start, pooled_start))
    start = start or _text_start(chosen, trace)
    shown = part_viewer(
        trace, path, words, origin=partial(where, chosen), lead=lead, hidden=hidden,
        photos=_photos(chosen), start=next(filter(None, starts), start),
        first_view=first_view, layers=all_layers(chosen, trace, path, where),
        gradients=asked.gradients(trace, chosen.attention) if asked else None,
    )  # fmt: skip
    photos_beside(chosen, trace, path, shown, words)
    with st.container(key="viewer_more"):
        with st.container(horizontal=True, gap="medium", key="layer_row"):
            special_tokens(special, chosen, trace, shown.selection)
            compare = overview_asked(chosen)
        if compare:
            head_overview(chosen, shown.selection.at["head"], special.names, words)
        next_token_buttons(chosen, made, words)
    room = None
    if of is not None:
        predicts = model.decodes and isinstance(made, Prediction)
        room = next_token_changes(of, chosen, trace, shown.selection.at["head"], predicts)
    if asked:
        with st.container(border=True, key="mattered_card"):
            relevance_card(asked, chosen.attention, shown.selection.at["head"] + 1, "token")
    if of is not None and room is not None and isinstance(made, Prediction):
        next_token_effects(room, of, chosen, shown.selection.at["head"], made.likeliest[0])
    return shown.selection


def _text_start(chosen: Chosen, trace: Trace) -> Mapping[str, int] | None:
    """The initial cell of the first head: the largest weight from one word to another."""
    if not isinstance(chosen.given, str):
        return None
    weights = trace[f"{chosen.attention}/weights"].tensor[0, 0]
    return {"head": 0, **start_cell(weights, words_of(chosen), None)}


def _photos(chosen: Chosen) -> np.ndarray | None:
    """The input picture as a batch of one; None for a text or a sound."""
    if isinstance(chosen.given, str) or not chosen.model.processor:
        return None
    return chosen.given[None]
