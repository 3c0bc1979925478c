"""Learning as it happens: one sentence, one layer of attention, and gradient descent.

Every word is to predict the next one of a sentence that is read to its end and back again. A word
alone does not say which way the sentence is going, and there are no positions: what came before
can only be known by attention.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from core import around, layers, notation
from core.attention import multi_head_attention
from core.backward import backward
from core.kinds import GRADIENT
from core.options import AttentionOptions
from core.rules import Activation, Constant, Dot, Product
from core.trace import Stage, Trace
from core.weights import Weights, xavier_uniform

HEADS, D_K, D_MODEL = 2, 2, 4
LEARNT = ("W_Q", "W_K", "W_V", "W_O", "W_P")
TURN = (0, 1, 2, 2, 1, 0)  # the sentence, by word
MISTAKES = ("none", "no_root", "no_average")


@dataclass(frozen=True, eq=False)
class Learner:
    """A model of a few matrices, after some steps of learning.

    words: three of them. X: their vectors in the order of the sentence, (batch 1, token, d_model),
    without positions, and not learnt. learnt: ``LEARNT`` by key, W_Q, W_K and W_V as (head,
    d_model, d_k), W_O as (head, d_k, d_model), W_P as (d_model, word).
    """

    words: tuple[str, str, str]
    X: np.ndarray
    learnt: dict[str, np.ndarray]

    @classmethod
    def seeded(cls, words: tuple[str, str, str], seed: int) -> "Learner":
        """With random vectors and matrices, deterministic for a seed."""
        random = np.random.default_rng(seed)
        X = random.normal(size=(len(words), D_MODEL))[list(TURN[:-1])]
        shapes = dict.fromkeys(("W_Q", "W_K", "W_V"), (HEADS, D_MODEL, D_K))
        shapes["W_O"] = (HEADS, D_K, D_MODEL)
        learnt = {
            key: np.stack([xavier_uniform(random, *shape[1:]) for _ in range(HEADS)])
            for key, shape in shapes.items()
        }
        learnt["W_P"] = xavier_uniform(random, D_MODEL, len(words))
        return cls(words, X[None], learnt)

    @cached_property
    def trace(self) -> Trace:
        """From X to the loss of every position, −ln of the probability of the word that follows."""
        tokens = tuple(self.words[i] for i in TURN)
        named = notation.axes("batch", "token", "d_model", labels={"token": tokens[:-1]})
        W_Q, W_K, W_V = (
            self.learnt[key].swapaxes(0, 1).reshape(D_MODEL, -1) for key in ("W_Q", "W_K", "W_V")
        )
        weights = Weights(W_Q, W_K, W_V, self.learnt["W_O"].reshape(-1, D_MODEL), HEADS)
        source = Trace([notation.given("X", self.X, named)])
        attended = multi_head_attention(source, weights, AttentionOptions(causal=True))
        residual = around.residual(attended["X"], attended["output"])
        head = layers.output_head(residual, self.learnt["W_P"], None, "vocabulary", self.words)
        follows = np.eye(len(self.words))[list(TURN[1:])][None]
        target = notation.given("target", follows, head[-1].axes)
        return Trace([*attended.values(), residual, *head, target, losses(head[-1], target)])

    @cached_property
    def loss(self) -> float:
        """The mean loss of all positions."""
        return float(self.trace["loss"].tensor.mean())

    @cached_property
    def gradients(self) -> Trace:
        """The trace, and behind it the gradients of the mean loss."""
        of = self.trace["loss"].tensor
        return backward(self.trace, {"loss": np.full(of.shape, 1 / of.size)})

    def after_a_step(self, rate: float) -> "Learner":
        """Every learnt number minus rate times its gradient."""
        moved = {
            key: matrix - rate * self.gradients[GRADIENT + key].tensor
            for key, matrix in self.learnt.items()
        }
        return replace(self, learnt=moved)

    def steps(self, rate: float) -> Iterator["Learner"]:
        """Itself, and after every further step, until a probability is too small for a number."""
        now = self
        while np.isfinite(now.loss):
            yield now
            now = now.after_a_step(rate)

    def with_cell(self, key: str, index: tuple[int, ...], by: float) -> "Learner":
        """With one learnt number larger by this."""
        matrix = self.learnt[key].copy()
        matrix[index] += by
        return replace(self, learnt={**self.learnt, key: matrix})

    def slope(self, key: str, index: tuple[int, ...], step: float) -> float:
        """The central difference: (loss(w + step) − loss(w − step)) / 2 step."""
        above, below = (self.with_cell(key, index, by).loss for by in (step, -step))
        return (above - below) / (2 * step)

    def gradient(self, key: str, index: tuple[int, ...], mistake: str = "none") -> float:
        """The gradient of one number, right or with one of ``MISTAKES``.

        no_root: dscores without 1/√d_k; no_average: softmax turned round as if every weight stood
        alone, dmasked = weights ⊙ dweights. Both are on the way to W_Q and W_K alone.
        """
        if mistake == "none" or key not in ("W_Q", "W_K"):
            return float(self.gradients[GRADIENT + key].tensor[index])
        of = {k: self.gradients[k].tensor for k in (*"QKX", "weights", GRADIENT + "weights")}
        A, dA = of["weights"], of[GRADIENT + "weights"]
        average = (A * dA).sum(axis=-1, keepdims=True)
        d_scores = A * (dA if mistake == "no_average" else dA - average)
        d_scores /= 1 if mistake == "no_root" else np.sqrt(D_K)
        d = d_scores @ of["K"] if key == "W_Q" else d_scores.swapaxes(-1, -2) @ of["Q"]
        return float((of["X"].swapaxes(-1, -2) @ d[0])[index])


def losses(probabilities: Stage, target: Stage) -> Stage:
    """Cross-entropy of every position: −ln Σ target · probability.

    probabilities, target: (batch, token, vocabulary), the latter 1 for the word that follows.
    """
    over = probabilities.roles[-1]
    likelihood = Dot(target.operand, probabilities.operand, over, probabilities.size(over))
    rule = Product((Constant(-1.0, "-"), Activation("log", likelihood)))
    with np.errstate(divide="ignore"):  # ∞ for a probability of 0
        tensor = -np.log((target.tensor * probabilities.tensor).sum(axis=-1))
    formula = r"\text{loss} = -\ln(\sum \text{target} \cdot \text{probabilities})"
    return Stage("loss", formula, tensor, probabilities.axes[:-1], rule)
