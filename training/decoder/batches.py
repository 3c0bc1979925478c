"""Sentences as numbers, drawn anew for each epoch."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from tokenizers import Tokenizer
from torch import Tensor

from training.decoder.sentences import is_chinese

BEGIN_ROW, END_ROW = 0, 1
STOPS = "。."


@dataclass(frozen=True)
class Vary:
    """How sentences are varied. joined: the share that goes on with another of the same language.

    unstopped: the share that is read without its full stop, as readers type.
    """

    joined: float = 0.25
    unstopped: float = 0.3


def batch(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """What is read, and what follows at each place: (batch, token) each; −1 behind the end.

    rows: tokens, without begin and end.
    """
    longest = max(map(len, rows)) + 1
    read = torch.full((len(rows), longest), END_ROW)
    following = torch.full((len(rows), longest), -1)
    for i, row in enumerate(rows):
        read[i, : len(row) + 1] = torch.tensor([BEGIN_ROW, *row])
        following[i, : len(row) + 1] = torch.tensor([*row, END_ROW])
    return read, following


def epoch(
    learnt: Sequence[str], cuts: Tokenizer, vary: Vary, places: int, tokens: int, seed: int
) -> Iterator[tuple[Tensor, Tensor]]:
    """Every sentence once, like lengths together, at most so many tokens in a batch."""
    drawn = random.Random(seed)
    texts = [*_texts(learnt, vary, drawn)]
    found = cuts.encode_batch(texts, add_special_tokens=False)
    rows = [one.ids[: places - 1] for one in found]
    rows.sort(key=lambda row: (len(row), drawn.random()))
    groups: list[list[list[int]]] = [[]]
    for row in rows:
        if groups[-1] and (len(groups[-1]) + 1) * (len(row) + 1) > tokens:
            groups.append([])
        groups[-1].append(row)
    drawn.shuffle(groups)
    yield from map(batch, groups)


def _texts(learnt: Sequence[str], vary: Vary, drawn: random.Random) -> Iterator[str]:
    for chinese in (True, False):
        waiting = [text for text in learnt if is_chinese(text) == chinese]
        drawn.shuffle(waiting)
        text = ""
        for sentence in waiting:
            text += ("" if chinese or not text else " ") + sentence
            if drawn.random() >= vary.joined:
                stops = text[-1] in STOPS and drawn.random() < vary.unstopped
                yield text[:-1] if stops and len(text) > 1 else text
                text = ""
        if text:
            yield text
