"""Speech to text with Whisper: the encoder reads a sound, the decoder writes its text.

"Robust Speech Recognition via Large-Scale Weak Supervision" (Radford et al., 2022), section 2.3:
the first tokens of the decoder name the language and the task. Greedy, with a cache of the keys
and values of every layer.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from core import finite, nested, ops
from core.models import embeddings, forward
from core.models.block import output_stage, pre_norm_attention, pre_norm_feed_forward
from core.models.model import Layer, Model
from core.models.opened_model import Checkpoint, Progress
from core.sources.tokenizer import Encoding, Tokenizer
from core.trace import Stage, Trace

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

    def listen(self, sound: np.ndarray, progress: Progress | None = None) -> np.ndarray:
        """The output of the encoder for a sound: (frame, d_model) float32.

        sound: (n,) samples at 16 000 Hz. progress, errors: as for
        ``Checkpoint.run``.
        """
        trace = self.encoder.run(sound, self.encoder.layers, progress)
        return output_stage(trace).tensor[0]

    def detect(self, memory: np.ndarray) -> Detected:
        """The language, and whether anybody speaks: the first step of the decoder (section 2.3)."""
        logits, _ = Decoding(self, memory).step((self.number_of(START),))
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
        decoding, given = Decoding(self, memory), self.prompt(language, task)
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
        decoding = Decoding(self, memory.tensor[0])
        x = embedded["X"].tensor[0]
        for before in range(1, layer):
            x, _ = decoding.layer_output(x, before)
        comes_in = replace(embedded["X"], tensor=x[None])
        return self._layer_trace(embedded, comes_in, memory, layer)

    def _layer_trace(self, embedded: Trace, x: Stage, memory: Stage, number: int) -> Trace:
        layer, path = self.decoder.layer(number), f"decoder/{number}"
        own = pre_norm_attention(x, layer.weights(), layer.attention_norm, causal=True)
        cross = pre_norm_attention(
            output_stage(own), layer.cross_weights(), layer.cross_norm, memory=memory
        )
        fed = pre_norm_feed_forward(
            output_stage(cross), layer.feed_forward, layer.feed_forward_norm
        )
        parts = {
            "target": embedded, f"{path}/self": own, f"{path}/cross": cross,
            f"{path}/feed_forward": fed,
        }  # fmt: skip
        edges = {
            f"{path}/cross/stream": f"{path}/self/{output_stage(own).key}",
            f"{path}/feed_forward/stream": f"{path}/cross/{output_stage(cross).key}",
        }
        if number == 1:
            edges[f"{path}/self/stream"] = "target/X"
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


class Decoding:
    """The decoder over one memory, token by token, with a cache of keys and values."""

    def __init__(self, model: SpeechModel, memory: np.ndarray) -> None:
        """memory: (frame, d_model), as from ``SpeechModel.listen``."""
        self._model = model.decoder
        self._layers = [self._model.layer(n + 1) for n in range(self._model.config.layers)]
        self._memory = [
            (_heads("K", memory, layer.cross, layer), _heads("V", memory, layer.cross, layer))
            for layer in self._layers
        ]
        self._own: list[tuple[np.ndarray, np.ndarray] | None] = [None] * len(self._layers)
        self._past = 0

    def step(self, numbers: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Logits of the token behind these, (vocabulary,) float32, and their cross weights.

        numbers: the ids of tokens behind those of earlier steps. The weights are those of the last
        of them: (layer, head, frame). Raises not_finite.
        """
        positions = tuple(range(self._past, self._past + len(numbers)))
        x = self._model.input_rows("E", numbers) + self._model.input_rows("position", positions)
        crossed = []
        for number in range(1, len(self._layers) + 1):
            x, weights = self.layer_output(x, number)
            crossed.append(weights[:, -1])
        self._past += len(numbers)
        last = forward.normed(x[-1:], self._model.final_norm())[0]
        finite.check("logits", last)
        return self._model.logits(last), np.array(crossed)

    def layer_output(self, x: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
        """The output of a layer, (token, d_model), and its cross weights, (head, token, frame).

        x: (token, d_model), of tokens behind those in the cache. number: from 1.
        """
        layer = self._layers[number - 1]
        X = forward.normed(x, layer.attention_norm)
        K, V = (_heads(name, X, layer.attention, layer) for name in "KV")
        past = self._own[number - 1]
        if past is not None:
            K, V = (np.concatenate([old, new], 1) for old, new in zip(past, (K, V), strict=True))
        self._own[number - 1] = K, V
        added, _ = _attend(X, K, V, layer.attention, layer, causal=True)
        x = x + added
        X = forward.normed(x, layer.cross_norm)
        added, weights = _attend(X, *self._memory[number - 1], layer.cross, layer, causal=False)
        x = x + added
        return x + forward.feed_forward(
            forward.normed(x, layer.feed_forward_norm), layer.feed_forward
        ), weights


def _heads(
    name: str, X: np.ndarray, parameters: Mapping[str, np.ndarray], layer: Layer
) -> np.ndarray:
    """Q, K or V by head: (head, token, d_k). X: (token, d_model)."""
    projected = forward.linear(X, parameters[f"W_{name}"], parameters.get(f"b_{name}"))
    return projected.reshape(len(X), layer.heads, -1).swapaxes(0, 1)


def _attend(
    X: np.ndarray,
    K: np.ndarray,
    V: np.ndarray,
    parameters: Mapping[str, np.ndarray],
    layer: Layer,
    *,
    causal: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """MultiHead of X, (token, d_model), over keys and values; and the weights."""
    Q = _heads("Q", X, parameters, layer)
    scores = Q @ K.swapaxes(1, 2) * np.float32(Q.shape[2] ** -0.5)  # (head, query, key)
    if causal:
        n, total = scores.shape[1:]
        scores[:, ~np.tri(n, total, total - n, dtype=bool)] = -np.inf
    weights = ops.softmax(scores)
    concat = (weights @ V).swapaxes(0, 1).reshape(len(X), -1)
    return forward.linear(concat, parameters["W_O"], parameters.get("b_O")), weights


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits.astype(np.float64) - logits.max()
    result: np.ndarray = shifted - np.log(np.exp(shifted).sum())
    return result
