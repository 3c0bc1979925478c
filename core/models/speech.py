"""Speech to text with Whisper: the encoder reads a sound, the decoder writes its text.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022), section 2.3:
the first tokens of the decoder name the language and the task. Greedy, with a cache of the keys
and values of every layer.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from core import nested, ops
from core.errors import InputError
from core.interventions import Interventions
from core.models import embeddings
from core.models.block import output_stage
from core.models.decoding import Decoding
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

    def changed(self, interventions: Interventions) -> "SpeechModel":
        """The model with changes of its decoder's attention: ``decoder`` and ``cross``.

        Raises out_of_range, and not_a_change for others, patches among them.
        """
        for change in interventions.patches:
            raise InputError("not_a_change", text=str(change))
        config = self.config
        interventions.check(config.layers, config.heads, parts=("decoder", "cross"))
        decoder = replace(self.decoder, interventions=interventions, stack="decoder")
        return SpeechModel(self.encoder, decoder, self.tokenizer, self.generation)

    @property
    def interventions(self) -> Interventions:
        """What is changed in its decoder."""
        return self.decoder.interventions

    def listen(self, sound: np.ndarray, progress: Progress | None = None) -> np.ndarray:
        """The output of the encoder for a sound: (frame, d_model) float32.

        sound: (n,) samples at 16 000 Hz. progress, errors: as for
        ``Checkpoint.run``.
        """
        trace = self.encoder.run(sound, self.encoder.layers, progress)
        return output_stage(trace).tensor[0]

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
        never = [number for number in self.generation.suppressed if number != end]
        for _ in range(most or self.config.positions - len(given)):
            logits, cross = decoding.step(given)
            logits[never] = -np.inf
            logits[end + 1 :] = -np.inf  # languages, tasks and times
            if first:
                logits[list(self.generation.suppressed_at_begin)] = -np.inf
            number, first = int(logits.argmax()), False
            if number == end:
                return
            log_probability = float(_log_softmax(logits)[number])
            yield Written(number, log_probability, cross)
            given = (number,)

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
