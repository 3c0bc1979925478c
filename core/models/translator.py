"""An encoder–decoder Transformer that was trained on Tatoeba: 我爱北京。 → I love Beijing.

"Attention Is All You Need" (Vaswani et al., 2017), section 3: embeddings times √d_model, LayerNorm
behind each sublayer, the target's table also as the final map. How it was trained, on what, how
often it is right and what it cannot do stands in ``assets/models/translator/README.md``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from core import layers, nested, ops
from core.errors import EmptyText, NotChinese, TooManyTokens, UnknownWords
from core.limits import TRANSLATED
from core.models import search
from core.models.block import (
    IN,
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
)
from core.models.stored import FOLDER, Stored, read_folder
from core.nested import as_input
from core.sources import pieces, text, unigram
from core.sources.pieces import Pieces
from core.sources.unigram import Unigram
from core.trace import Trace

Token = TypeVar("Token", str, int)
Parts = tuple[dict[str, Trace], dict[str, str]]  # what ``nested.compose`` puts together
WORDS, PIECES = "words.json", "pieces.json"
LONGEST = TRANSLATED.tokens
BEAM = 4
LISTED = 6  # pieces of each place whose logits a trace holds
HAN = "\u4e00", "\u9fff"  # the first and the last of everyday use
_APOSTROPHES = dict.fromkeys(map(ord, "‘’"), "'")


@dataclass(frozen=True, eq=False)
class Translation:
    """A sentence, what the model made of it, and every stage on the way.

    tokens: the words of the source. pieces: rows of the target's table, without START and END.
    ended: whether the model itself said that it was done, rather than being stopped.
    trace: as ``Translator.trace`` gives it, for START and all pieces.
    probabilities: (place, piece), of every piece of the vocabulary at every place.
    """

    tokens: tuple[str, ...]
    pieces: tuple[int, ...]
    ended: bool
    trace: Trace
    probabilities: np.ndarray


class Translator:
    """The trained model: what it knows, and how it goes from a sentence to another."""

    def __init__(self, stored: Stored, source: Unigram, pieces: Pieces) -> None:
        """Take the numbers of a file, the words of the source and the pieces of the target."""
        self.stored, self.source, self.pieces = stored, source, pieces
        self.start, self.end = pieces.start, pieces.end
        self.layers: int = stored.config["layers"]
        self.heads: int = stored.config["heads"]

    @property
    def target(self) -> tuple[str, ...]:
        """Every piece of the target as it is shown."""
        return self.pieces.names

    def tokenize(self, sentence: str) -> tuple[str, ...]:
        """The words of a Chinese sentence, and characters where no word is known.

        Raises EmptyText, NotChinese where no character is Chinese, UnknownWords with every sign
        that the model has never seen, TooManyTokens, TextTooLong and InvisibleCharacters.
        """
        composed = text.composed_of(sentence)
        words = self.source.tokenize(composed)
        if not words:
            raise EmptyText
        if not is_chinese(composed):
            raise NotChinese
        unknown = [word for word in words if word not in self.source.rows]
        return _checked(words, unknown)

    def encode_target(self, sentence: str) -> tuple[int, ...]:
        """The pieces of an English sentence, for teacher forcing.

        Raises EmptyText, UnknownWords, TooManyTokens, TextTooLong and InvisibleCharacters.
        """
        composed = " ".join(text.composed_of(sentence).translate(_APOSTROPHES).split())
        if not composed:
            raise EmptyText
        return _checked(self.pieces.encode(composed), self.pieces.unknown(composed))

    def decode(self, pieces: Sequence[int]) -> str:
        """Pieces as a sentence is written."""
        return self.pieces.decode(pieces)

    def translate(self, sentence: str, beam: int = 1) -> Translation:
        """Translate greedily, or with a beam: at most LONGEST pieces.

        Raises what ``tokenize`` raises.
        """
        tokens = self.tokenize(sentence)
        encoded = self._encoded([self.source.ids(tokens)])
        memory = output_stage(list(encoded[0].values())[-1]).tensor
        decoder = search.Decoder(self.stored, memory, LONGEST)
        ends = self.start, self.end, LONGEST
        found = (
            search.greedy(decoder.step, *ends)
            if beam == 1
            else search.beam_search(decoder.step, *ends, beam)
        )
        return self._translation(tokens, encoded, found.pieces, found.ended)

    def teacher_forced(self, tokens: Sequence[str], pieces: Sequence[int]) -> Translation:
        """The same for a source and a target that are both given (teacher forcing).

        tokens: of ``tokenize``; pieces: of ``encode_target``. It counts as ended.
        """
        encoded = self._encoded([self.source.ids(tokens)])
        return self._translation(tuple(tokens), encoded, tuple(pieces), True)

    def encoder(self, *lines: Sequence[str]) -> Trace:
        """The stages of the source alone: source, encoder/L/self and encoder/L/feed_forward.

        lines: tokens of ``tokenize``, a sample each. Shorter samples are padded with [PAD], whose
        vector is that of [UNK]; the key mask hides it.
        """
        return nested.compose(*self._encoded([self.source.ids(line) for line in lines]), "trained")

    def _translation(
        self, tokens: tuple[str, ...], encoded: Parts, pieces: tuple[int, ...], ended: bool
    ) -> Translation:
        """Decode what is known by now. The decoder reads START and the pieces.

        Row t of it is where the piece at place t is predicted. The parts of the trace are source,
        encoder/L/self, encoder/L/feed_forward, target, decoder/L/self, decoder/L/cross,
        decoder/L/feed_forward and prediction, L from 1.
        """
        parts, taken, probabilities = self._decoded(encoded, pieces, ended)
        trace = nested.compose(parts, taken, "trained")
        return Translation(tokens, pieces, ended, trace, probabilities)

    def _encoded(self, lines: Sequence[Sequence[int]]) -> Parts:
        source = text.look_up(lines, self.stored.tensors["source/E"], self.source.tokens)
        key_mask = source["key_mask"].tensor if "key_mask" in source else None
        parts, taken = {"source": source}, {}
        before = "source"
        for layer in range(1, self.layers + 1):
            path = f"encoder/{layer}/self"
            parts[path] = post_norm_attention(
                output_stage(parts[before]),
                self.stored.attention(path),
                self.stored.norm(path),
                key_mask=key_mask,
            )
            taken[f"{path}/X"] = _last(before, parts)
            before = self._feed_forward(f"encoder/{layer}", path, parts, taken)
        return parts, taken

    def _decoded(
        self, encoded: Parts, pieces: Sequence[int], ended: bool
    ) -> tuple[dict[str, Trace], dict[str, str], np.ndarray]:
        parts, taken = dict(encoded[0]), dict(encoded[1])
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
                    causal=kind == "self",
                )
                taken[f"{path}/X"] = _last(before, parts)
                if kind == "cross":
                    taken[f"{path}/memory"] = _last(memory, parts)
                before = path
            before = self._feed_forward(f"decoder/{layer}", before, parts, taken)
        following = (*pieces, self.end) if ended else tuple(pieces)
        parts["prediction"], probabilities = self._predicted(parts[before], following)
        taken["prediction/X"] = _last(before, parts)
        return parts, taken, probabilities

    def _predicted(self, before: Trace, following: Sequence[int]) -> tuple[Trace, np.ndarray]:
        """The part ``prediction``, and the probabilities of all pieces, (place, piece).

        The part has the likeliest pieces of every place and those that follow; all others are one.
        """
        X = as_input(output_stage(before), "X", IN, "last_vectors")
        E, b = self.stored.tensors["target/E"], self.stored.tensors["prediction/b"]
        logits = X.tensor[0] @ E.T + b  # (place, piece)
        likeliest = np.argsort(-logits, axis=-1, kind="stable")[:, :LISTED]
        listed = list(dict.fromkeys([*following, *likeliest.T.ravel().tolist()]))
        names = [self.target[piece] for piece in listed]
        left = np.delete(logits, listed, axis=-1)
        others = (_logsumexp(left)[None], f"+ {left.shape[-1]}") if left.size else None
        W = np.ascontiguousarray(E[listed].T)  # (d_model, listed)
        head = layers.output_head(X, W, b[listed], "vocabulary", names, others)
        return Trace([X, *head]), ops.softmax(logits)

    def _feed_forward(
        self, layer: str, before: str, parts: dict[str, Trace], taken: dict[str, str]
    ) -> str:
        path = f"{layer}/feed_forward"
        parts[path] = post_norm_feed_forward(
            output_stage(parts[before]),
            self.stored.feed_forward(path, "relu"),
            self.stored.norm(path),
        )
        taken[f"{path}/X"] = _last(before, parts)
        return path


def is_chinese(written: str) -> bool:
    """Whether any character is a Chinese one."""
    return any(HAN[0] <= sign <= HAN[1] for sign in written)


def _logsumexp(logits: np.ndarray) -> np.ndarray:
    largest = logits.max(axis=-1, keepdims=True)
    return largest[..., 0] + np.log(np.exp(logits - largest).sum(axis=-1))


def _checked(tokens: tuple[Token, ...], unknown: Sequence[str]) -> tuple[Token, ...]:
    if unknown:
        raise UnknownWords(tuple(dict.fromkeys(unknown)))
    if len(tokens) > LONGEST:
        raise TooManyTokens(1, len(tokens), LONGEST)
    return tokens


def _last(path: str, parts: dict[str, Trace]) -> str:
    return f"{path}/{output_stage(parts[path]).key}"


@cache
def load(folder: Path = FOLDER / "translator") -> Translator:
    """The model that ships with the project, computed in float32."""
    return Translator(
        read_folder(folder, np.float32), unigram.read(folder / WORDS), pieces.read(folder / PIECES)
    )
