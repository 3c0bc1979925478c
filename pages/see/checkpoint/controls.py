"""The controls of the page of one's own model: which one, and what it reads."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np
import streamlit as st

from core.errors import InputError
from core.limits import LIMITS, WRITTEN_TOKENS
from core.models import pretrained
from core.models.config import ModelConfig
from core.models.families.whisper import STRIDE, FeatureExtractor
from core.models.opened_model import Checkpoint
from core.models.processor import Processor
from core.sources.spectrum import HOP, RATE
from core.sources.tokenizer import Encoding
from views import link, parse
from views.figures.axis import shortened
from views.navigation import PAGES
from views.preferences import in_language
from views.text import CHECKPOINT, Words, numbers, words_beside
from views.text.spans import mathematics, plain, spans
from views.widgets.checkpoint.chosen_input import Chosen, opened
from views.widgets.checkpoint.notes import special_notes, token_notes
from views.widgets.checkpoint.picture_card import prepared, processed
from views.widgets.choice import choice, sample_buttons
from views.widgets.image_input import chosen_file, chosen_images, preserve_images
from views.widgets.interventions import NAME as CHANGE
from views.widgets.interventions import tokens_of
from views.widgets.prose import prose
from views.widgets.sentence_input import own_language_first
from views.widgets.sound_input import channels_note, read_source, sound_source

WORDS = words_beside(__file__)
FIRST_PICTURE = "cat"
SAMPLES = ("我爱北京", "The cat sat on the mat because it was warm.")
TASKS = {"t5": "translate English to German: The house is wonderful."}  # in front of the samples
NUMBERS = ("layer", "head", "row", "column", "channel", "outcome")
FLAGS = ("lock", "present", "special", "filled", "board", "next", "mattered")
TEXTS = ("model", "text", "picture", "part", "stage", "light", "below", "example", "tower", "sound",
         "target", "change")  # fmt: skip


def first_that_opens(own: Mapping[str, Path]) -> str:
    """The name of the reader's first model that can be opened; empty if none can."""
    for name, folder in own.items():
        with suppress(InputError):
            opened(folder, name)
            return name
    return ""


def none_opens(shown: str) -> None:
    """Draw a notice that no model of the user's folder can be opened. shown: the one shown."""
    prose([spans(in_language(WORDS).none_opens, shown=shown)], key="none_opens", style="notice")


def which(found: Mapping[str, Path], reasons: Mapping[str, InputError], first: str) -> str:
    """Draw the choice of a model and return its name. A name that is not offered is reported.

    reasons: why further folders of the list cannot be opened.
    """
    texts = in_language(WORDS)
    wanted: str = link.bind_param("model", first)
    names = (*found, *reasons)
    if wanted not in names:
        st.session_state["model"] = first
        missing = spans(texts.not_offered, asked=shortened(wanted), shown=first)
        prose([missing], key="not_offered", style="notice")

    def label(name: str) -> str:
        if name not in reasons:
            return name
        why = reasons[name]
        reason = texts.reasons[why.code].format(**why.fields)
        return texts.unopenable.format(name=name, reason=reason)

    with st.sidebar:
        choice(texts.model, "model", names, label, then=lambda: link.forget(CHANGE))
    name: str = st.session_state["model"]
    return name


def chosen_tower(towers: tuple[str, ...]) -> str:
    """Draw the choice of a tower, the parameter ``tower``, and return it; empty without towers."""
    known = tuple(in_language(WORDS).towers)
    link.bind_param("tower", known[0], parse.one_of(known))
    if not towers:
        return ""
    texts = in_language(WORDS)
    with st.sidebar:
        chosen = st.segmented_control(
            texts.tower, towers, format_func=lambda name: texts.towers[name], key="tower",
            required=True,
        )  # fmt: skip
    return str(chosen)


def checkpoint_input(model: Checkpoint, words: Words) -> str | np.ndarray:
    """Draw the controls and return the text, picture or sound. Raises core.errors.InputError.

    Parameters for models of another kind stay in the link.
    """
    with st.sidebar:
        st.caption(mathematics(about(model.config)))
        _preserve("target")
        _preserve_inputs(model)
        if model.processor:
            return _picture(model.processor, model.config.patch, words)
        return _sound(model, model.listens) if model.listens else _text(model, words)


def tokens_read(model: Checkpoint) -> int:
    """The number of tokens that the model is given."""
    if model.processor or model.listens:
        return model.config.positions
    return tokens_of(model, link.bind_param("text", first_text(model)))


def source_input(model: Checkpoint, words: Words) -> tuple[str, str]:
    """Draw the controls of a model that writes a text: what it reads, and what it is given.

    The second is empty if it writes by itself. Raises core.errors.InputError.
    """
    texts, whole = in_language(WORDS).text_to_text, model.text_to_text
    assert whole is not None
    encoder, decoder = whole.encoder.config, whole.decoder.config
    name = in_language(CHECKPOINT).called[encoder.model_type]
    sizes = {"heads": encoder.heads, "d_model": encoder.d_model, "d_ff": encoder.d_ff}
    depth = {"layers": encoder.layers, "decoder_layers": decoder.layers}
    st.caption(mathematics(texts.about.format(model=name, **depth, **sizes)))
    _preserve_inputs(model)
    written = _text(model, words)
    target: str = link.bind_param("target", "")
    help_text = texts.target_help.format(tokens=WRITTEN_TOKENS)
    st.text_area(texts.target, key="target", height=84, placeholder=texts.by_itself, help=help_text)
    return written, target


def _preserve_inputs(model: Checkpoint) -> None:
    """Keep the parameters of inputs that this model does not read."""
    if not model.listens:
        _preserve("sound")
    if model.processor or model.listens:
        _preserve("text")
    if not model.processor:
        preserve_images(FIRST_PICTURE)


def _preserve(name: str) -> None:
    if not link.preserve_param(name, ""):
        link.forget(name)


def about(config: ModelConfig) -> str:
    """A sentence on the kind and the sizes of a model."""
    texts = in_language(WORDS)
    return texts.about.format(
        model=in_language(CHECKPOINT).called[config.model_type],
        reads=texts.reads["causal" if config.causal else config.token],
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


def writing_link(chosen: Chosen, name: str) -> None:
    """Draw the way to the page on which a decoder continues the text; nothing for another model."""
    if not chosen.model.decodes or not isinstance(chosen.given, str):
        return
    names = {one.title: one.name for one in pretrained.ALL.values()}
    query = {
        "lang": link.session().language, "model": names.get(name, name), "text": chosen.given,
    }  # fmt: skip
    with st.sidebar:
        st.page_link(str(PAGES["writing"]), label=in_language(WORDS).writes, query_params=query)


def first_text(model: Checkpoint) -> str:
    """The first sample that the tokenizer cuts into characters or longer pieces.

    If there is none, the first one that fits into the model's positions, or else the last.
    """
    given = samples(model)
    encodings = {text: encoding for text in given if (encoding := _encoding(model, text))}
    known = (
        text
        for text, encoding in encodings.items()
        if not encoding.unknown and len(encoding.tokens) - len(encoding.special) <= len(text)
    )
    return next(known, next(iter(encodings), given[-1]))


def samples(model: Checkpoint) -> tuple[str, ...]:
    """The samples for a model of text; T5 was trained with a task in front of each text."""
    task = TASKS.get(model.config.model_type)
    own = own_language_first(dict(zip(SAMPLES, SAMPLES, strict=True)))
    return (task, *own) if task else (*own,)


def example(model: Checkpoint) -> str | None:
    """The text to show if the first one is refused; None for models of pictures and sounds."""
    if model.processor or model.listens:
        return None
    text = first_text(model)
    return text if _encoding(model, text) else None


def _encoding(model: Checkpoint, text: str) -> Encoding | None:
    try:
        return model.encode(text)
    except InputError:
        return None


def _text(model: Checkpoint, words: Words) -> str:
    texts, positions = in_language(WORDS), model.config.positions
    written: str = link.bind_param("text", first_text(model))
    st.text_area(
        texts.text,
        key="text",
        height=84,
        help=in_language(CHECKPOINT).text_help.format(tokens=positions, characters=LIMITS.text),
    )
    sample_buttons({sample: sample for sample in samples(model)})
    encoding = model.encode(written)
    notes = token_notes(encoding, positions, words) + special_notes(encoding, words)
    prose(notes, key="cut", style="quiet")
    return written


def _sound(model: Checkpoint, listens: FeatureExtractor) -> np.ndarray:
    texts = in_language(WORDS)
    chosen = read_source(*sound_source())
    channels_note(chosen)
    samples = chosen.samples[: listens.samples]
    if chosen.lasts or len(samples) < len(chosen.samples):
        limit = numbers.bare(listens.samples / RATE)
        prose([spans(texts.sound_cut, seconds=limit)], key="sound_cut", style="notice")
    seconds, tokens = numbers.bare(listens.samples / RATE), listens.samples // (STRIDE * HOP)
    help_text = texts.sound_help.format(seconds=seconds, mels=listens.mels, tokens=tokens)
    st.caption(plain(help_text))
    return samples


def _picture(processor: Processor, patch: int, words: Words) -> np.ndarray:
    chosen_images(words, FIRST_PICTURE, most=1)
    taken = in_language(WORDS).picture_help
    help_text = taken.format(side=processor.shape[0], patch=patch, steps=prepared(processor))
    st.caption(plain(help_text))
    return processed(processor, chosen_file())


def preserve_rest() -> None:
    """Keep parameters that no control of this run has bound, so that they are not reported."""
    for name in tuple(link.session().pending):
        if name in NUMBERS:
            link.preserve_param(name, 0, parse.number(1, 10**6))
        elif name in FLAGS:
            link.preserve_param(name, None, parse.flag)
        elif name in TEXTS:
            link.preserve_param(name, "")
