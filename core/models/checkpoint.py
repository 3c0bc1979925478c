"""A reader's own model: a folder with BERT, ViT, GPT-2 or Llama as ``transformers`` writes them.

config.json, model.safetensors, in one file or in several, and, for text, tokenizer.json;
preprocessor_config.json for ViT if it is there. Nothing in the folder is run: no pickle is read,
and what the files say is checked first.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from core import cost, finite, nested
from core.errors import MissingFile, OutOfRange, OutsideVocabulary, ShapeMismatch
from core.experiments.head_patterns import HeadPattern, of_heads
from core.layers import FeedForward, Norm
from core.limits import LIMITS, Limits
from core.models import (
    embeddings,
    folder,
    forward,
    prediction,
    settings,
)
from core.models import processor as processors
from core.models.block import (
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
    pre_norm_attention,
    pre_norm_feed_forward,
)
from core.models.layouts import LAYOUTS, Model
from core.models.prediction import Prediction
from core.models.processor import Processor
from core.models.tensors import Shards, Tensors
from core.sources import tokenizer
from core.sources.tokenizer import Cut, Tokenizer
from core.trace import Trace

BYTES = 4  # of a character in UTF-8, at most
STREAM_BYTES = 64_000_000  # of what enters the layers, kept between runs: 14 × 1024 × 768 numbers

Progress = Callable[[int, int], None]


class Checkpoint:
    """An opened model: how large it is, and what it makes of a text or a picture."""

    def __init__(
        self,
        name: str,
        model: Model,
        reader: Tokenizer | Processor,
        parameter: str = "checkpoint",
    ) -> None:
        """Take what ``open`` has read and checked: how a photo or a text is read among it."""
        self.name, self.parameter = name, parameter
        self.sizes = model.sizes
        self.layers, self.heads = model.sizes.layers, model.sizes.heads
        self.token = model.layout.token
        self._model, self._reader = model, reader

    def run(
        self,
        given: str | np.ndarray,
        layer: int,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> Trace:
        """Compute up to a layer, and keep every stage of it.

        given: a text, or for ViT a picture as its processor makes it, (side, side, 3) uint8.
        layer: from 1. No layer behind it is computed.
        progress: told after each layer how many are done, and of how many. What it raises ends the
            run and goes through.
        streams: what enters each layer, from earlier runs on the same input: the run begins at the
            last one before its layer, and adds what it computes while all are below STREAM_BYTES.

        The parts are input, encoder/L/self and encoder/L/feed_forward for the one layer L; what
        comes in to it was computed *earlier* where L is not 1. Weights are given as ``open`` says.
        float32. Raises OutOfRange for a layer that there is not, TraceTooLarge before any layer is
        computed, NotFinite, what ``Tokenizer.cut`` raises, and OutsideVocabulary; ShapeMismatch for
        a picture of another size.
        """
        if not 1 <= layer <= self.layers:
            raise OutOfRange("layer", layer, f"1 … {self.layers}")
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check says it by name
            entrance = self._entrance(given, limits)
            streams = {} if streams is None else streams
            streams[1] = entrance["X"].tensor[0]  # (token, d_model)
            begin = max(known for known in streams if known <= layer)
            x = streams[begin]
            for before in range(begin, layer):
                x = self._through(x, before)
                _keep(streams, before + 1, x)
                if progress:
                    progress(before, layer)
            trace = self._looked_at(entrance, x, layer)
        finite.check(f"layer {layer}", output_stage(trace).tensor)
        if progress:
            progress(layer, layer)
        return trace

    def survey(
        self,
        given: str | np.ndarray,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> tuple[tuple[HeadPattern | None, ...], ...]:
        """What every head of every layer does with an input: by layer and head, from 0.

        given, progress, limits, streams: as in ``run``, with which the streams can be shared: of a
        layer behind which the stream is known, nothing but the weights is computed. No more than a
        block of weights is there at any time. None for a head where no token has a choice.
        Raises what ``run`` raises for the last layer.
        """
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check says it by name
            entrance = self._entrance(given, limits)
            x = entrance["X"].tensor[0]  # (token, d_model)
            special = entrance["X"].axis("token").places("special", "cls", size=len(x))
            streams = {} if streams is None else streams
            streams[1] = x
            found = []
            for layer in range(1, self.layers + 1):
                heads, x = self._surveyed(x, layer, special, streams.get(layer + 1))
                found.append(heads)
                if layer < self.layers:
                    _keep(streams, layer + 1, x)
                if progress:
                    progress(layer, self.layers)
        return tuple(found)

    def predict(
        self,
        text: str,
        progress: Progress | None = None,
        limits: Limits = LIMITS,
        streams: dict[int, np.ndarray] | None = None,
    ) -> Prediction:
        """What this model takes for the next token of a text, behind all of its layers.

        progress, limits, streams: as in ``run``, with which the streams can be shared.
        Raises TypeError for a model that predicts no token, and what ``run`` raises.
        """
        if not self.predicts:
            raise TypeError(f"{self.name} predicts no token")
        streams, behind = {} if streams is None else streams, self.layers + 1
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check says it by name
            entrance = self._entrance(text, limits)
            streams[1] = entrance["X"].tensor[0]  # (token, d_model)
            begin = max(streams)
            x = streams[begin]
            for layer in range(begin, behind):
                x = self._through(x, layer)
                _keep(streams, layer + 1, x)
                if progress:
                    progress(layer, self.layers)
            return self._foretold(entrance, x)

    def continued(self, text: str, number: int, limits: Limits = LIMITS) -> str | None:
        """A text with a token behind it; None where that ends the text.

        number: of the token. Where it is but some bytes of a character, the likeliest tokens that
        make it whole follow, as no text ends within a character; None where none do.
        Raises what ``predict`` raises.
        """
        assert not isinstance(self._reader, Processor)
        numbers, cut = [number], self.cut(text, limits)
        while (said := self._reader.text_of(numbers)) is None and len(numbers) < BYTES:
            longer = replace(
                cut,
                numbers=(*cut.numbers, *numbers),
                names=(*cut.names, *map(self._reader.name_of, numbers)),
            )
            entrance = embeddings.of_words(self._model, longer)
            x = entrance["X"].tensor[0]  # (token, d_model)
            for layer in range(1, self.layers + 1):
                x = self._through(x, layer)
            numbers.append(self._foretold(entrance, x).likeliest[0])
        return text + said if said else None

    def ends(self, number: int) -> bool:
        """Whether a token says nothing, as the end of a text does."""
        return isinstance(self._reader, Tokenizer) and self._reader.text_of((number,)) == ""

    def _foretold(self, entrance: Trace, x: np.ndarray) -> Prediction:
        stream = replace(entrance["X"], tensor=x[None])
        return prediction.predict(self._model, stream, self._name_of)

    @property
    def predicts(self) -> bool:
        """Whether the next token of a text can be predicted."""
        return self._model.predicts

    def _name_of(self, number: int) -> str:
        reader = self._reader
        return str(number) if isinstance(reader, Processor) else reader.name_of(number)

    @property
    def processor(self) -> Processor | None:
        """What makes the input of a photo; None for a model that reads text."""
        return self._reader if isinstance(self._reader, Processor) else None

    def cut(self, text: str, limits: Limits = LIMITS) -> Cut:
        """How this model cuts a text. Raises what ``Tokenizer.cut`` raises, TypeError for ViT."""
        if isinstance(self._reader, Processor):
            raise TypeError(f"{self.name} reads pictures")
        return self._reader.cut(text, self.sizes.positions, limits)

    def _entrance(self, given: str | np.ndarray, limits: Limits) -> Trace:
        model, sizes = self._model, self.sizes
        if isinstance(self._reader, Processor) == isinstance(given, str):
            raise TypeError(f"{self.name} reads {self.token} by {self.token}, not {type(given)}")
        if isinstance(self._reader, Processor):
            cost.check_bytes(embeddings.expected_bytes(model, sizes.positions), limits.trace_bytes)
            pixels, expected = np.asarray(given), (sizes.side, sizes.side, 3)
            if pixels.shape != expected or pixels.dtype != np.uint8:
                raise ShapeMismatch("image", f"{expected} of bytes", pixels.shape)
            return embeddings.of_patches(model, self._reader.colours.values(pixels))
        cut = self.cut(str(given), limits)
        for number, name in zip(cut.numbers, cut.names, strict=True):
            if number >= sizes.vocabulary:
                raise OutsideVocabulary(name, number, sizes.vocabulary)
        cost.check_bytes(embeddings.expected_bytes(model, len(cut.numbers)), limits.trace_bytes)
        return embeddings.of_words(model, cut)

    def _through(
        self, x: np.ndarray, layer: int, observe: forward.Observer | None = None
    ) -> np.ndarray:
        layout, numbers = self._model.layout, self._model.layer(layer)
        made = forward.layer_forward(
            x, numbers, causal=layout.causal, pre_norm=layout.pre_norm, observe=observe
        )
        finite.check(f"layer {layer}", made)
        return made

    def _surveyed(
        self, x: np.ndarray, layer: int, special: tuple[int, ...], behind: np.ndarray | None
    ) -> tuple[tuple[HeadPattern | None, ...], np.ndarray]:
        """A layer's heads, and what goes on to the next; behind: that, where it is known."""
        layout, n = self._model.layout, len(x)
        seen = np.arange(1, n + 1) if layout.causal else np.full(n, n)  # (query,)
        heads: list[HeadPattern | None] = []

        def observe(weights: np.ndarray) -> None:
            heads.extend(of_heads(weights, seen[None], special=special))

        if behind is None:
            behind = self._through(x, layer, observe)
        else:
            numbers = self._model.layer(layer)
            forward.attention_weights(
                x, numbers, observe, causal=layout.causal, pre_norm=layout.pre_norm
            )
        return tuple(heads), behind

    def _looked_at(self, entrance: Trace, x: np.ndarray, number: int) -> Trace:
        layer, layout = self._model.layer(number), self._model.layout
        comes_in = replace(entrance["X"], tensor=x[None])
        path, behind = f"encoder/{number}/self", f"encoder/{number}/feed_forward"
        parts, weights = {"input": entrance}, layer.weights()
        first, second, fed = layer.attention_norm, layer.feed_forward_norm, layer.feed_forward
        if layout.pre_norm:
            parts[path] = pre_norm_attention(
                comes_in, weights, first, causal=layout.causal, rotary=layer.rotary
            )
            parts[behind] = pre_norm_feed_forward(output_stage(parts[path]), fed, second)
        else:
            assert isinstance(first, Norm) and isinstance(second, Norm)
            assert isinstance(fed, FeedForward)
            parts[path] = post_norm_attention(
                comes_in, weights, first, causal=layout.causal, kind="own_stream"
            )
            parts[behind] = post_norm_feed_forward(output_stage(parts[path]), fed, second)
        begins = next(iter(parts[behind]))
        edges = {f"{behind}/{begins}": f"{path}/{output_stage(parts[path]).key}"}
        if number == 1:
            edges[f"{path}/{begins}"] = "input/X"
        return nested.compose(parts, edges, self.parameter)


def open(given: Path | str, name: str = "", parameter: str = "checkpoint") -> Checkpoint:
    """Look at a checkpoint's folder: its configuration, and whether all weights are there and fit.

    name: of the model, if not that of its folder. parameter: what its weights are, as for
    ``nested.compose``: ``checkpoint`` where the reader brought it, or ``trained``.

    No weight is read yet. Raises MissingFile, PickleOnly, OutsideFolder, CheckpointFileTooLarge,
    DamagedCheckpoint, UnknownArchitecture, WrongSetting, HeadsDoNotDivide, PatchesDoNotFit,
    MissingTensor, WrongNumberType and TensorDoesNotFit.
    """
    place = Path(given)
    sizes = settings.sizes(folder.settings(place, folder.CONFIG))
    files = folder.shards(place)
    tensors = Shards(files) if files else Tensors(folder.path_of(place, folder.WEIGHTS))
    model = Model(tensors, LAYOUTS[sizes.kind], sizes)
    model.check()
    if model.layout.token == "patch":
        stated = _preprocessor(place)
        processor = processors.processor(stated, sizes.side)
        return Checkpoint(name or place.name, model, processor, parameter)
    definition = folder.text_of(place, tokenizer.FILE, tokenizer.BYTES)
    return Checkpoint(name or place.name, model, Tokenizer(definition), parameter)


def _keep(streams: dict[int, np.ndarray], layer: int, x: np.ndarray) -> None:
    """Add what enters a layer, while all are below STREAM_BYTES."""
    if (len(streams) + 1) * x.nbytes <= STREAM_BYTES:
        streams[layer] = x


def _preprocessor(place: Path) -> dict[str, object]:
    try:
        return folder.settings(place, processors.FILE)
    except MissingFile:
        return {}
