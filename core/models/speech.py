"""Speech to text with Whisper: the encoder reads a sound, the decoder writes its text.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022), section 2.3:
the first tokens of the decoder name the language and the task. Greedy, with a cache of the keys
and values of every layer.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal

import numpy as np

from core import nested, ops
from core.errors import InputError
from core.interventions import NONE, PATCHES, Change, Interventions
from core.models import embeddings
from core.models.block import output_stage
from core.models.decoding import Decoding
from core.models.effects import Effect, each_muted
from core.models.model import Model
from core.models.one_layer import decoder_layer_parts
from core.models.opened_model import Checkpoint, Progress
from core.sources.tokenizer import Encoding, Tokenizer
from core.trace import Trace

Task = Literal["transcribe", "translate"]
LANGUAGE = "<|{}|>"
START, END, NO_TIMES = "<|startoftranscript|>", "<|endoftext|>", "<|notimestamps|>"
NO_SPEECH = "<|nospeech|>", "<|nocaptions|>"  # the same token in newer and in older files
SECONDS = 0.02  # of a frame of the encoder: two hops of 10 ms
MEMORY = "encoder"  # the part that ends in what the decoder looks at
PATCHED_TOKENS = 64  # that are written for the sound of a patch, at most


@dataclass(frozen=True)
class Generation:
    """The settings in ``generation_config.json``.

    alignment_heads: heads of cross-attention that look where a word is spoken, (layer, head) from
    0. languages: the ids of language tokens. suppressed: ids that are never written; suppressed_at_
    begin: ids that are not written first.
    """

    alignment_heads: tuple[tuple[int, int], ...]
    languages: tuple[int, ...]
    suppressed: tuple[int, ...]
    suppressed_at_begin: tuple[int, ...]


@dataclass(frozen=True)
class Detected:
    """The decoder's predictions for a sound before it writes.

    language: the code of the likeliest one, such as ``zh``. probability: its own, among languages.
    no_speech: the probability among all tokens that nobody speaks.
    """

    language: str
    probability: float
    no_speech: float


@dataclass(frozen=True, eq=False)
class Written:
    """A token that the decoder wrote.

    cross: the weights of cross-attention by which it was found, (layer, head, frame) float32.
    """

    number: int
    log_probability: float
    cross: np.ndarray


class SpeechModel:
    """Whisper, opened: ``listen`` to a sound, then ``write`` it down."""

    def __init__(
        self,
        encoder: Checkpoint,
        decoder: Model,
        tokenizer: Tokenizer,
        generation: Generation,
    ) -> None:
        """encoder: that reads sounds. decoder: of the same model, with cross-attention."""
        self.encoder, self.decoder, self.tokenizer = encoder, decoder, tokenizer
        self.generation = generation
        self.name, self.config = encoder.name, decoder.config

    def changed(
        self, interventions: Interventions, sound_of: Callable[[str], np.ndarray] | None = None
    ) -> "SpeechModel":
        """The model with changes of its attention: of the encoder, ``decoder`` and ``cross``.

        sound_of: the sound from which patches come, by its name; those of the decoder are of what
        it writes for it. Raises out_of_range, not_a_change, also for patches without sounds,
        no_other_text, and what sound_of raises.
        """
        for change in interventions.changes:
            config = self.side(change.part).config
            one = replace(interventions, changes=(change,))
            one.check(config.layers, config.heads, parts=(change.part,))
            if change.kind in PATCHES and sound_of is None:
                raise InputError("not_a_change", text=str(change))
        patches: dict[Change, np.ndarray] = {}
        if interventions.patches and sound_of:
            patches = self._with(NONE, {})._patches(interventions, sound_of(interventions.other))
        return self._with(interventions, patches)

    def _patches(self, interventions: Interventions, sound: np.ndarray) -> dict[Change, np.ndarray]:
        """What patches from another sound put in place."""
        streams: dict[int, np.ndarray] = {}
        found = interventions.of_parts("encoder").patched_from(
            lambda layer: self.encoder.run(sound, layer, streams=streams)
        )
        of_decoder = interventions.of_parts("decoder", "cross")
        if of_decoder.patches:
            encoded = self.encoder.run(sound, self.encoder.layers, streams=streams)
            memory = output_stage(encoded).tensor[0]
            language = self.detect(memory).language
            written = self.write(memory, language, most=PATCHED_TOKENS)
            numbers = (*self.prompt(language), *(one.number for one in written))
            found |= of_decoder.patched_from(partial(self.trace, encoded, numbers))
        return found

    def _with(
        self, interventions: Interventions, patches: Mapping[Change, np.ndarray]
    ) -> "SpeechModel":
        """The model with changes that fit it. patches: what those among them put in place."""
        of_encoder, encoder = interventions.of_parts("encoder"), self.encoder
        if of_encoder != encoder.interventions:  # else all that is cached of it stays valid
            encoder = encoder.with_patches(of_encoder, patches)
        decoder = replace(
            self.decoder, interventions=interventions, patches=patches, stack="decoder"
        )
        return SpeechModel(encoder, decoder, self.tokenizer, self.generation)

    def side(self, part: str) -> Checkpoint | Model:
        """The encoder or the decoder, by a part of the changes."""
        return self.encoder if part == "encoder" else self.decoder

    @property
    def interventions(self) -> Interventions:
        """What is changed in it."""
        return self.decoder.interventions

    def listen(
        self,
        sound: np.ndarray,
        progress: Progress | None = None,
        streams: dict[int, np.ndarray] | None = None,
    ) -> np.ndarray:
        """The output of the encoder for a sound: (frame, d_model) float32.

        sound: (n,) samples at 16 000 Hz. progress, streams, errors: as for ``Checkpoint.run``.
        """
        return self.encoder.output(sound, progress, streams=streams)

    def detect(self, memory: np.ndarray) -> Detected:
        """The language, and whether anybody speaks: the first step of the decoder (section 2.3)."""
        logits, _ = Decoding(self.decoder, memory).step((self.number_of(START),))
        ids = list(self.generation.languages)
        of_languages = ops.softmax(logits[ids].astype(np.float64))
        best = int(of_languages.argmax())
        silent = float(np.exp(_log_softmax(logits)[self._no_speech]))
        language = self.tokenizer.name_of(ids[best]).strip("<|>")
        return Detected(language, float(of_languages[best]), silent)

    @cached_property
    def _no_speech(self) -> int:
        for name in NO_SPEECH:
            with suppress(KeyError):
                return self.number_of(name)
        raise KeyError(NO_SPEECH[0])

    def prompt(self, language: str, task: Task = "transcribe") -> tuple[int, ...]:
        """The first tokens: start, language, task, and that no times are written.

        language: a code such as ``zh``. Raises KeyError for one that the model does not know.
        """
        names = (START, LANGUAGE.format(language), LANGUAGE.format(task), NO_TIMES)
        return tuple(map(self.number_of, names))

    def write(
        self, memory: np.ndarray, language: str, task: Task = "transcribe", most: int = 0
    ) -> Iterator[Written]:
        """Yields token by token what is likeliest, up to the end of the text.

        most: tokens at most; 0 for as many as the model has positions for. Raises not_finite.
        """
        decoding, given = Decoding(self.decoder, memory), self.prompt(language, task)
        end, first = self.number_of(END), True
        for _ in range(most or self.config.positions - len(given)):
            logits, cross = decoding.step(given)
            log_probabilities = _log_softmax(self._written(logits, first))
            number, first = int(log_probabilities.argmax()), False
            if number == end:
                return
            yield Written(number, float(log_probabilities[number]), cross)
            given = (number,)

    def _written(self, logits: np.ndarray, first: bool) -> np.ndarray:
        """The logits, −∞ of what is never written. first: whether a text begins."""
        end, made = self.number_of(END), logits.copy()
        never = [number for number in self.generation.suppressed if number != end]
        made[never] = -np.inf
        made[end + 1 :] = -np.inf  # languages, tasks and times
        if first:
            made[list(self.generation.suppressed_at_begin)] = -np.inf
        return made

    def effects(
        self,
        sound: np.ndarray,
        memory: np.ndarray,
        numbers: tuple[int, ...],
        part: str,
        progress: Progress | None = None,
        known: int = 0,
    ) -> Iterator[Effect]:
        """Yields what muting each head of a part does to ln p of the last token that was written.

        memory: of the sound, by this model. numbers: the prompt and what was written. part: of
        ``Change``. progress, known: as for ``core.models.effects.effects``. A head of the encoder
        is muted from its layer on. Raises not_finite.
        """
        *given, target = numbers
        first = self.number_of(NO_TIMES) == given[-1]
        config, streams = self.side(part).config, dict[int, np.ndarray]()
        decoding = Decoding(self.decoder, memory)
        if part == "encoder":
            self.listen(sound, streams=streams)

        def probabilities(interventions: Interventions) -> np.ndarray:
            changed, read = self._with(interventions, self.decoder.patches), memory
            if part == "encoder" and interventions != self.interventions:
                layer = interventions.changes[-1].layer or 1
                before = {number: x for number, x in streams.items() if number <= layer}
                read = changed.listen(sound, streams=before)
            logits, _ = Decoding(changed.decoder, read, decoding).step(tuple(given))
            made: np.ndarray = np.exp(_log_softmax(self._written(logits, first)))
            return made

        shape = config.layers, config.heads
        return each_muted(probabilities, self.interventions, shape, target, progress, known, part)

    def moment(self, cross: np.ndarray, frames: int) -> float:
        """The second at which a token was spoken: where the alignment heads look most, on average.

        cross: (layer, head, frame). frames: that the sound fills; what follows is silence.
        """
        return float(self.aligned(cross)[:frames].argmax()) * SECONDS

    def aligned(self, cross: np.ndarray) -> np.ndarray:
        """The mean weights of the alignment heads: (frame,). cross: (layer, head, frame)."""
        mean: np.ndarray = np.mean([cross[at] for at in self.generation.alignment_heads], axis=0)
        return mean

    def trace(self, encoded: Trace, numbers: tuple[int, ...], layer: int) -> Trace:
        """The trace of one layer of the decoder, for tokens that are all given.

        encoded: of the encoder, whose last stage is the memory. numbers: the prompt and what was
        written. layer: from 1. The parts are target, decoder/L/self, decoder/L/cross and
        decoder/L/feed_forward. Raises not_finite.
        """
        encoding = self.encoding(numbers)
        embedded = embeddings.token_embeddings(self.decoder, encoding)
        memory = output_stage(encoded)
        decoding = Decoding(self.decoder, memory.tensor[0])
        x = embedded["X"].tensor[0]
        for before in range(1, layer):
            x, _ = decoding.layer_output(x, before)
        comes_in = replace(embedded["X"], tensor=x[None])
        parts, edges = decoder_layer_parts(self.decoder, embedded, comes_in, memory, layer)
        return nested.compose(parts, edges, self.encoder.parameter)

    def encoding(self, numbers: tuple[int, ...]) -> Encoding:
        """Tokens by their ids, as a tokenizer gives them; those of the prompt are special."""
        end = self.number_of(END)
        special = tuple(i for i, number in enumerate(numbers) if number >= end)
        return Encoding(
            numbers, tuple(map(self.tokenizer.name_of, numbers)), special=special, unknown=()
        )

    def number_of(self, name: str) -> int:
        """The id of a token by its name. Raises KeyError."""
        return self.tokenizer.number_of(name)


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits.astype(np.float64) - logits.max()
    result: np.ndarray = shifted - np.log(np.exp(shifted).sum())
    return result
