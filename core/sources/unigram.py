"""A unigram tokenizer for Chinese: 我 · 爱 · 北京.

"Subword Regularization" (Kudo, 2018), section 3.2, by the library ``tokenizers``, for given counts.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from pathlib import Path

from tokenizers import Tokenizer, models

UNKNOWN = "[UNK]"
RARE = 0.1  # the count of a character that does not occur in training


@dataclass(frozen=True)
class Unigram:
    """A vocabulary with counts; token 0 is [UNK].

    variants: replacements of characters: the simplified one of a traditional one, full-width
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
    def _tokenizer(self) -> Tokenizer:
        total = sum(self.counts)
        scores = [-log(total / max(count, RARE)) for count in self.counts[1:]]
        words = zip(self.tokens[1:], scores, strict=True)
        # A vocabulary needs a token for unknown characters; no sentence has this one.
        return Tokenizer(models.Unigram([("\0", min(scores)), *words], unk_id=0))

    def tokenize(self, sentence: str) -> tuple[str, ...]:
        """The likeliest segmentation of a sentence: minimal Σ −log p(word) (Viterbi).

        Spaces separate words. Unknown characters are tokens of their own, with the id of [UNK].
        """
        simplified = "".join(self.variants.get(c, c) for c in sentence)
        return tuple(word for part in simplified.split() for word in self._segment(part))

    def ids(self, words: Sequence[str]) -> list[int]:
        """The ids of words, 0 for unknown ones."""
        return [self.rows.get(word, 0) for word in words]

    def _segment(self, part: str) -> Iterator[str]:
        for begin, end in self._tokenizer.encode(part).offsets:
            word = part[begin:end]
            yield from [word] if self.rows.get(word) else word  # unknown characters come as one

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
