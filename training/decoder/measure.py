"""What the decoder is worth: perplexity on sentences that it never saw."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn.functional import cross_entropy

from training.decoder.batches import batch
from training.decoder.model import E, Sizes, Weights, last_vectors

AT_ONCE = 100
DRAWN = 1_000  # samples of as many sentences, for the margin


@dataclass(frozen=True)
class Counts:
    """Of each sentence: −ln of its probability with its end, and how many tokens and characters."""

    loss: np.ndarray
    tokens: np.ndarray
    characters: np.ndarray


@dataclass(frozen=True)
class Perplexity:
    """e to the mean loss of a token, and of a character; low, high: where 95 % of samples lie."""

    token: float
    token_low: float
    token_high: float
    character: float
    character_low: float
    character_high: float


def counted(weights: Weights, sizes: Sizes, cuts: Tokenizer, texts: Sequence[str]) -> Counts:
    """Read all sentences; the end of one counts as a token and as a character."""
    rows = [cut.ids for cut in cuts.encode_batch([*texts], add_special_tokens=False)]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    loss = np.zeros(len(rows))
    for begin in range(0, len(order), AT_ONCE):
        some = order[begin : begin + AT_ONCE]
        read, following = batch([rows[i] for i in some])
        with torch.no_grad():
            logits = last_vectors(weights, sizes, read) @ weights[E].T
            found = cross_entropy(
                logits.flatten(0, 1), following.flatten(), ignore_index=-1, reduction="none"
            )
        loss[some] = found.view(following.shape).sum(1).numpy()
    tokens = np.array([len(row) + 1 for row in rows])
    return Counts(loss, tokens, np.array([len(text) + 1 for text in texts]))


def perplexity(counts: Counts, seed: int = 1) -> Perplexity:
    """Per token and per character, with the margin of drawing as many sentences anew."""
    random = np.random.default_rng(seed)
    drawn = random.integers(0, len(counts.loss), (DRAWN, len(counts.loss)))
    found: list[float] = []
    for of in (counts.tokens, counts.characters):
        sampled = np.exp(counts.loss[drawn].sum(1) / of[drawn].sum(1))
        low, high = np.quantile(sampled, (0.025, 0.975))
        found += [math.exp(counts.loss.sum() / of.sum()), float(low), float(high)]
    return Perplexity(*found)
