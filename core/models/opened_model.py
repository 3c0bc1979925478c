"""An opened model of a reader: its configuration, and its traces of a text, picture or sound."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from core import finite, ops
from core.errors import out_of_range
from core.experiments.head_patterns import HeadPattern, PatternSums, Repeats
from core.experiments.rollout import rollout
from core.interventions import NONE, Interventions
from core.interventions import Change as Changed
from core.limits import LIMITS, STREAM_BYTES, Limits
from core.models import (
    altered,
    cached,
    embeddings,
    forward,
    incremental,
    logit_parts,
    prediction,
    relevance,
)
from core.models.altered import Attention, Change
from core.models.block import output_stage
from core.models.cached import Writing
from core.models.effects import Effect, effects
from core.models.embeddings import Reader
from core.models.families.clip import OLD_END
from core.models.families.whisper import FeatureExtractor
from core.models.formats.entries import Encoding as StoredEncoding
from core.models.forward import Observer
from core.models.incremental import Passed
from core.models.model import Model
from core.models.one_layer import layer_output, layer_trace, observed_layer
from core.models.prediction import Listed, Prediction
from core.models.processor import Processor, read_photo
from core.models.relevance import Relevance
from core.models.text_to_text import TextToText
from core.sources.recording import read_sound
from core.sources.tokenizer import Encoding, Tokenizer
from core.trace import Stage, Trace

BYTES = 4  # of a character in UTF-8, at most

Progress = Callable[[int, int], None]


class Checkpoint:
    """An opened model: its configuration, and its traces of a text, picture or sound."""

    def __init__(
        self,
        name: str,
        model: Model,
        reader: Reader,
        parameter: str = "checkpoint",
        quantization: StoredEncoding | None = None,
        text_to_text: TextToText | None = None,
    ) -> None:
        """Use ``core.models.checkpoint.open`` instead, which reads and checks the files.

        reader: prepares the input. quantization: how most weights are stored, if not as numbers of
        16 bits or more; what is computed with is their rounded value. text_to_text: the whole
        model, if this is its encoder.
        """
        self.name, self.parameter = name, parameter
        self.config = model.config
        self.layers, self.heads = model.config.layers, model.config.heads
        self.token = model.config.token
        self.quantization = quantization
        self.text_to_text = text_to_text
        self._model, self._reader = model, reader

    def __repr__(self) -> str:
        """The model in one line."""
        config = self.config
        sizes = f"{self.layers} layers, {self.heads} heads, d_model {config.d_model}"
        return f"<Checkpoint {self.name}: {config.model_type}, {sizes}; a token is a {self.token}>"

    def read(self, path: Path | str) -> str | np.ndarray:
        """The input of ``run`` from a file: a picture, a sound of which it takes the start, a text.

        Raises what ``read_photo`` and ``read_sound`` raise.
        """
        data = Path(path).read_bytes()
        if isinstance(self._reader, Processor):
            return read_photo(data, **self._reader.geometry())[1]
        if isinstance(self._reader, FeatureExtractor):
            return read_sound(data)[1][: self._reader.samples]
        return data.decode("utf-8")

    def run(
        self,
        given: str | np.ndarray,
        layer: int,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> Trace:
        """Compute the layers up to ``layer``, and the trace of this one.

        given: a text; for a vision transformer a picture from its processor, (side, side, 3) uint8;
        for Whisper a sound, (n,) samples at 16 000 Hz.
        layer: from 1. Later layers are not computed.
        progress: called after each layer with the number of layers done and in all. Its exceptions
            end the run and propagate.
        streams: cache of the residual stream, (token, d_model), that enters each layer, for the
            same input: the run starts from the last cached layer and adds to the cache, of some
            layers if those of all are more than STREAM_BYTES.

        The parts are input, encoder/L/self and encoder/L/feed_forward for the layer L, and behind
        the last one final_norm if the model has it; the input of the layer is *earlier* if L is not
        1. The origin of the weights is ``parameter``.
        float32. Raises out_of_range for an unknown layer, trace_too_large before any layer is
        computed, not_finite, outside_vocabulary, what ``Tokenizer.encode`` raises, and
        shape_mismatch for a picture of another size.
        """
        if not 1 <= layer <= self.layers:
            raise out_of_range("layer", layer, f"1 … {self.layers}")
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            embedded = self._embedded(given, limits)
            streams = {} if streams is None else streams
            streams[1] = embedded["X"].tensor[0]  # (token, d_model)
            x = self._entering(layer, streams, layer, progress)
            trace = layer_trace(self._model, embedded, x, layer, self.parameter)
        finite.check(f"layer {layer}", output_stage(trace).tensor)
        if progress:
            progress(layer, layer)
        return trace

    def output(
        self,
        given: str | np.ndarray,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> np.ndarray:
        """What leaves an encoder, behind its last layer and its norm: (token, d_model).

        All as in ``run``, without a trace.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            streams = {} if streams is None else streams
            if not streams:
                streams[1] = self._embedded(given, limits)["X"].tensor[0]  # (token, d_model)
            x = self._entering(self.layers + 1, streams, self.layers, progress)
            return forward.final_normed(x, self._model)

    def _entering(
        self, layer: int, streams: dict[int, np.ndarray], of: int, progress: Progress | None
    ) -> np.ndarray:
        """The residual stream that enters a layer, or leaves the one before: (token, d_model).

        streams, progress: as in ``run``. of: the number of layers of which progress tells.
        """
        start = max(known for known in streams if known <= layer)
        x = streams[start]
        for before in range(start, layer):
            x = layer_output(self._model, x, before)
            _keep(streams, before + 1, x)
            if progress:
                progress(before, of)
        return x

    def survey(
        self,
        given: str | np.ndarray,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
        look: Observer | None = None,
    ) -> tuple[tuple[HeadPattern | None, ...], ...]:
        """The patterns of all heads for an input, by layer and head, from 0.

        given, progress, limits, streams: as in ``run``; of a layer whose output is cached, only the
        weights are computed. At most one block of weights is in memory at a time: look is called
        with each in order, as an ``Observer``. None for a head in which no query has more than one
        key.
        Raises what ``run`` raises for the last layer.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            embedded = self._embedded(given, limits)
            X = embedded["X"]
            special = X.axis("token").positions("special", "cls", size=X.size("token"))
            ids = self.encode(given, limits).ids if isinstance(given, str) else ()
            repeats, n = Repeats(ids), X.size("token")
            windows = self.config.windows or (None,) * self.layers
            visible = cache(partial(forward.visible_keys, n, self.config.causal))
            patterns: list[tuple[HeadPattern | None, ...]] = []
            heads: list[HeadPattern | None] = []
            sums: PatternSums | None = None

            def observe(weights: np.ndarray, queries: slice) -> None:
                nonlocal sums
                if look:
                    look(weights, queries)
                if sums is None:
                    seen = visible(windows[len(patterns)])[None]
                    shape = len(weights), n, n
                    sums = PatternSums(shape, weights.dtype, seen, special=special, repeats=repeats)
                if sums.add(weights, queries):
                    heads.extend(sums.patterns())
                    sums = None

            for _ in self._observed(X.tensor[0], observe, progress, streams):
                patterns.append(tuple(heads))
                heads.clear()
        return tuple(patterns)

    def rollout(
        self,
        given: str | np.ndarray,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> np.ndarray:
        """Attention rollout through all layers for an input: (query, key), rows sum to 1.

        given, progress, limits, streams: as in ``run``. At most one block of weights is in memory
        at a time. Raises what ``run`` raises for the last layer.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            x = self._embedded(given, limits)["X"].tensor[0]  # (token, d_model)
            total = np.zeros((len(x), len(x)), np.float32)  # (query, key)

            def observe(weights: np.ndarray, queries: slice) -> None:
                total[queries, : weights.shape[2]] += weights.sum(axis=0)

            def means() -> Iterator[np.ndarray]:
                for _ in self._observed(x, observe, progress, streams):
                    yield total[None] / self.heads
                    total[:] = 0

            return rollout(means())

    def _observed(
        self,
        x: np.ndarray,
        observe: Observer,
        progress: Progress | None,
        streams: dict[int, np.ndarray] | None,
    ) -> Iterator[int]:
        """Yields each layer, from 1, once ``observe`` has got the weights of all its heads.

        x: (token, d_model), what enters the first layer. streams: as in ``run``; of a layer whose
        output is cached, only the weights are computed.
        """
        streams = {} if streams is None else streams
        streams[1] = x
        for layer in range(1, self.layers + 1):
            x = observed_layer(self._model, x, layer, observe, streams.get(layer + 1))
            if layer < self.layers:
                _keep(streams, layer + 1, x)
            if progress:
                progress(layer, self.layers)
            yield layer

    def predict(
        self,
        text: str,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> Prediction:
        """The prediction of the next token of a text.

        progress, limits, streams: as in ``run``.
        Raises TypeError for a model without a language model head, and what ``run`` raises.
        """
        if not self.predicts:
            raise TypeError(f"{self.name} predicts no token")
        streams = {} if streams is None else streams
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            embedded = self._embedded(text, limits)
            streams[1] = embedded["X"].tensor[0]  # (token, d_model)
            x = self._entering(self.layers + 1, streams, self.layers, progress)
            return self._predicted(embedded, x)

    def passed(
        self,
        text: str,
        before: Passed | None = None,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        begun: Passed | None = None,
    ) -> Passed:
        """What all layers of a decoder make of a text, with the keys and values of each.

        before: of a text; tokens with which both begin are not passed again. progress, limits: as
        in ``run``. Its streams serve wherever streams are given. begun: of the same text by the
        model without its interventions; the run starts at the first layer that these change.
        Raises TypeError for a model that is no decoder, and what ``run`` raises.
        """
        self._check_decoder()
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            encoding = self._checked(text, limits)
            known = Passed() if before is None else before.first(before.common(encoding.ids))
            ids = encoding.ids[len(known.ids) :]
            if not ids:
                return known
            x = embeddings.token_embeddings(self._model, encoding)["X"].tensor[0, -len(ids) :]
            return incremental.passed(self._model, known, ids, x, progress, begun)

    def shares(
        self, passed: Passed, numbers: Sequence[int]
    ) -> tuple[tuple[logit_parts.Part, ...], Trace] | None:
        """What each part adds to the logits of next tokens: see ``core.models.logit_parts``.

        passed: of the text, by this model. numbers: ids. None for a model in which it is less
        simple. Raises TypeError for a model that is no decoder.
        """
        self._check_decoder()
        if not logit_parts.can_be_taken_apart(self._model):
            return None
        return logit_parts.shares(self._model, passed, numbers, self.name_of)

    def effects(
        self,
        passed: Passed,
        target: int,
        progress: Progress | None = None,
        known: int = 0,
        of: Sequence[tuple[int, int]] | None = None,
    ) -> Iterator[Effect]:
        """Yields what muting each head does to the probability of a next token, by its id.

        passed: of the text, by this model. progress: called with the work that is done and in all.
        known: the number of heads whose effects are known. of: some heads alone, from 0. Raises
        TypeError for a model that is no decoder, and not_finite.
        """
        self._check_decoder()
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            yield from effects(self._model, passed, target, progress, known, of)

    def relevance(
        self,
        text: str,
        passed: Passed,
        reading: Listed,
        outcome: int,
        progress: Progress | None = None,
    ) -> Relevance:
        """Which tokens of a text mattered for a next one: see ``core.models.relevance``.

        passed: of the text, by this model. reading: behind the last layer. outcome: which of its
        tokens. progress: as in ``run``. Raises TypeError for a model that is no decoder, and what
        ``backward`` raises.
        """
        self._check_decoder()
        embedded = self._embedded(text, LIMITS)
        stream = replace(embedded["X"], tensor=passed.streams[-1][None])
        head = self.reading_trace(stream, reading)
        return relevance.of_decoder(self._model, embedded, head, passed, outcome, progress)

    @property
    def interventions(self) -> Interventions:
        """What is changed in its layers."""
        return self._model.interventions

    def changed(self, interventions: Interventions) -> "Checkpoint":
        """The model with changes of its attention; its weights are shared.

        Everything that it computes is then with them, and its traces have their stages.
        Raises out_of_range, not_a_change for what it has not, no_other_text, and for patches
        what ``run`` raises for the other text.
        """
        interventions.check(self.layers, self.heads)
        plain, streams = self.with_patches(NONE, {}), dict[int, np.ndarray]()
        patches = interventions.patched_from(
            lambda layer: plain.run(interventions.other, layer, streams=streams)
        )
        return self.with_patches(interventions, patches)

    def with_patches(
        self, interventions: Interventions, patches: Mapping[Changed, np.ndarray]
    ) -> "Checkpoint":
        """The model with changes that fit it. patches: what those among them put in place."""
        model = replace(self._model, interventions=interventions, patches=patches)
        return Checkpoint(
            self.name, model, self._reader, self.parameter, self.quantization, self.text_to_text
        )

    def readings(self, passed: Passed) -> tuple[Listed, ...]:
        """The likeliest next tokens, read behind each layer l: softmax(norm(x_l) W_P).

        "interpreting GPT: the logit lens" (nostalgebraist, 2020): the final norm and the output
        rows, which are trained for the stream x behind the last layer, read it behind every layer.
        The last one is the prediction, and its likeliest token is listed behind every layer.
        Raises TypeError for a model that is no decoder, and not_finite.
        """
        self._check_decoder()
        last = np.array([x[-1] for x in passed.streams[1:]])  # (layer, d_model)
        with np.errstate(over="ignore", invalid="ignore"):
            normed = forward.normed(last, self._model.final_norm())
            logits = finite.computed("logits", self._model.logits, normed)
        final = int(logits[-1].argmax())
        return tuple(prediction.listed(row, final) for row in logits)

    def reading_trace(self, stream: Stage, reading: Listed) -> Trace:
        """How a reading comes about. stream: behind its layer, (batch, token, d_model)."""
        return prediction.prediction_trace(self._model, stream, reading, self.name_of)

    def attention(self, text: str, layer: int, limits: Limits = LIMITS) -> Attention:
        """The attention of a layer on a text, to be computed with other options.

        layer: from 1. Raises TypeError for a model that is no decoder, and what ``encode`` raises.
        """
        self._check_decoder()
        return altered.attention(self._model, self._checked(text, limits), layer)

    def log_probabilities(
        self, text: str, change: Change | None = None, limits: Limits = LIMITS
    ) -> np.ndarray:
        """log p of each token of a text behind the first: (token − 1,) float64.

        change: is applied to the attention of every layer. Raises as ``attention``, not_finite,
        and what ``multi_head_attention`` raises.
        """
        self._check_decoder()
        return altered.log_probabilities(self._model, self._checked(text, limits), change)

    def streams(
        self, text: str, change: Change | None = None, limits: Limits = LIMITS
    ) -> np.ndarray:
        """The residual stream of a text: (1 + layers, token, d_model), the first before layer 1.

        change, raises: as for ``log_probabilities``.
        """
        self._check_decoder()
        return np.array(altered.streams(self._model, self._checked(text, limits), change))

    def next_probabilities(self, stream: np.ndarray) -> np.ndarray:
        """The probabilities of the next token: (vocabulary,).

        stream: (d_model,), the last token's vector behind the last layer.
        """
        return ops.softmax(altered.next_logits(self._model, stream))

    def write(self, text: str, most: int, limits: Limits = LIMITS) -> Writing:
        """Continue a text by at most so many tokens, with a cache and without one.

        Raises as ``attention``, and not_finite.
        """
        model, encoding = self.decoder, self._checked(text, limits)
        return cached.write(model, encoding, most, self.name_of, self.is_end_of_text)

    @property
    def decoder(self) -> Model:
        """What ``core.models.cached`` passes tokens through. Raises TypeError if it is none."""
        self._check_decoder()
        return self._model

    def _check_decoder(self) -> None:
        if not self.decodes:
            raise TypeError(f"{self.name} is no decoder")

    @property
    def decodes(self) -> bool:
        """Whether the model is a decoder that predicts the next token, with its norms in front."""
        return self.predicts and self.config.causal and self.config.pre_norm

    def append_token(self, text: str, number: int) -> str | None:
        """The text with a token appended; None if the token ends the text.

        number: id of the token. If it is an incomplete UTF-8 sequence, the likeliest tokens that
        complete the character are appended too; None if there are none.
        Raises what ``predict`` raises.
        """
        assert not isinstance(self._reader, Processor | FeatureExtractor)
        numbers, encoding = [number], self.encode(text)
        while (text_of_tokens := self._reader.text_of(numbers)) is None and len(numbers) < BYTES:
            longer = replace(
                encoding,
                ids=(*encoding.ids, *numbers),
                tokens=(*encoding.tokens, *map(self._reader.name_of, numbers)),
            )
            embedded = embeddings.token_embeddings(self._model, longer)
            x = self._entering(self.layers + 1, {1: embedded["X"].tensor[0]}, self.layers, None)
            numbers.append(self._predicted(embedded, x).likeliest[0])
        return text + text_of_tokens if text_of_tokens else None

    def is_end_of_text(self, number: int) -> bool:
        """Whether a token has no text, such as the end-of-text token. number: its id."""
        return isinstance(self._reader, Tokenizer) and self._reader.text_of((number,)) == ""

    def _predicted(self, embedded: Trace, x: np.ndarray) -> Prediction:
        stream = replace(embedded["X"], tensor=x[None])
        return prediction.predict(self._model, stream, self.name_of)

    @property
    def predicts(self) -> bool:
        """Whether the model has a language model head."""
        return self._model.predicts

    def name_of(self, number: int) -> str:
        """The text of a token, by its id; of a model that reads pictures, the id."""
        reader = self._reader
        if isinstance(reader, Processor | FeatureExtractor):
            return str(number)
        return reader.name_of(number)

    @property
    def listens(self) -> FeatureExtractor | None:
        """The feature extractor; None for a model that reads no sounds."""
        return self._reader if isinstance(self._reader, FeatureExtractor) else None

    @property
    def processor(self) -> Processor | None:
        """The image processor; None for a model that reads no pictures."""
        return self._reader if isinstance(self._reader, Processor) else None

    def pictured(self, shape: tuple[int, int]) -> "Checkpoint":
        """The model for whole photos of another (height, width), multiples of a patch's side.

        Only for a model whose positions are interpolated; its weights are shared.
        """
        assert isinstance(self._reader, Processor) and self.config.resizes
        processor = replace(self._reader, shape=shape, size=shape, crop=None)
        model = replace(self._model, config=self.config.pictured(shape))
        return Checkpoint(self.name, model, processor, self.parameter, self.quantization)

    def encode(self, text: str, limits: Limits = LIMITS) -> Encoding:
        """The tokens of a text. Raises what ``Tokenizer.encode`` raises, or TypeError."""
        return embeddings.encoded(self._model, self._reader, text, limits)

    def pooled(self, given: str | np.ndarray) -> int | None:
        """The index of the token whose last vector represents the whole input; None if none does.

        Of CLIP's towers: [CLS], and the first token that ends the text (Radford et al., 2021,
        section 2.4), found as ``transformers`` does. Raises what ``encode`` raises.
        """
        end = self.config.text_end
        if end is None or not isinstance(given, str):
            return 0 if self.config.pools_cls else None
        ids = self.encode(given).ids
        if end == OLD_END:
            return ids.index(max(ids))
        return ids.index(end) if end in ids else 0

    def _embedded(self, given: str | np.ndarray, limits: Limits) -> Trace:
        embedded = embeddings.embedded(self._model, self._reader, given, limits)
        self._check_tokens(embedded["X"].size("token"))
        return embedded

    def _check_tokens(self, tokens: int) -> None:
        self.interventions.check_tokens(tokens, causal=self.config.causal)

    def _checked(self, text: str, limits: Limits) -> Encoding:
        encoding = embeddings.checked(self._model, self._reader, text, limits)
        self._check_tokens(len(encoding.ids))
        return encoding


def _keep(streams: dict[int, np.ndarray], layer: int, x: np.ndarray) -> None:
    """Cache the input of a layer: beyond STREAM_BYTES in all of fewer layers, evenly spaced."""
    streams[layer] = x
    known = sorted(streams)
    if len(known) * x.nbytes > STREAM_BYTES and len(known) > 2:
        inner = range(1, len(known) - 1)
        del streams[known[min(inner, key=lambda i: known[i + 1] - known[i - 1])]]
