"""How well the heads of cross-attention align words, on sentences aligned by hand.

With teacher forcing: with the right English of a person, or with what the model itself writes,
which gives the rows of its own translation. A head finds an English word if the largest weight, in
the mean of the rows that predict the word's pieces, is on a token of the Chinese word that it
translates.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.experiments.alignment import cross_weights
from core.models.translator import Translator

PAIRS = Path(__file__).with_name("alignments.tsv")
OWN = Path(__file__).with_name("own_alignments.tsv")  # with the English that the model writes


@dataclass(frozen=True)
class AlignedPair:
    """A sentence pair and, for each aligned word, its characters in both sentences.

    words: ranges of characters in the target and in the source.
    """

    source: str
    target: str
    words: tuple[tuple[range, range], ...]


def read(path: Path = PAIRS) -> tuple[AlignedPair, ...]:
    """The pairs of the file. Raises ValueError if an aligned word is not in its sentence."""
    lines = path.read_text("utf-8").splitlines()
    return tuple(_line(line) for line in lines if line and not line.startswith("#"))


def _line(line: str) -> AlignedPair:
    source, target, items = line.split("\t")
    pairs = (item.rpartition(":") for item in items.split())
    words = tuple(
        (_found(word, target, r"\b{}\b"), _found(run, source, "{}")) for word, _, run in pairs
    )
    return AlignedPair(source, target, words)


def _found(item: str, sentence: str, pattern: str) -> range:
    """The characters of ``item`` in a sentence; of its second occurrence for ``item#2``."""
    part, _, time = item.partition("#")
    every = list(re.finditer(pattern.format(re.escape(part)), sentence))
    if len(every) < int(time or 1):
        raise ValueError(f"{item!r} is not in {sentence!r}")
    return range(*every[int(time or 1) - 1].span())


def found_by_head(model: Translator, pairs: Sequence[AlignedPair]) -> tuple[np.ndarray, int]:
    """The share of words that each head finds, (layer, head), and the number of words."""
    found = np.stack([row for pair in pairs for row in _heads(model, pair)])
    return found.mean(axis=0), len(found)


def _heads(model: Translator, pair: AlignedPair) -> Iterator[np.ndarray]:
    """Yields for each aligned word whether each head finds it, (layer, head) bool."""
    tokens, pieces = model.tokenize(pair.source), model.encode_target(pair.target)
    weights = cross_weights(model.teacher_forced(tokens, pieces).trace)  # (layer, head, query, key)
    of_token = _spans(tokens, pair.source)
    of_piece = _spans([model.decode([piece]).strip() for piece in pieces], pair.target)
    for word, run in pair.words:
        rows = [i for i, span in enumerate(of_piece) if _overlap(span, word)]
        best = weights[:, :, rows].mean(axis=2).argmax(axis=-1)  # (layer, head)
        right = [i for i, span in enumerate(of_token) if _overlap(span, run)]
        yield np.isin(best, right)


def _spans(parts: Sequence[str], sentence: str) -> list[range]:
    spans, at = [], 0
    for part in parts:
        at = sentence.index(part, at)
        spans.append(range(at, at + len(part)))
        at += len(part)
    return spans


def _overlap(one: range, other: range) -> bool:
    return one.start < other.stop and other.start < one.stop
