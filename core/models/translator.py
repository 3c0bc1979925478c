"""The Chinese–English encoder–decoder Transformer, trained on Tatoeba.

"Attention Is All You Need" (Vaswani et al., 2017), section 3: embeddings times √d_model, LayerNorm
after each sublayer, the target embeddings tied to the output projection. Its training, metrics and
limitations are in ``assets/models/translator/README.md``.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from core import layers, nested, ops
from core.errors import InputError
from core.interventions import NONE, Interventions
from core.limits import LISTED_PIECES, TRANSLATED
from core.models import search
from core.models.block import (
    IN,
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
)
from core.models.effects import Effect, each_muted
from core.models.prediction import outcomes
from core.models.stored import FOLDER, Stored, read_folder
from core.nested import as_input
from core.options import AttentionOptions
from core.sources import pieces, text, unigram
from core.sources.pieces import Pieces
from core.sources.unigram import Unigram
from core.trace import Trace

Token = TypeVar("Token", str, int)
Gloss = tuple[str, str]  # pinyin, meaning
Parts = tuple[dict[str, Trace], dict[str, str]]  # the arguments of ``nested.compose``
WORDS, PIECES, GLOSSES = "words.json", "pieces.json", "gloss.tsv"
LONGEST = TRANSLATED.tokens
_APOSTROPHES = dict.fromkeys(map(ord, "‘’"), "'")


@dataclass(frozen=True, eq=False)
class Translation:
    """A translation with all of its stages.

    tokens: of the source. pieces: target ids, without START and END.
    ended: whether END was predicted, rather than the limit reached.
    trace: of the whole model, with START and all pieces as target.
    probabilities: (position, piece), of the whole vocabulary at every position.
    """

    tokens: tuple[str, ...]
    pieces: tuple[int, ...]
    ended: bool
    trace: Trace
    probabilities: np.ndarray

    def mean_log_probability(self, end: int) -> float:
        """The mean of ln p of the target ids, and of END (id ``end``) if it was predicted."""
        following = [*self.pieces, end][: len(self.probabilities)]
        rows = self.probabilities[np.arange(len(following)), following]
        return float(np.log(rows.astype(np.float64)).mean())


@dataclass(frozen=True)
class Confidence:
    """How far translations with a similar mean log probability can be trusted.

    close: of ``sentences`` held-out translations with a mean ln p in the same fifth, those whose
    chrF against a person's translation is at least 50.
    """

    mean_log_probability: float
    close: int
    sentences: int

    @property
    def is_low(self) -> bool:
        """Whether fewer than a third of such translations came close to a person's."""
        return 3 * self.close < self.sentences


class Translator:
    """The trained translator."""

    def __init__(self, stored: Stored, source: Unigram, pieces: Pieces) -> None:
        """source, pieces: the tokenizers of the source and of the target."""
        self.stored, self.source, self.pieces = stored, source, pieces
        self.start, self.end = pieces.start, pieces.end
        self.layers: int = stored.config["layers"]
        self.heads: int = stored.config["heads"]

    def changed(self, interventions: Interventions) -> "Translator":
        """The model with changes of its attention.

        Patches of the decoder are of what it writes for the other text. Raises what
        ``Stored.changed`` raises, and for patches what ``translate`` raises.
        """
        plain = self._with(self.stored.changed(NONE))
        of_other = cache(lambda: plain.translate(interventions.other).trace)
        return self._with(self.stored.changed(interventions, lambda _: of_other()))

    def _with(self, stored: Stored) -> "Translator":
        return Translator(stored, self.source, self.pieces)

    @property
    def target(self) -> tuple[str, ...]:
        """Every piece of the target vocabulary as text."""
        return self.pieces.names

    @property
    def best_aligned_head(self) -> tuple[int, int]:
        """The cross-attention head that finds most words aligned by hand, from 0."""
        measured = self.stored.training["own_alignment"]
        return measured["layer"] - 1, measured["head"] - 1

    @property
    def best_untaught_head(self) -> tuple[int, int]:
        """The one that finds most of them among the heads that were taught no alignment, from 0."""
        shares = np.array(self.stored.training["own_alignment"]["heads"])  # (layer, head)
        if self.supervised_head:
            shares[self.supervised_head] = -1
        layer, head = divmod(int(shares.argmax()), self.heads)
        return layer, head

    @property
    def supervised_head(self) -> tuple[int, int] | None:
        """The cross-attention head that was taught the alignment, by layer and head from 0."""
        settings = self.stored.training["settings"]
        if not settings.get("aligned"):
            return None
        layer, head = settings["aligned_head"]
        return layer, head

    def tokenize(self, sentence: str) -> tuple[str, ...]:
        """The tokens of a Chinese sentence: words, and characters where no word is known.

        Raises empty_text, not_chinese if no character is Chinese, unknown_words with all characters
        that are not in the vocabulary, too_many_tokens, text_too_long and invisible_characters.
        """
        composed = text.composed_of(sentence)
        words = self.source.tokenize(composed)
        if not words:
            raise InputError("empty_text")
        if not text.is_chinese(composed):
            raise InputError("not_chinese")
        unknown = [word for word in words if word not in self.source.rows]
        return _checked(words, unknown)

    def encode_target(self, sentence: str) -> tuple[int, ...]:
        """The target ids of an English sentence, for teacher forcing.

        Raises empty_text, unknown_words, too_many_tokens, text_too_long and invisible_characters.
        """
        composed = " ".join(text.composed_of(sentence).translate(_APOSTROPHES).split())
        if not composed:
            raise InputError("empty_text")
        return _checked(self.pieces.encode(composed), self.pieces.unknown(composed))

    def decode(self, pieces: Sequence[int]) -> str:
        """The text of target ids."""
        return self.pieces.decode(pieces)

    def translate(self, sentence: str, beam: int = 1) -> Translation:
        """Translate with greedy decoding or beam search: at most LONGEST pieces.

        Raises what ``tokenize`` raises.
        """
        tokens = self.tokenize(sentence)
        encoded = self._encoded([self.source.ids(tokens)])
        memory = output_stage(list(encoded[0].values())[-1]).tensor
        decoder = search.Decoder(self.stored, memory, LONGEST)
        ends = self.start, self.end, LONGEST
        hypothesis = (
            search.greedy(decoder.step, *ends)
            if beam == 1
            else search.beam_search(decoder.step, *ends, beam)
        )
        return self._translation(tokens, encoded, hypothesis.pieces, hypothesis.ended)

    def teacher_forced(self, tokens: Sequence[str], pieces: Sequence[int]) -> Translation:
        """The trace for a given source and a given target (teacher forcing).

        tokens: of ``tokenize``; pieces: of ``encode_target``. It counts as ended.
        """
        encoded = self._encoded([self.source.ids(tokens)])
        return self._translation(tuple(tokens), encoded, tuple(pieces), True)

    def effects(
        self,
        translation: Translation,
        word: int,
        part: str,
        progress: Callable[[int, int], None] | None = None,
        known: int = 0,
    ) -> Iterator[Effect]:
        """Yields what muting each head of a part does to ln p of a word.

        translation: by this model; the words in front stay. word: its position, from 0. part: of
        ``Change``. progress, known: as for ``core.models.effects.effects``.
        """

        def probabilities(interventions: Interventions) -> np.ndarray:
            changed = self._with(replace(self.stored, interventions=interventions))
            made = changed.teacher_forced(translation.tokens, translation.pieces)
            return made.probabilities[word]

        following = (*translation.pieces, self.end)[word]
        shape = self.layers, self.heads
        return each_muted(
            probabilities, self.stored.interventions, shape, following, progress, known, part
        )

    def confidence(self, translation: Translation) -> Confidence:
        """The calibration on held-out sentences, for a translation by search.

        The calibration is of greedy translations; ``training.translator.measure`` made it.
        """
        mean = translation.mean_log_probability(self.end)
        fifths = self.stored.training["calibration"]
        fifth = next(one for one in fifths if one["below"] is None or mean < one["below"])
        return Confidence(mean, fifth["close"], fifth["sentences"])

    def encoder(self, *lines: Sequence[str]) -> Trace:
        """The trace of the encoder: source, encoder/L/self and encoder/L/feed_forward.

        lines: tokens of ``tokenize``, a sample each. Shorter samples are padded with [PAD], whose
        vector is that of [UNK]; the key mask hides it.
        """
        return nested.compose(*self._encoded([self.source.ids(line) for line in lines]), "trained")

    def _translation(
        self, tokens: tuple[str, ...], encoded: Parts, pieces: tuple[int, ...], ended: bool
    ) -> Translation:
        """Decode START and the pieces; row t predicts the piece at position t.

        The parts of the trace are source,
        encoder/L/self, encoder/L/feed_forward, target, decoder/L/self, decoder/L/cross,
        decoder/L/feed_forward and prediction, L from 1.
        """
        parts, edges, probabilities = self._decoded(encoded, pieces, ended)
        trace = nested.compose(parts, edges, "trained")
        return Translation(tokens, pieces, ended, trace, probabilities)

    def _encoded(self, lines: Sequence[Sequence[int]]) -> Parts:
        source = text.look_up(lines, self.stored.tensors["source/E"], self.source.tokens)
        key_mask = source["key_mask"].tensor if "key_mask" in source else None
        parts, edges = {"source": source}, {}
        before = "source"
        for layer in range(1, self.layers + 1):
            path = f"encoder/{layer}/self"
            parts[path] = post_norm_attention(
                output_stage(parts[before]),
                self.stored.attention(path),
                self.stored.norm(path),
                options=AttentionOptions(key_mask=key_mask, changes=self.stored.changes(path)),
            )
            edges[f"{path}/{next(iter(parts[path]))}"] = _last(before, parts)
            before = self._feed_forward(f"encoder/{layer}", path, parts, edges)
        return parts, edges

    def _decoded(
        self, encoded: Parts, pieces: Sequence[int], ended: bool
    ) -> tuple[dict[str, Trace], dict[str, str], np.ndarray]:
        parts, edges = dict(encoded[0]), dict(encoded[1])
        memory = list(parts)[-1]
        read = (self.start, *pieces)
        parts["target"] = text.look_up([read], self.stored.tensors["target/E"], self.target)
        before = "target"
        for layer in range(1, self.layers + 1):
            for kind in ("self", "cross"):
                path = f"decoder/{layer}/{kind}"
                parts[path] = post_norm_attention(
                    output_stage(parts[before]),
                    self.stored.attention(path),
                    self.stored.norm(path),
                    memory=output_stage(parts[memory]) if kind == "cross" else None,
                    options=AttentionOptions(
                        causal=kind == "self", changes=self.stored.changes(path)
                    ),
                )
                edges[f"{path}/{next(iter(parts[path]))}"] = _last(before, parts)
                if kind == "cross":
                    edges[f"{path}/memory"] = _last(memory, parts)
                before = path
            before = self._feed_forward(f"decoder/{layer}", before, parts, edges)
        following = (*pieces, self.end) if ended else tuple(pieces)
        parts["prediction"], probabilities = self._predicted(parts[before], following)
        edges["prediction/X"] = _last(before, parts)
        return parts, edges, probabilities

    def _predicted(self, before: Trace, following: Sequence[int]) -> tuple[Trace, np.ndarray]:
        """The part ``prediction``, and the probabilities of all pieces, (position, piece).

        The part lists the likeliest pieces of every position and the target pieces; all others are
        one outcome.
        """
        X = as_input(output_stage(before), "X", IN, "last_vectors")
        E, b = self.stored.tensors["target/E"], self.stored.tensors["prediction/b"]
        logits = X.tensor[0] @ E.T + b  # (position, piece)
        listed, others = outcomes(logits, following, LISTED_PIECES)
        names = [self.target[piece] for piece in listed]
        W = np.ascontiguousarray(E[listed].T)  # (d_model, listed)
        head = layers.output_head(X, W, b[listed], "vocabulary", names, others)
        return Trace([X, *head]), ops.softmax(logits)

    def _feed_forward(
        self, layer: str, before: str, parts: dict[str, Trace], edges: dict[str, str]
    ) -> str:
        path = f"{layer}/feed_forward"
        parts[path] = post_norm_feed_forward(
            output_stage(parts[before]),
            self.stored.feed_forward(path, "relu"),
            self.stored.norm(path),
        )
        edges[f"{path}/X"] = _last(before, parts)
        return path


def _checked(tokens: tuple[Token, ...], unknown: Sequence[str]) -> tuple[Token, ...]:
    if unknown:
        raise InputError("unknown_words", words=tuple(dict.fromkeys(unknown)))
    if len(tokens) > LONGEST:
        raise InputError("too_many_tokens", line=1, tokens=len(tokens), limit=LONGEST)
    return tokens


def _last(path: str, parts: dict[str, Trace]) -> str:
    return f"{path}/{output_stage(parts[path]).key}"


@cache
def load(folder: Path = FOLDER / "translator") -> Translator:
    """The translator that ships with the project, in float32."""
    return Translator(
        read_folder(folder, np.float32), unigram.read(folder / WORDS), pieces.read(folder / PIECES)
    )


def gloss(token: str) -> Gloss:
    """Pinyin and English meaning of a Chinese word; two empty strings if there are none.

    Pinyin is from pypinyin, meanings are from CC-CEDICT; ``training.translator.gloss`` wrote the
    table.
    """
    return _glosses().get(token, ("", ""))


@cache
def _glosses() -> dict[str, Gloss]:
    lines = (FOLDER / "translator" / GLOSSES).read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return {token: (pinyin, meaning) for token, pinyin, meaning in rows}
