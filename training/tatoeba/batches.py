"""Pairs as numbers, drawn anew for each epoch."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from core.sources.unigram import Unigram
from training.tatoeba.data import Pair

LONGEST = 40  # tokens of a sentence
FULL_STOP = "。"


@dataclass(frozen=True)
class Vary:
    """How a source is varied, so that no pair is read twice the same way.

    apart: share of words read as their characters. unknown: share of tokens read as [UNK].
    unstopped: share of sentences whose full stop is left out, as readers do.
    joined: share of pairs that are read behind another as one, since most are short.
    """

    apart: float = 0.1
    unknown: float = 0.05
    unstopped: float = 0.4
    joined: float = 0.05


@dataclass(frozen=True)
class Batch:
    """Ids (batch, token). real: where a source token stands; following: −1 behind [END]."""

    source: Tensor
    real: Tensor
    target: Tensor
    following: Tensor


@dataclass(frozen=True)
class Encoded:
    """A pair as tokens of the source and rows of the target, without its ends."""

    words: tuple[str, ...]
    pieces: tuple[int, ...]


def encoded(learnt: Sequence[Pair], words: Unigram, pieces: Tokenizer) -> list[Encoded]:
    """All pairs of up to LONGEST tokens on both sides."""
    found = (Encoded(words.cut(p.source), tuple(pieces.encode(p.target).ids)) for p in learnt)
    return [one for one in found if len(one.words) <= LONGEST and len(one.pieces) < LONGEST]


def epoch(
    learnt: Sequence[Encoded], words: Unigram, vary: Vary, tokens: int, seed: int
) -> Iterator[Batch]:
    """Every pair once, like lengths together, at most so many tokens in a batch."""
    drawn = random.Random(seed)
    order = drawn.sample(list(learnt), len(learnt))
    rows = [_varied(one, words, vary, drawn) for one in _joined(order, vary, drawn)]
    rows.sort(key=lambda row: (len(row[1]) // 2, len(row[0]) + 2 * drawn.random()))
    batches: list[list[tuple[list[int], tuple[int, ...]]]] = [[]]
    for row in rows:
        some = [*batches[-1], row]
        size = max(len(s) for s, _ in some) + max(len(t) for _, t in some) + 1
        if size * len(some) > tokens:
            batches.append([])
        batches[-1].append(row)
    drawn.shuffle(batches)
    for some in batches:
        yield batch([s for s, _ in some], [t for _, t in some])


def batch(sources: Sequence[Sequence[int]], targets: Sequence[Sequence[int]]) -> Batch:
    """Fill the shorter ones up: a mask on the source, no loss on the target."""
    source = [torch.tensor(one) for one in sources]
    return Batch(
        _filled(source, 0),
        _filled([torch.ones(len(one), dtype=torch.bool) for one in source], False),
        _filled([torch.tensor([0, *one]) for one in targets], 1),
        _filled([torch.tensor([*one, 1]) for one in targets], -1),
    )


def _joined(order: Sequence[Encoded], vary: Vary, drawn: random.Random) -> Iterator[Encoded]:
    before: Encoded | None = None
    for one in order:
        if before:
            yield Encoded(before.words + one.words, before.pieces + one.pieces)
            before = None
        elif drawn.random() < vary.joined and len(one.words) + len(one.pieces) < LONGEST // 2:
            before = one
        else:
            yield one
    if before:
        yield before


def _varied(
    one: Encoded, words: Unigram, vary: Vary, drawn: random.Random
) -> tuple[list[int], tuple[int, ...]]:
    tokens = list(one.words)
    if len(tokens) > 1 and tokens[-1] == FULL_STOP and drawn.random() < vary.unstopped:
        tokens.pop()
    parted = (t if len(t) > 1 and drawn.random() < vary.apart else [t] for t in tokens)
    ids = words.ids([token for part in parted for token in part])
    return [0 if drawn.random() < vary.unknown else row for row in ids], one.pieces


def _filled(rows: list[Tensor], value: float) -> Tensor:
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=value)
