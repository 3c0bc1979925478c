"""What a trained translator is worth: exact match, and where each cross-attention head looks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from training.grammar_pairs import Pair
from training.translator_model import Config, Model, greedy

LONGEST = 20  # English words, [END] among them


@dataclass(frozen=True)
class Batch:
    """Pairs as ids. target: [START] and the words; following: the words and [END], −1 behind."""

    source: Tensor
    padding: Tensor
    target: Tensor
    following: Tensor


def batch(config: Config, pairs: Sequence[Pair]) -> Batch:
    """Fill the shorter sentences up: a padding mask on the source, no loss on the target."""
    source_row = {word: row for row, word in enumerate(config.source)}
    target_row = {word: row for row, word in enumerate(config.target)}
    sources = [torch.tensor([source_row[word] for word in one.source]) for one in pairs]
    targets = [torch.tensor([target_row[word] for word in one.target]) for one in pairs]
    start, end = torch.tensor([0]), torch.tensor([1])
    assert (config.target[0], config.target[1]) == (config.start, config.end)
    return Batch(
        _filled(sources, 0),
        _filled([torch.ones(len(one), dtype=torch.bool) for one in sources], False),
        _filled([torch.cat((start, one)) for one in targets], 1),
        _filled([torch.cat((one, end)) for one in targets], -1),
    )


def translations(model: Model, pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """Greedy translations, up to [END]."""
    found: list[tuple[str, ...]] = []
    for begin in range(0, len(pairs), 250):
        some = batch(model.config, pairs[begin : begin + 250])
        for row in greedy(model, some.source, some.padding, LONGEST):
            words = [model.config.target[one] for one in row]
            end = words.index(model.config.end) if model.config.end in words else len(words)
            found.append(tuple(words[:end]))
    return found


def exact_match(model: Model, pairs: Sequence[Pair]) -> float:
    """The share of sentences whose every word is right."""
    found = translations(model, pairs)
    return float(np.mean([one == pair.target for one, pair in zip(found, pairs, strict=True)]))


@dataclass(frozen=True)
class Alignment:
    """Where the weight of cross-attention lies, with the right words before the decoder.

    aligned: (layer, head), the share of aligned target words whose largest weight is on a source
    word that they render. mass: (layer, head), the mean weight on those. diagonal: the share for a
    guess that goes through the source as far as the target has gone.
    """

    aligned: np.ndarray
    mass: np.ndarray
    diagonal: float
    words: int

    @property
    def best(self) -> tuple[int, int]:
        """Layer and head with the largest share, counted from 1."""
        layer, head = np.unravel_index(self.aligned.argmax(), self.aligned.shape)
        return int(layer) + 1, int(head) + 1


def alignment(model: Model, pairs: Sequence[Pair]) -> Alignment:
    """Measure every cross-attention head against the grammar's own alignment."""
    hits: list[np.ndarray] = []
    masses: list[np.ndarray] = []
    guesses: list[bool] = []
    for begin in range(0, len(pairs), 250):
        some = pairs[begin : begin + 250]
        weights = _cross(model, batch(model.config, some))  # (batch, layer, head, query, key)
        for pair, of_pair in zip(some, weights, strict=True):
            for t, places in enumerate(pair.alignment):
                if places:
                    row = of_pair[:, :, t]  # (layer, head, key)
                    hits.append(np.isin(row.argmax(-1), places))
                    masses.append(row[..., list(places)].sum(-1))
                    guesses.append(t * len(pair.source) // len(pair.target) in places)
    return Alignment(
        np.mean(hits, axis=0), np.mean(masses, axis=0), float(np.mean(guesses)), len(hits)
    )


def _cross(model: Model, some: Batch) -> np.ndarray:
    record: dict[str, Tensor] = {}
    with torch.no_grad():
        memory = model.encode(some.source, some.padding, {})
        model.decode(memory, some.padding, some.target, record)
    layers = range(1, model.config.layers + 1)
    return torch.stack([record[f"decoder/{one}/cross/weights"] for one in layers], 1).numpy()


def _filled(rows: list[Tensor], value: float) -> Tensor:
    return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=value)
