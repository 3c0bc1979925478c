"""A unigram tokenizer for Chinese: 我 · 爱 · 北京.

The Viterbi search of "Subword Regularization" (Kudo, 2018), section 3.2, for a given unigram model.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path

UNKNOWN = "[UNK]"
RARE = 0.1  # the count of a character that does not occur in training
UNLIKELY = 100.0  # −log p of an unknown character


@dataclass(frozen=True)
class Unigram:
    """A vocabulary with counts; token 0 is [UNK].

    variants: what a character is read as: the simplified one of a traditional one, full-width
        punctuation for half-width, a lower-case letter for a capital or full-width one.
    """

    tokens: tuple[str, ...]
    counts: tuple[int, ...]
    variants: Mapping[str, str]

    @cached_property
    def rows(self) -> dict[str, int]:
        """The id of each token."""
        return {token: row for row, token in enumerate(self.tokens)}

    @cached_property
    def longest(self) -> int:
        """Characters of the longest word."""
        return max(len(token) for token in self.tokens[1:])

    @cached_property
    def _cost(self) -> dict[str, float]:
        total = sum(self.counts)
        return {
            token: log(total / max(count, RARE))
            for token, count in zip(self.tokens[1:], self.counts[1:], strict=True)
        }

    def tokenize(self, sentence: str) -> tuple[str, ...]:
        """The likeliest segmentation of a sentence: minimal Σ −log p(word) (Viterbi).

        Spaces separate words. Unknown characters are tokens of their own, with the id of [UNK].
        """
        read = "".join(self.variants.get(c, c) for c in sentence)
        return tuple(word for part in read.split() for word in self._segment(part))

    def ids(self, words: Sequence[str]) -> list[int]:
        """The ids of words, 0 for unknown ones."""
        return [self.rows.get(word, 0) for word in words]

    def _segment(self, part: str) -> list[str]:
        best = [(0.0, 0)]  # cost up to here, and where the last word began
        for end in range(1, len(part) + 1):
            ways = [(best[end - 1][0] + self._cost.get(part[end - 1], UNLIKELY), end - 1)]
            for begin in range(max(0, end - self.longest), end - 1):
                cost = self._cost.get(part[begin:end])
                if cost is not None:
                    ways.append((best[begin][0] + cost, begin))
            best.append(min(ways))
        words, end = [], len(part)
        while end:
            begin = best[end][1]
            words.append(part[begin:end])
            end = begin
        return words[::-1]

    def write(self, path: Path) -> None:
        """Write a JSON file, one token per line."""
        rows = zip(self.tokens, self.counts, strict=True)
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        variants = json.dumps(dict(self.variants), ensure_ascii=False)
        path.write_text(f'{{"variants": {variants},\n"tokens": [\n{lines}\n]}}\n', "utf-8")


def read(path: Path) -> Unigram:
    """Read a file of ``Unigram.write``."""
    stored = json.loads(path.read_text("utf-8"))
    tokens, counts = zip(*stored["tokens"], strict=True)
    return Unigram(tokens, counts, stored["variants"])
