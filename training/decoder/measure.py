"""Perplexity of the decoder on held-out sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn.functional import cross_entropy

from training.checkpoints import Weights
from training.decoder.batches import collate
from training.decoder.model import E, ModelConfig, hidden_states

BATCH_SIZE = 100
BOOTSTRAP_SAMPLES = 1_000  # resamplings of the sentences, for the confidence interval


@dataclass(frozen=True)
class Losses:
    """Of each sentence: −ln of its probability with its end, and its tokens and characters.

    All three: (sentence,). The end counts as a token and as a character.
    """

    loss: np.ndarray
    tokens: np.ndarray
    characters: np.ndarray


@dataclass(frozen=True)
class Perplexity:
    """e to the mean loss per token and per character; low, high: the 95 % confidence interval."""

    token: float
    token_low: float
    token_high: float
    character: float
    character_low: float
    character_high: float


def evaluate(
    weights: Weights, sizes: ModelConfig, tokenizer: Tokenizer, texts: Sequence[str]
) -> Losses:
    """The losses of all sentences, BATCH_SIZE of them at a time."""
    rows = [encoding.ids for encoding in tokenizer.encode_batch([*texts], add_special_tokens=False)]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    loss = np.zeros(len(rows))
    for start in range(0, len(order), BATCH_SIZE):
        batch = order[start : start + BATCH_SIZE]
        input_ids, labels = collate([rows[i] for i in batch])
        with torch.no_grad():
            logits = hidden_states(weights, sizes, input_ids) @ weights[E].T
            per_token = cross_entropy(
                logits.flatten(0, 1), labels.flatten(), ignore_index=-1, reduction="none"
            )
        loss[batch] = per_token.view(labels.shape).sum(1).numpy()
    tokens = np.array([len(row) + 1 for row in rows])
    return Losses(loss, tokens, np.array([len(text) + 1 for text in texts]))


def perplexity(losses: Losses, seed: int = 1) -> Perplexity:
    """Perplexity per token and per character, with bootstrap confidence intervals."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, len(losses.loss), (BOOTSTRAP_SAMPLES, len(losses.loss)))
    values: list[float] = []
    for units in (losses.tokens, losses.characters):
        sampled = np.exp(losses.loss[rows].sum(1) / units[rows].sum(1))
        low, high = np.quantile(sampled, (0.025, 0.975))
        values += [math.exp(losses.loss.sum() / units.sum()), float(low), float(high)]
    return Perplexity(*values)
