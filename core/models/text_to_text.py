"""An opened encoder–decoder of texts, such as T5: it reads one text and writes another.

"Attention Is All You Need" (Vaswani et al., 2017), section 3: the decoder writes token by token,
and looks at what the encoder has made of the source. Greedy, with a KV cache.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core import cost, finite, nested, ops
from core.errors import InputError, out_of_range
from core.interventions import NONE, Change, Interventions
from core.limits import LIMITS, WRITTEN_TOKENS, Limits
from core.models import embeddings, prediction
from core.models.block import output_stage
from core.models.decoding import Decoding
from core.models.effects import Effect, each_muted
from core.models.forward import final_normed
from core.models.model import Model
from core.models.one_layer import (
    FINAL_NORM,
    Parts,
    decoder_layer_parts,
    layer_output,
    layer_parts,
)
from core.sources.tokenizer import Encoding, Tokenizer
from core.trace import Stage, Trace

PREDICTION = "prediction"  # a part behind the decoder's last layer


@dataclass(frozen=True)
class Written:
    """What a decoder wrote. numbers: the ids; ended: whether the last of them ends the text."""

    numbers: tuple[int, ...]
    ended: bool


@dataclass(frozen=True, eq=False)
class TextToText:
    """An encoder and a decoder, and the tokenizers of what they read and write.

    parameter: the origin of the weights, as for ``nested.compose``.
    """

    encoder: Model
    decoder: Model
    source: Tokenizer
    target: Tokenizer
    parameter: str = "checkpoint"

    def changed(self, interventions: Interventions) -> "TextToText":
        """The model with changes of its attention: of the encoder, ``decoder`` and ``cross``.

        Patches of the decoder are of what it writes for the other text. Raises out_of_range,
        not_a_change for what it has not, no_other_text, and for patches what ``trace`` raises.
        """
        for change in interventions.changes:
            config = self.side(change.part).config
            one = replace(interventions, changes=(change,))
            one.check(config.layers, config.heads, parts=(change.part,))
        patches: Mapping[Change, np.ndarray] = {}
        if interventions.patches:
            plain, other = self._with(NONE, {}), interventions.other
            patches = interventions.patched_from(partial(plain.trace, other, plain.greedy(other)))
        return self._with(interventions, patches)

    def _with(
        self, interventions: Interventions, patches: Mapping[Change, np.ndarray]
    ) -> "TextToText":
        """The model with changes that fit it. patches: what those among them put in place."""
        made = {"interventions": interventions, "patches": patches}
        encoder = replace(self.encoder, **made)  # type: ignore[arg-type]
        decoder = replace(self.decoder, stack="decoder", **made)  # type: ignore[arg-type]
        return replace(self, encoder=encoder, decoder=decoder)

    def side(self, part: str) -> Model:
        """The encoder or the decoder, by a part of the changes."""
        return self.encoder if part == "encoder" else self.decoder

    @property
    def interventions(self) -> Interventions:
        """What is changed in its layers."""
        return self.decoder.interventions

    @property
    def layers(self) -> int:
        """The number of layers of the side that has more."""
        return max(self.encoder.config.layers, self.decoder.config.layers)

    def encode(self, text: str, limits: Limits = LIMITS) -> Encoding:
        """The tokens of a source. Raises what ``embeddings.checked`` raises."""
        return embeddings.checked(self.encoder, self.source, text, limits)

    def encode_target(self, text: str, limits: Limits = LIMITS) -> Written:
        """The tokens of a target that is given (teacher forcing), with the one that ends it.

        Raises what ``embeddings.checked`` raises, and too_many_tokens.
        """
        numbers = embeddings.checked(self.decoder, self.target, text, limits).ids
        end = self.decoder.config.end
        written = numbers if numbers[-1] == end else (*numbers, end)
        if len(written) > WRITTEN_TOKENS:
            raise InputError("too_many_tokens", line=1, tokens=len(written), limit=WRITTEN_TOKENS)
        return Written(written, True)

    def text_of(self, written: Written) -> str:
        """The text of what was written, up to the last whole character."""
        numbers = written.numbers[:-1] if written.ended else written.numbers
        for last in range(len(numbers), 0, -1):
            text = self.target.text_of(numbers[:last])
            if text is not None:
                return text.strip()
        return ""

    def target_encoding(self, written: Written) -> Encoding:
        """The tokens that the decoder reads: the one in front, and all that were written but the
        last one, behind which nothing is written."""
        read = (self.decoder.config.start, *written.numbers[:-1])
        return Encoding(read, tuple(map(self.target.name_of, read)), special=(0,), unknown=())

    def memory(self, source: str, limits: Limits = LIMITS) -> np.ndarray:
        """What the encoder makes of a source: (token, d_model).

        Raises what ``encode`` raises, and not_finite.
        """
        embedded = embeddings.token_embeddings(self.encoder, self.encode(source, limits))
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            x = embedded["X"].tensor[0]  # (token, d_model)
            for layer in range(1, self.encoder.config.layers + 1):
                x = layer_output(self.encoder, x, layer)
            return final_normed(x, self.encoder)

    def write(
        self,
        source: str,
        most: int = WRITTEN_TOKENS,
        limits: Limits = LIMITS,
        target: Written | None = None,
    ) -> Iterator[tuple[Written, float]]:
        """Yields what is written so far, and the probability of its last token, token by token.

        Each time what is likeliest, or what stands in a target. most: tokens at most. Raises what
        ``memory`` raises.
        """
        config, decoding = self.decoder.config, Decoding(self.decoder, self.memory(source, limits))
        given, numbers = (config.start,), list[int]()
        for step in range(len(target.numbers) if target else min(most, config.positions)):
            with np.errstate(over="ignore", invalid="ignore"):
                logits, _ = decoding.step(given)
            logits = logits.astype(np.float64)
            odds = np.exp(logits - logits.max())
            logits[list(config.never)] = -np.inf
            number = target.numbers[step] if target else int(logits.argmax())
            probability = float(odds[number] / odds.sum())
            numbers.append(number)
            yield Written(tuple(numbers), number == config.end), probability
            if number == config.end:
                return
            given = (number,)

    def greedy(self, source: str, most: int = WRITTEN_TOKENS, limits: Limits = LIMITS) -> Written:
        """What is written for a source. Raises what ``write`` raises."""
        *_, (written, _) = self.write(source, most, limits)
        return written

    def effects(
        self,
        source: str,
        written: Written,
        row: int,
        part: str,
        progress: Callable[[int, int], None] | None = None,
        known: int = 0,
    ) -> Iterator[Effect]:
        """Yields what muting each head of a part does to ln p of a written token.

        row: its position, from 0; the tokens in front stay. part: of ``Change``. progress, known:
        as for ``core.models.effects.effects``. Raises what ``memory`` raises.
        """
        memory, config = self.memory(source), self.side(part).config
        given = (self.decoder.config.start, *written.numbers[:row])
        decoding = Decoding(self.decoder, memory)

        def probabilities(interventions: Interventions) -> np.ndarray:
            changed = self._with(interventions, self.decoder.patches)
            read = changed.memory(source) if part == "encoder" else memory
            logits, _ = Decoding(changed.decoder, read, decoding).step(given)
            return ops.softmax(logits.astype(np.float64))

        shape, target = (config.layers, config.heads), written.numbers[row]
        return each_muted(probabilities, self.interventions, shape, target, progress, known, part)

    def trace(
        self,
        source: str,
        written: Written | None = None,
        layer: int = 1,
        limits: Limits = LIMITS,
    ) -> Trace:
        """The trace of one layer of both sides; a side with fewer layers shows its last one.

        written: the target; by default what ``greedy`` gives. layer: from 1.

        The parts are input, encoder/L/self and encoder/L/feed_forward, behind the encoder's last
        layer final_norm if it has one, target, decoder/L/self, decoder/L/cross and
        decoder/L/feed_forward, and behind the decoder's last layer prediction, whose row t is about
        the token that is written at position t.

        Raises out_of_range for an unknown layer, trace_too_large before any layer is computed,
        not_finite, and what ``encode`` raises.
        """
        if not 1 <= layer <= self.layers:
            raise out_of_range("layer", layer, f"1 … {self.layers}")
        encoding = self.encode(source, limits)
        written = written or self.greedy(source, limits=limits)
        reads = self.target_encoding(written)
        cost.check_bytes(self._trace_bytes(len(encoding.ids), len(reads.ids)), limits.trace_bytes)
        with np.errstate(over="ignore", invalid="ignore"):  # finite.check names the layer
            parts, edges, memory = self._encoder_parts(encoding, layer)
            of_decoder = self._decoder_parts(reads, memory, layer)
            parts, edges = parts | of_decoder[0], edges | of_decoder[1]
            path, fed = list(of_decoder[0].items())[-1]
            finite.check(path, output_stage(fed).tensor)
            shown = min(layer, self.encoder.config.layers)
            cross = path.replace("feed_forward", "cross")
            if shown == self.encoder.config.layers:
                end = FINAL_NORM if FINAL_NORM in parts else f"encoder/{shown}/feed_forward"
                edges[f"{cross}/memory"] = f"{end}/{memory.key}"
            if layer >= self.decoder.config.layers:
                parts[PREDICTION] = prediction.predict_rows(
                    self.decoder, output_stage(fed), written.numbers, self.target.name_of
                )
                begins = next(iter(parts[PREDICTION]))
                edges[f"{PREDICTION}/{begins}"] = f"{path}/{output_stage(fed).key}"
        return nested.compose(parts, edges, self.parameter)

    def _encoder_parts(self, encoding: Encoding, layer: int) -> tuple[*Parts, Stage]:
        """The parts of one layer of the encoder, and the stage that its last layer ends in."""
        layers = self.encoder.config.layers
        embedded, shown = embeddings.token_embeddings(self.encoder, encoding), min(layer, layers)
        x = embedded["X"].tensor[0]  # (token, d_model)
        for before in range(1, shown):
            x = layer_output(self.encoder, x, before)
        parts, edges = layer_parts(self.encoder, embedded, x, shown)
        memory = output_stage(list(parts.values())[-1])
        finite.check(f"layer {shown}", memory.tensor)
        if shown < layers:
            x = memory.tensor[0]
            for behind in range(shown + 1, layers + 1):
                x = layer_output(self.encoder, x, behind)
            memory = replace(embedded["X"], tensor=final_normed(x, self.encoder)[None])
        return parts, edges, memory

    def _decoder_parts(self, reads: Encoding, memory: Stage, layer: int) -> Parts:
        """The parts of one layer of the decoder."""
        embedded = embeddings.token_embeddings(self.decoder, reads)
        x = embedded["X"].tensor[0]  # (token, d_model)
        decoding = Decoding(self.decoder, memory.tensor[0])
        shown = min(layer, self.decoder.config.layers)
        for before in range(1, shown):
            x, _ = decoding.layer_output(x, before)
        comes_in = replace(embedded["X"], tensor=x[None])
        return decoder_layer_parts(self.decoder, embedded, comes_in, memory, shown)

    def _trace_bytes(self, source: int, target: int) -> int:
        """The bytes of the trace of a layer for so many tokens of the source and of the target."""
        of_sides = embeddings.estimate_trace_bytes(self.encoder, source)
        of_sides += embeddings.estimate_trace_bytes(self.decoder, target)
        return of_sides + embeddings.estimate_cross_bytes(self.decoder, target, source)
