"""Batches of sentence pairs, shuffled and augmented anew for each epoch."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from tokenizers import Tokenizer
from torch import Tensor

from core.sources.unigram import Unigram
from training.tatoeba import Pair

LONGEST = 40  # tokens of a sentence
FULL_STOP = "。"
Links = tuple[tuple[int, ...], ...]  # for each target id the positions of its source tokens
Row = tuple[list[int], tuple[int, ...], Links]


@dataclass(frozen=True)
class Augmentation:
    """How source sentences are augmented.

    apart: share of words that are split into their characters.
    unknown: share of tokens replaced by [UNK].
    unstopped: share of sentences without their full stop, as readers type.
    joined: share of pairs that are concatenated with another pair, since most are short.
    """

    apart: float = 0.1
    unknown: float = 0.05
    unstopped: float = 0.4
    joined: float = 0.05


@dataclass(frozen=True)
class Batch:
    """Token ids (batch, token) of source and target.

    key_mask: True for source tokens, False for padding. labels: the next target ids, −1 (ignored)
    after [END]. alignment: (batch, label, source), the share of each source token in the alignment
    of a label; rows of zeros for labels that are not aligned.
    """

    source: Tensor
    key_mask: Tensor
    target: Tensor
    labels: Tensor
    alignment: Tensor


@dataclass(frozen=True)
class Encoded:
    """A pair as source tokens and target ids, without [START] and [END].

    links: for each target id the positions of the source tokens that it is aligned with; () for
    a pair that is not aligned.
    """

    words: tuple[str, ...]
    pieces: tuple[int, ...]
    links: Links = ()


def encoded(pairs: Sequence[Pair], words: Unigram, pieces: Tokenizer) -> list[Encoded]:
    """The pairs in tokens, without those longer than LONGEST on either side."""
    found = (Encoded(words.tokenize(p.source), tuple(pieces.encode(p.target).ids)) for p in pairs)
    return [one for one in found if len(one.words) <= LONGEST and len(one.pieces) < LONGEST]


def epoch_batches(
    pairs: Sequence[Encoded],
    words: Unigram,
    augmentation: Augmentation,
    max_tokens: int,
    seed: int,
) -> Iterator[Batch]:
    """The batches of an epoch: every pair once, grouped by length, then shuffled.

    max_tokens: of a batch, source and target with their padding.
    """
    rng = random.Random(seed)
    order = rng.sample(list(pairs), len(pairs))
    rows = [_augmented(one, words, augmentation, rng) for one in _joined(order, augmentation, rng)]
    rows.sort(key=lambda row: (len(row[1]) // 2, len(row[0]) + 2 * rng.random()))
    batches: list[list[Row]] = [[]]
    for row in rows:
        grown = [*batches[-1], row]
        size = max(len(s) for s, *_ in grown) + max(len(t) for _, t, _ in grown) + 1
        if size * len(grown) > max_tokens:
            batches.append([])
        batches[-1].append(row)
    rng.shuffle(batches)
    for batch in batches:
        yield collate(*zip(*batch, strict=True))


def collate(
    sources: Sequence[Sequence[int]],
    targets: Sequence[Sequence[int]],
    links: Sequence[Links] = (),
) -> Batch:
    """A padded batch of source ids, target ids and their alignments."""
    source = [torch.tensor(one) for one in sources]
    padded = _padded(source, 0)
    labels = _padded([torch.tensor([*one, 1]) for one in targets], -1)
    alignment = torch.zeros(*labels.shape, padded.shape[1])
    for row, by_label in enumerate(links):
        for label, positions in enumerate(by_label):
            alignment[row, label, list(positions)] = 1 / max(len(positions), 1)
    return Batch(
        padded,
        _padded([torch.ones(len(one), dtype=torch.bool) for one in source], False),
        _padded([torch.tensor([0, *one]) for one in targets], 1),
        labels,
        alignment,
    )


def _joined(
    order: Sequence[Encoded], augmentation: Augmentation, rng: random.Random
) -> Iterator[Encoded]:
    before: Encoded | None = None
    for one in order:
        if before:
            shift = len(before.words)
            links = tuple(tuple(i + shift for i in positions) for positions in one.links)
            yield Encoded(
                before.words + one.words, before.pieces + one.pieces, before.links + links
            )
            before = None
        elif rng.random() < augmentation.joined and len(one.words) + len(one.pieces) < LONGEST // 2:
            before = one
        else:
            yield one
    if before:
        yield before


def _augmented(one: Encoded, words: Unigram, augmentation: Augmentation, rng: random.Random) -> Row:
    tokens = list(one.words)
    if len(tokens) > 1 and tokens[-1] == FULL_STOP and rng.random() < augmentation.unstopped:
        tokens.pop()
    parted = [t if len(t) > 1 and rng.random() < augmentation.apart else [t] for t in tokens]
    ids = words.ids([token for part in parted for token in part])
    masked = [0 if rng.random() < augmentation.unknown else row for row in ids]
    ends = [0, *accumulate(map(len, parted))]
    links = tuple(
        tuple(j for i in positions if i < len(parted) for j in range(ends[i], ends[i + 1]))
        for positions in one.links
    )
    return masked, one.pieces, links


def _padded(rows: list[Tensor], value: float) -> Tensor:
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=value)
