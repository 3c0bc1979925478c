"""Greedy decoding and beam search, with a KV cache.

The numbers are those of ``Translator.trace``, up to rounding.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core import activations, ops
from core.models.stored import Stored
from core.sources.position import sinusoids_as
from core.weights import Weights

PENALTY = 0.6  # the score of a finished sentence is log p / length^PENALTY

Step = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Hypothesis:
    """The target ids of a sentence without END, and whether END was reached."""

    pieces: tuple[int, ...]
    ended: bool


class Decoder:
    """An incremental decoder with a KV cache, for sentences of equal length over one memory."""

    def __init__(self, stored: Stored, memory: np.ndarray, longest: int) -> None:
        """Compute K and V of the memory for each layer. memory: (1, key, d_model)."""
        self.stored = stored
        self.E = stored.tensors["target/E"]  # (vocabulary, d_model)
        self._positions = sinusoids_as(longest + 1, self.E.shape[1], self.E.dtype)
        self._layers = range(1, stored.config["layers"] + 1)
        self._own: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._cross = {
            layer: _keys_and_values(memory, stored.attention(f"decoder/{layer}/cross"))
            for layer in self._layers
        }
        self._read = 0

    def step(self, pieces: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Logits (row, vocabulary) of the next piece, after one more piece of each sentence.

        pieces: (row,). rows: the sentence of the last step that each of these continues, (row,).
        """
        X = (
            self.E[pieces] * self.E.dtype.type(math.sqrt(self.E.shape[1]))
            + self._positions[self._read]
        )
        X = X[:, None]  # (row, d_model) -> (row, 1, d_model)
        for layer in self._layers:
            path = f"decoder/{layer}/self"
            changes = self.stored.changes(path)
            if changes is not None:
                changes.patch_stream(X, self._read)
            weights = self.stored.attention(path)
            K, V = _keys_and_values(X, weights)
            if layer in self._own:
                K, V = (
                    np.concatenate([before[rows], now], axis=2)  # (row, head, t, d_k) + one more
                    for before, now in zip(self._own[layer], (K, V), strict=True)
                )
            self._own[layer] = K, V
            X = self._normed(path, X + self._attended(path, X, K, V))
            path = f"decoder/{layer}/cross"
            K, V = self._cross[layer]
            X = self._normed(path, X + self._attended(path, X, K, V))
            path = f"decoder/{layer}/feed_forward"
            X = self._normed(path, X + self._feed_forward(path, X))
        self._read += 1
        return ops.linear(X, self.E.T, self.stored.tensors["prediction/b"])[:, 0]

    def _attended(self, path: str, X: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
        """MultiHead of one query per row.

        X: (row, 1, d_model). K, V: (row or 1, head, key, d_k).
        """
        weights, changes = self.stored.attention(path), self.stored.changes(path)
        Q = ops.project(X, weights.W_Q, weights.b_Q, weights.heads)  # (row, head, 1, d_k)
        scores = ops.scale_scores(ops.dot_product_scores(Q, K), Q.shape[-1] ** -0.5)
        hidden = None if changes is None else changes.hidden(1, K.shape[2], self._read)
        if hidden is not None:
            scores[..., ~hidden] = -np.inf
        of_keys = ops.softmax(scores)
        if changes is not None:
            changes.set_weights(of_keys, scores > -np.inf, self._read)
        outputs = ops.weighted_sum(of_keys, V)
        if changes is not None:
            changes.scale(outputs)
            changes.patch(outputs, self._read)
        assert weights.W_O is not None
        return ops.linear(ops.merge_heads(outputs), weights.W_O, weights.b_O)

    def _feed_forward(self, path: str, X: np.ndarray) -> np.ndarray:
        parts = self.stored.feed_forward(path, "relu")
        return ops.linear(
            activations.relu(ops.linear(X, parts.W_1, parts.b_1)), parts.W_2, parts.b_2
        )

    def _normed(self, path: str, X: np.ndarray) -> np.ndarray:
        norm = self.stored.norm(path)
        return ops.layer_norm(X, norm.epsilon, norm.gamma, norm.beta)


def _keys_and_values(X: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """K and V, (batch, head, key, d_k). X: (batch, key, d_model)."""
    K = ops.project(X, weights.W_K, weights.b_K, weights.heads)
    return K, ops.project(X, weights.W_V, weights.b_V, weights.heads)


def greedy(step: Step, start: int, end: int, longest: int) -> Hypothesis:
    """Greedy decoding, up to ``end`` or ``longest`` pieces."""
    pieces: list[int] = []
    row = np.zeros(1, int)
    while len(pieces) < longest:
        likeliest = int(step(np.array([(start, *pieces)[-1]]), row)[0].argmax())
        if likeliest == end:
            return Hypothesis(tuple(pieces), True)
        pieces.append(likeliest)
    return Hypothesis(tuple(pieces), False)


def beam_search(step: Step, start: int, end: int, longest: int, beam: int) -> Hypothesis:
    """Beam search with length normalisation by length^PENALTY.

    Ends when no hypothesis scores higher, at its present length, than the best finished one
    ("Google's Neural Machine Translation System", Wu et al., 2016, section 7).
    """
    best, finished = -math.inf, Hypothesis((), False)
    hypotheses: list[tuple[int, ...]] = [()]
    scores, rows = np.zeros(1), np.zeros(1, int)
    for length in range(1, longest + 1):
        last_pieces = np.array([(start, *one)[-1] for one in hypotheses])
        total = scores[:, None] + _log_softmax(step(last_pieces, rows))  # (row, vocabulary)
        candidates: list[tuple[float, int, int]] = []
        for index in np.argsort(-total, axis=None, kind="stable")[: 2 * beam]:
            row, piece = (int(i) for i in np.unravel_index(index, total.shape))
            score = float(total[row, piece])
            if piece != end:
                candidates.append((score, row, piece))
            elif score / length**PENALTY > best:
                best, finished = score / length**PENALTY, Hypothesis(hypotheses[row], True)
        del candidates[beam:]
        hypotheses = [(*hypotheses[row], piece) for _, row, piece in candidates]
        scores = np.array([score for score, _, _ in candidates])
        rows = np.array([row for _, row, _ in candidates])
        if scores[0] / length**PENALTY <= best:
            return finished
    return finished if finished.ended else Hypothesis(hypotheses[0], False)


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits.astype(np.float64) - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
