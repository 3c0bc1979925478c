"""A small encoder–decoder Transformer that was trained: 我爱北京 → I love Beijing.

"Attention Is All You Need" (Vaswani et al., 2017), section 3, with separate embedding tables and
LayerNorm behind each sublayer. How it was trained, on what, and what it cannot do stands in
``assets/models/translator.md``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from core import layers, nested
from core.errors import EmptyText, TooManyTokens, UnknownWords
from core.models.block import (
    IN,
    output_stage,
    post_norm_attention,
    post_norm_feed_forward,
)
from core.models.stored import Stored, read
from core.nested import as_input
from core.sources import text
from core.trace import Trace

Parts = tuple[dict[str, Trace], dict[str, str]]  # what ``nested.compose`` puts together
LONGEST = 24  # words of a sentence: far beyond those that it was trained on
PUNCTUATION = '。．.！!？?，,、；;：:“”"（）()…'
APOSTROPHES = "'‘’"


@dataclass(frozen=True, eq=False)
class Translation:
    """A sentence, what the model made of it, and every stage on the way.

    tokens: the words of the source. words: those of the target, without START and END.
    ended: whether the model itself said that it was done, rather than being stopped.
    trace: as ``Translator.trace`` gives it, for START and all words.
    """

    tokens: tuple[str, ...]
    words: tuple[str, ...]
    ended: bool
    trace: Trace

    def candidates(self, place: int, count: int = 5) -> tuple[tuple[str, float], ...]:
        """The likeliest words at a place of the target, counted from 0, with their probabilities.

        Raises IndexError for a place that the trace does not have.
        """
        return candidates(self.trace, place, count)


class Translator:
    """The trained model: what it knows, and how it goes from a sentence to another."""

    def __init__(self, stored: Stored) -> None:
        """Take the numbers of a file."""
        self.stored = stored
        self.source: tuple[str, ...] = tuple(stored.config["source"])
        self.target: tuple[str, ...] = tuple(stored.config["target"])
        self.start: str = stored.config["start"]
        self.end: str = stored.config["end"]
        self.layers: int = stored.config["layers"]
        self.heads: int = stored.config["heads"]

    def cut(self, sentence: str) -> tuple[str, ...]:
        """The words of a Chinese sentence, each the longest that the model knows at its place.

        Spaces and punctuation only part words. Raises EmptyText, UnknownWords with every stretch
        that begins with no known word, TooManyTokens, TextTooLong and InvisibleCharacters.
        """
        known, words, unknown = set(self.source), [], [""]
        longest = max(map(len, known))
        rest = text.composed_of(sentence)
        while rest:
            word = next((rest[:n] for n in range(longest, 0, -1) if rest[:n] in known), "")
            if word:
                words.append(word)
            elif not rest[0].isspace() and rest[0] not in PUNCTUATION + APOSTROPHES:
                unknown[-1] += rest[0]
                rest = rest[1:]
                continue
            unknown.append("")
            rest = rest[len(word) or 1 :]
        return self._checked(words, [stretch for stretch in unknown if stretch])

    def read_target(self, sentence: str) -> tuple[str, ...]:
        """The words of an English sentence, for teacher forcing.

        Upper and lower case are one where the model knows but one of them.
        Raises EmptyText, UnknownWords, TooManyTokens, TextTooLong and InvisibleCharacters.
        """
        known = {word.lower(): word for word in self.target if word not in (self.start, self.end)}
        one_mark = dict.fromkeys(map(ord, APOSTROPHES), "'") | dict.fromkeys(
            map(ord, PUNCTUATION), " "
        )
        stripped = (
            word.strip("'") for word in text.composed_of(sentence).translate(one_mark).split()
        )
        parted = [word for word in stripped if word]
        unknown = [word for word in parted if word.lower() not in known]
        return self._checked([known.get(word.lower(), word) for word in parted], unknown)

    def _checked(self, words: Sequence[str], unknown: Sequence[str]) -> tuple[str, ...]:
        if unknown:
            raise UnknownWords(tuple(dict.fromkeys(unknown)))
        if not words:
            raise EmptyText
        if len(words) > LONGEST:
            raise TooManyTokens(1, len(words), LONGEST)
        return tuple(words)

    def translate(self, sentence: str) -> Translation:
        """Translate greedily: at each step the likeliest word, until END or LONGEST words.

        Raises EmptyText, UnknownWords and TooManyTokens.
        """
        tokens = self.cut(sentence)
        encoded = self._encoded(tokens)
        words: list[str] = []
        while True:
            parts, taken = self._decoded(encoded, words)
            likeliest = parts["prediction"]["logits"].tensor[0, -1].argmax()
            ended = self.target[likeliest] == self.end
            if ended or len(words) == LONGEST:
                trace = nested.compose(parts, taken, "trained")
                return Translation(tokens, tuple(words), ended, trace)
            words.append(self.target[likeliest])

    def trace(self, tokens: Sequence[str], words: Sequence[str]) -> Trace:
        """Every stage for a source and a target that are both given (teacher forcing).

        tokens, words: known words. The decoder reads START and the words; row t of it is where the
        word at place t is predicted. The parts are source, encoder/L/self, encoder/L/feed_forward,
        target, decoder/L/self, decoder/L/cross, decoder/L/feed_forward and prediction, L from 1.
        """
        return nested.compose(*self._decoded(self._encoded(tokens), words), "trained")

    def encoder(self, *lines: Sequence[str]) -> Trace:
        """The stages of the source alone: source, encoder/L/self and encoder/L/feed_forward.

        lines: known words, a sample each. Shorter samples are filled up with [PAD], which has the
        vector of the first word, as in training: the mask keeps all attention away from it.
        """
        return nested.compose(*self._encoded(*lines), "trained")

    def _encoded(self, *lines: Sequence[str]) -> Parts:
        source = self._embedded("source", lines, self.source)
        padding = source["padding"].tensor if "padding" in source else None
        parts, taken = {"source": source}, {}
        before = "source"
        for layer in range(1, self.layers + 1):
            path = f"encoder/{layer}/self"
            parts[path] = post_norm_attention(
                output_stage(parts[before]),
                self.stored.attention(path),
                self.stored.norm(path),
                key_mask=padding,
            )
            taken[f"{path}/X"] = _last(before, parts)
            before = self._feed_forward(f"encoder/{layer}", path, parts, taken)
        return parts, taken

    def _decoded(self, encoded: Parts, words: Sequence[str]) -> Parts:
        parts, taken = dict(encoded[0]), dict(encoded[1])
        memory = list(parts)[-1]
        parts["target"] = self._embedded("target", [(self.start, *words)], self.target)
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
        X = as_input(output_stage(parts[before]), "X", IN, "last_vectors")
        W, b = (self.stored.tensors[f"prediction/{name}"] for name in ("W", "b"))
        parts["prediction"] = Trace([X, *layers.output_head(X, W, b, "vocabulary", self.target)])
        taken["prediction/X"] = _last(before, parts)
        return parts, taken

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

    def _embedded(
        self, side: str, lines: Sequence[Sequence[str]], vocabulary: tuple[str, ...]
    ) -> Trace:
        return text.look_up(lines, self.stored.tensors[f"{side}/E"], vocabulary)


def candidates(trace: Trace, place: int, count: int) -> tuple[tuple[str, float], ...]:
    """The likeliest words at a place of the target, counted from 0, with their probabilities."""
    stage = trace["prediction/probabilities"]
    row = stage.tensor[0, place]
    best = np.argsort(-row, kind="stable")[:count]
    axis = stage.axis("vocabulary")
    return tuple((axis.label(int(i)), float(row[i])) for i in best)


def _last(path: str, parts: dict[str, Trace]) -> str:
    return f"{path}/{output_stage(parts[path]).key}"


@cache
def load() -> Translator:
    """The model that ships with the project, computed in float64."""
    return Translator(read("translator", np.float64))
