"""The controls of the page of one's own model: which one, and what it reads."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
import streamlit as st

from core.errors import InputError
from core.limits import LIMITS
from core.models.checkpoint import Checkpoint
from core.models.config import ModelConfig
from core.models.families.whisper import STRIDE, FeatureExtractor
from core.models.processor import Processor
from core.sources.spectrum import HOP, RATE
from core.sources.tokenizer import Encoding
from views import link, parse
from views.figures.axis import shortened
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers, words_beside
from views.text.spans import mathematics, plain, spans
from views.widgets.checkpoint.chosen_input import Chosen, opened
from views.widgets.checkpoint.photo_processing import prepared, processed
from views.widgets.checkpoint.token_counts import told_of
from views.widgets.choice import choice
from views.widgets.image_input import chosen_file, chosen_images, preserve_images
from views.widgets.prose import prose
from views.widgets.sound_input import channels_note, read_source, sound_source

WORDS = words_beside(__file__)

FIRST_PICTURE = "cat"
SAMPLES = ("我爱北京", "The cat sat on the mat because it was warm.")


def first_that_opens(own: Mapping[str, Path]) -> str:
    """The name of the reader's first model that can be opened; empty if none can."""
    for name, folder in own.items():
        with suppress(InputError):
            opened(folder, name)
            return name
    return ""


def none_opens(shown: str) -> None:
    """Say that no model of the reader's folder can be opened. shown: the model shown instead."""
    prose([spans(in_language(WORDS).none_opens, shown=shown)], key="none_opens", style="notice")


def which(found: Mapping[str, Path], reasons: Mapping[str, InputError], first: str) -> str:
    """The name of the chosen model among those that are offered; one that is not is told.

    reasons: why further folders cannot be opened, which the list names, too.
    """
    said = in_language(WORDS)
    asked: str = link.bind_param("model", first)
    names = (*found, *reasons)
    if asked not in names:
        st.session_state["model"] = first
        missing = spans(said.not_offered, asked=shortened(asked), shown=first)
        prose([missing], key="not_offered", style="notice")

    def label(name: str) -> str:
        if name not in reasons:
            return name
        why = reasons[name]
        reason = said.reasons[why.code].format(**why.fields)
        return said.unopenable.format(name=name, reason=reason)

    with st.sidebar:
        choice(said.model, "model", names, label)
    name: str = st.session_state["model"]
    return name


def chosen_tower(towers: tuple[str, ...]) -> str:
    """The tower of a model that has several, with its control; empty for one that has none.

    The link has it as ``tower``.
    """
    known = tuple(in_language(WORDS).towers)
    link.bind_param("tower", known[0], parse.one_of(known))
    if not towers:
        return ""
    said = in_language(WORDS)
    with st.sidebar:
        chosen = st.segmented_control(
            said.tower, towers, format_func=lambda name: said.towers[name], key="tower",
            required=True,
        )  # fmt: skip
    return str(chosen)


def asked(model: Checkpoint, words: Words) -> str | np.ndarray:
    """The controls, and the text or picture that they say. Raises core.errors.InputError.

    What belongs to models of another kind is not shown, and kept in the link all the same.
    """
    with st.sidebar:
        st.caption(mathematics(about(model.config)))
        if not model.listens:
            _preserve("sound")
        if model.processor or model.listens:
            _preserve("text")
        if not model.processor:
            preserve_images(FIRST_PICTURE)
        if model.processor:
            return _picture(model.processor, model.config.patch, words)
        return _sound(model, model.listens) if model.listens else _text(model, words)


def _preserve(name: str) -> None:
    if not link.preserve_param(name, ""):
        link.forget(name)


def about(config: ModelConfig) -> str:
    """A model in numbers."""
    said = in_language(WORDS)
    return said.about.format(
        model=in_language(CHECKPOINT).called[config.model_type],
        reads=said.reads["causal" if config.causal else config.token],
        layers=config.layers, heads=config.heads,
        d_model=config.d_model, d_ff=config.d_ff,
    )  # fmt: skip


def origin(chosen: Chosen, words: Words) -> str:
    """Where the weights come from, in words."""
    texts = WORDS[words.code]
    is_shipped = chosen.model.parameter == "trained"
    return (texts.origin_shipped if is_shipped else texts.origin).format(
        name=chosen.model.name, layer=chosen.layer, layers=chosen.model.layers
    )


def first_text(model: Checkpoint) -> str:
    """The first sample that this model cuts into characters or longer pieces.

    Where there is none: the first one that it has places for; else the last.
    """
    cuts = {text: cut for text in SAMPLES if (cut := _cut(model, text))}
    known = (
        text
        for text, cut in cuts.items()
        if not cut.unknown and len(cut.tokens) - len(cut.special) <= len(text)
    )
    return next(known, next(iter(cuts), SAMPLES[-1]))


def example(model: Checkpoint) -> str | None:
    """The text that is shown where the first one is refused; None for a model of another kind."""
    if model.processor or model.listens:
        return None
    text = first_text(model)
    return text if _cut(model, text) else None


def _cut(model: Checkpoint, text: str) -> Encoding | None:
    try:
        return model.encode(text)
    except InputError:
        return None


def _text(model: Checkpoint, words: Words) -> str:
    said, places = in_language(WORDS), model.config.positions
    written: str = link.bind_param("text", first_text(model))
    st.text_area(
        said.text,
        key="text",
        height=84,
        help=in_language(CHECKPOINT).text_help.format(tokens=places, characters=LIMITS.text),
    )
    with st.container(horizontal=True, gap="xsmall", key="samples"):
        for number, sample in enumerate(SAMPLES):
            st.button(
                sample, key=f"sample_{number}", on_click=link.set_value, args=("text", sample)
            )
    prose(told_of(model.encode(written), places, words), key="cut", style="quiet")
    return written


def _sound(model: Checkpoint, listens: FeatureExtractor) -> np.ndarray:
    said = in_language(WORDS)
    chosen = read_source(*sound_source())
    channels_note(chosen)
    kept = chosen.samples[: listens.samples]
    if chosen.lasts or len(kept) < len(chosen.samples):
        limit = numbers.bare(listens.samples / RATE)
        prose([spans(said.sound_cut, seconds=limit)], key="sound_cut", style="notice")
    seconds, tokens = numbers.bare(listens.samples / RATE), listens.samples // (STRIDE * HOP)
    told = said.sound_help.format(seconds=seconds, mels=listens.mels, tokens=tokens)
    st.caption(plain(f"{told} {said.sound_by_head}" if model.by_head else told))
    return kept


def _picture(processor: Processor, patch: int, words: Words) -> np.ndarray:
    chosen_images(words, FIRST_PICTURE, most=1)
    taken = in_language(WORDS).picture_help
    told = taken.format(side=processor.side, patch=patch, steps=prepared(processor))
    st.caption(plain(told))
    return processed(processor, chosen_file())
