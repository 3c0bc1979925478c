"""Batches of token ids, shuffled and augmented anew for each epoch."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.decoder.sentences import is_chinese

BEGIN_ID, END_ID = 0, 1
STOPS = "。."


@dataclass(frozen=True)
class Augmentation:
    """How sentences are augmented.

    joined: the share that is followed by another sentence of the same language, as one text.
    unstopped: the share that is read without its full stop, as readers type.
    """

    joined: float = 0.25
    unstopped: float = 0.3


def collate(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Input ids and labels, (batch, token) each: the labels are the next tokens, −1 after the end.

    rows: token ids, without the begin and end tokens.
    """
    longest = max(map(len, rows)) + 1
    input_ids = torch.full((len(rows), longest), END_ID)
    labels = torch.full((len(rows), longest), -1)
    for i, row in enumerate(rows):
        input_ids[i, : len(row) + 1] = torch.tensor([BEGIN_ID, *row])
        labels[i, : len(row) + 1] = torch.tensor([*row, END_ID])
    return input_ids, labels


def epoch_batches(
    sentences: Sequence[str],
    tokenizer: Tokenizer,
    augmentation: Augmentation,
    max_length: int,
    max_tokens: int,
    seed: int,
) -> Iterator[tuple[Tensor, Tensor]]:
    """The batches of an epoch: every sentence once, grouped by length, then shuffled.

    max_length: tokens of a text, with the begin token; max_tokens: of a batch. Yields what
    ``collate`` returns.
    """
    rng = random.Random(seed)
    texts = [*_augmented_texts(sentences, augmentation, rng)]
    encodings = tokenizer.encode_batch(texts, add_special_tokens=False)
    rows = [encoding.ids[: max_length - 1] for encoding in encodings]
    rows.sort(key=lambda row: (len(row), rng.random()))
    groups: list[list[list[int]]] = [[]]
    for row in rows:
        if groups[-1] and (len(groups[-1]) + 1) * (len(row) + 1) > max_tokens:
            groups.append([])
        groups[-1].append(row)
    rng.shuffle(groups)
    yield from map(collate, groups)


def _augmented_texts(
    sentences: Sequence[str], augmentation: Augmentation, rng: random.Random
) -> Iterator[str]:
    for chinese in (True, False):
        waiting = [text for text in sentences if is_chinese(text) == chinese]
        rng.shuffle(waiting)
        text = ""
        for sentence in waiting:
            text += ("" if chinese or not text else " ") + sentence
            if rng.random() >= augmentation.joined:
                stops = text[-1] in STOPS and rng.random() < augmentation.unstopped
                yield text[:-1] if stops and len(text) > 1 else text
                text = ""
        if text:
            yield text
