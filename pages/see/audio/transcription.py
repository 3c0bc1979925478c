"""Transcripts by Whisper: computed once, shown as they grow, cached for all sessions."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from timeit import default_timer

import numpy as np
import streamlit as st

from core import Trace
from core.errors import InputError
from core.models import pretrained, transcript
from core.models.block import IN, output_stage
from core.models.families.whisper import STRIDE
from core.models.speech import Detected, SpeechModel, Task, Written
from core.nested import as_input, subtrace
from core.sources.spectrum import HOP, RATE
from views import link
from views.preferences import in_language
from views.text import words_beside
from views.text.spans import plain
from views.widgets.sound_input import SAMPLES, sample
from views.widgets.timeline import sound_data

WORDS = words_beside(__file__)
MOST_RECENT = 6  # sounds of the whole server, by change of the encoder: a few megabytes each
MOST_WRITTEN = 6  # transcripts of a sound, one for each task and change


@dataclass(frozen=True, eq=False)
class Encoded:
    """The encoder's output for a sound, and the tokens written from it.

    memory: its output alone, for the decoder. sound: for the browser. frames: of the memory
    that the sound fills. detected: without changes. took: the seconds that the encoder took.
    written: all tokens, by task and by what was changed.
    """

    samples: np.ndarray
    memory: Trace
    sound: bytes
    frames: int
    detected: Detected
    took: float
    written: dict[tuple[Task, str], tuple[Written, ...]] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """How long the sound lasts."""
        return len(self.samples) / RATE


@dataclass
class Unfinished:
    """The tokens written by an interrupted run of this session."""

    encoded: Encoded | None = None
    asked: tuple[Task, str] = ("transcribe", "")
    written: list[Written] = field(default_factory=list)
    tokens: Iterator[Written] = field(default_factory=lambda: iter(()))


_RECENT: OrderedDict[tuple[str, str, str], Encoded] = OrderedDict()
_LOCK = threading.Lock()


@st.cache_resource(show_spinner=False)
def speech_model() -> SpeechModel:
    """Whisper, opened once. Raises what ``pretrained.open_speech`` raises."""
    return pretrained.open_speech()


def changed_sound(name: str) -> np.ndarray:
    """The sound that patches come from, by its name. Raises not_a_change for another name."""
    if name not in SAMPLES:
        raise InputError("not_a_change", text=f"from={name}")
    return sample(name)


def transcribed(model: SpeechModel, samples: np.ndarray, task: Task, plain: SpeechModel) -> Encoded:
    """The transcript of a sound. Shows progress; a rerun continues where the last one stopped.

    plain: the model without changes, which hears the language.
    """
    encoded, asked = _encoded(model, samples, plain), written_by(model, task)
    if asked not in encoded.written:
        made = _written(model, encoded, asked)
        while len(encoded.written) >= MOST_WRITTEN:
            encoded.written.pop(next(iter(encoded.written)))
        encoded.written[asked] = made
    return encoded


def written_by(model: SpeechModel, task: Task) -> tuple[Task, str]:
    """The key of a transcript by this model."""
    return task, str(model.interventions)


def _encoded(model: SpeechModel, samples: np.ndarray, plain: SpeechModel) -> Encoded:
    checksum = hashlib.sha256(samples.tobytes()).hexdigest()
    key = model.name, checksum, str(model.encoder.interventions)
    with _LOCK:
        if key in _RECENT:
            _RECENT.move_to_end(key)
            return _RECENT[key]
    first = None if model.encoder is plain.encoder else _encoded(plain, samples, plain)
    encoded = _listen(model, samples, first)
    with _LOCK:
        _RECENT[key] = encoded
        while len(_RECENT) > MOST_RECENT:
            _RECENT.popitem(last=False)
    return encoded


def _listen(model: SpeechModel, samples: np.ndarray, first: Encoded | None) -> Encoded:
    """first: the same of the model without changes, if its encoder has any."""
    texts, bar, began = in_language(WORDS).speech, st.empty(), default_timer()

    def progress(done: int, layers: int) -> None:
        bar.progress(done / layers, plain(texts.listening.format(done=done, layers=layers)))

    progress(0, model.encoder.layers)
    trace = model.encoder.run(samples, model.encoder.layers, progress)
    memory, took = as_input(output_stage(trace), "X", IN), default_timer() - began
    bar.empty()
    if first:
        return replace(first, memory=Trace([memory]), took=took, written={})
    frames = -(-len(samples) // (STRIDE * HOP))
    sound = sound_data(subtrace(trace, "input"), STRIDE, frames, memory.size("token"))
    detected = model.detect(memory.tensor[0])
    return Encoded(samples, Trace([memory]), sound, frames, detected, took)


def _written(model: SpeechModel, encoded: Encoded, asked: tuple[Task, str]) -> tuple[Written, ...]:
    now, line = link.remembered(Unfinished), st.empty()
    if now.encoded is not encoded or now.asked != asked:
        most = transcript.most_tokens(encoded.seconds)
        language, memory = encoded.detected.language, encoded.memory["X"].tensor[0]
        now.encoded, now.asked, now.written = encoded, asked, []
        now.tokens = model.write(memory, language, asked[0], most)
    sure = encoded.detected.no_speech <= transcript.NO_SPEECH  # else it may be made up
    line.markdown(plain(in_language(WORDS).speech.writing))
    for one in now.tokens:
        filled = np.ascontiguousarray(one.cross[:, :, : encoded.frames])
        now.written.append(replace(one, cross=filled))
        if sure:
            line.markdown(plain(transcript.text_of(now.written, model.tokenizer)))
    line.empty()
    written = tuple(now.written)
    link.session().memories.pop(Unfinished)
    return written


@dataclass
class LastLayer:
    """The last layer of the decoder that was computed, and for what."""

    inputs: tuple[object, ...] = ()
    trace: Trace | None = None


def decoder_layer(model: SpeechModel, encoded: Encoded, task: Task, layer: int) -> Trace:
    """A layer of the decoder for all that was written. layer: from 1."""
    now, inputs = link.remembered(LastLayer), (model, encoded, task, layer)
    if now.trace is None or now.inputs != inputs:
        numbers = tuple(one.number for one in encoded.written[written_by(model, task)])
        given = (*model.prompt(encoded.detected.language, task), *numbers)
        now.inputs, now.trace = inputs, model.trace(encoded.memory, given, layer)
    return now.trace
