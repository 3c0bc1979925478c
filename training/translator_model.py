r"""The encoder-decoder of "Attention Is All You Need" (Vaswani et al., 2017), small, in PyTorch.

Plain tensor operations over a dictionary of named weights, so that every stage can be recorded
under the name that the app gives it. Post-norm, as printed: LayerNorm(x + Sublayer(x)), section
3.1. Two things differ from the paper: the embeddings are not multiplied by √d_model, and source,
target and final map have a table each.
"""

import math
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import dropout

from core.sources.position import sinusoids

PAD = 0
Weights = dict[str, Tensor]
Record = dict[str, Tensor]


@dataclass(frozen=True)
class Config:
    """The sizes, the words, and what stands at the ends of a target.

    source, target: the words in the order of their rows; the target's first two are start and end.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    d_model: int = 64
    heads: int = 4
    layers: int = 2
    d_ff: int = 128
    epsilon: float = 1e-5
    start: str = "[START]"
    end: str = "[END]"


def initial(config: Config, seed: int) -> Weights:
    """Weights before training: matrices Xavier uniform, tables of variance 1, γ = 1, β = b = 0."""
    torch.manual_seed(seed)
    d, d_ff = config.d_model, config.d_ff
    weights = {
        "source/E": torch.randn(len(config.source), d),
        "target/E": torch.randn(len(config.target), d),
    }
    for side, attentions in (("encoder", ("self",)), ("decoder", ("self", "cross"))):
        for layer in range(1, config.layers + 1):
            for name in attentions:
                at = f"{side}/{layer}/{name}"
                weights |= {f"{at}/W_{one}": _xavier(d, d) for one in "QKVO"} | _norm(at, d)
            at = f"{side}/{layer}/feed_forward"
            weights |= {f"{at}/W_1": _xavier(d, d_ff), f"{at}/b_1": torch.zeros(d_ff)}
            weights |= {f"{at}/W_2": _xavier(d_ff, d), f"{at}/b_2": torch.zeros(d)} | _norm(at, d)
    weights["prediction/W"] = _xavier(d, len(config.target))
    weights["prediction/b"] = torch.zeros(len(config.target))
    return weights


class Model:
    """A forward pass with these weights; with dropout above 0, as in training."""

    def __init__(self, config: Config, weights: Weights, dropout: float = 0.0) -> None:
        """Keep them; nothing is copied."""
        self.config, self.weights, self.dropout = config, weights, dropout

    def encode(self, source: Tensor, padding: Tensor | None, record: Record) -> Tensor:
        """Source ids (batch, token) to memory (batch, token, d_model).

        padding: (batch, token), True where a real word stands; None where all are real.
        """
        X = self._embedded("source", source, record)
        allowed = None if padding is None else padding[:, None, None, :]
        for layer in range(1, self.config.layers + 1):
            at = f"encoder/{layer}"
            X = self._attention(f"{at}/self", X, X, allowed, record)
            X = self._feed_forward(f"{at}/feed_forward", X, record)
        return X

    def decode(
        self, memory: Tensor, padding: Tensor | None, target: Tensor, record: Record
    ) -> Tensor:
        """Target ids (batch, token) and memory to logits (batch, token, vocabulary)."""
        X = self._embedded("target", target, record)
        n = target.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool).tril()
        allowed = None if padding is None else padding[:, None, None, :]
        for layer in range(1, self.config.layers + 1):
            at = f"decoder/{layer}"
            X = self._attention(f"{at}/self", X, X, causal, record)
            record[f"{at}/cross/memory"] = memory
            X = self._attention(f"{at}/cross", X, memory, allowed, record)
            X = self._feed_forward(f"{at}/feed_forward", X, record)
        record["prediction/X"] = X
        logits = X @ self.weights["prediction/W"] + self.weights["prediction/b"]
        record["prediction/logits"] = logits
        record["prediction/probabilities"] = logits.softmax(-1)
        return logits

    def _embedded(self, side: str, ids: Tensor, record: Record) -> Tensor:
        E = self.weights[f"{side}/E"]
        embedding = E[ids]  # (batch, token, d_model)
        places = sinusoids(ids.shape[1], self.config.d_model)
        position = torch.from_numpy(places).to(E.dtype)
        X = embedding + position
        stages = {"tokens": ids, "E": E, "embedding": embedding, "position": position, "X": X}
        record |= {f"{side}/{name}": tensor for name, tensor in stages.items()}
        return self._drop(X)

    def _attention(
        self, at: str, X: Tensor, memory: Tensor, allowed: Tensor | None, record: Record
    ) -> Tensor:
        batch, n, d_model = X.shape
        heads = self.config.heads
        Q, K, V = (
            (read @ self.weights[f"{at}/W_{name}"]).view(batch, -1, heads, d_model // heads)
            for name, read in (("Q", X), ("K", memory), ("V", memory))
        )
        Q, K, V = Q.transpose(1, 2), K.transpose(1, 2), V.transpose(1, 2)
        scores = Q @ K.transpose(-1, -2)  # (batch, head, query, key)
        scaled = scores / math.sqrt(d_model // heads)
        masked = scaled if allowed is None else scaled.masked_fill(~allowed, -torch.inf)
        weights = masked.softmax(-1)
        head_output = self._drop(weights) @ V  # (batch, head, query, d_v)
        concat = head_output.transpose(1, 2).reshape(batch, n, d_model)
        output = concat @ self.weights[f"{at}/W_O"]
        stages = {"X": X, "Q": Q, "K": K, "V": V, "scores": scores, "scaled": scaled}
        stages |= {} if allowed is None else {"masked": masked}
        stages |= {"weights": weights, "head_output": head_output}
        stages |= {"concat": concat, "output": output}
        record |= {f"{at}/{name}": tensor for name, tensor in stages.items()}
        return self._add_and_norm(at, X, output, record)

    def _feed_forward(self, at: str, X: Tensor, record: Record) -> Tensor:
        w = self.weights
        hidden = torch.relu(X @ w[f"{at}/W_1"] + w[f"{at}/b_1"])  # (batch, token, d_ff)
        output = self._drop(hidden) @ w[f"{at}/W_2"] + w[f"{at}/b_2"]
        record |= {f"{at}/X": X, f"{at}/hidden": hidden, f"{at}/output": output}
        return self._add_and_norm(at, X, output, record)

    def _add_and_norm(self, at: str, X: Tensor, output: Tensor, record: Record) -> Tensor:
        residual = X + self._drop(output)
        centred = residual - residual.mean(-1, keepdim=True)
        variance = centred.square().mean(-1, keepdim=True)
        scaled = centred / torch.sqrt(variance + self.config.epsilon)
        normalised = scaled * self.weights[f"{at}/gamma"] + self.weights[f"{at}/beta"]
        record |= {f"{at}/residual": residual, f"{at}/normalised": normalised}
        return normalised

    def _drop(self, X: Tensor) -> Tensor:
        return dropout(X, self.dropout) if self.dropout else X


def rounded(weights: Weights, dtype: torch.dtype = torch.float32) -> Weights:
    """The weights as they stand in the file, rounded to float16, to compute with in ``dtype``."""
    return {name: tensor.detach().to(torch.float16).to(dtype) for name, tensor in weights.items()}


def greedy(model: Model, source: Tensor, padding: Tensor | None, longest: int) -> np.ndarray:
    """The most probable word, again and again: target ids (batch, longest), start left out."""
    with torch.no_grad():
        memory = model.encode(source, padding, {})
        written = torch.zeros(len(source), 1, dtype=torch.long)  # [START]
        for _ in range(longest):
            following = model.decode(memory, padding, written, {})[:, -1].argmax(-1)
            written = torch.cat((written, following[:, None]), dim=1)
    return written[:, 1:].numpy()


def _xavier(rows: int, columns: int) -> Tensor:
    return torch.nn.init.xavier_uniform_(torch.empty(rows, columns))


def _norm(at: str, d_model: int) -> Weights:
    return {f"{at}/gamma": torch.ones(d_model), f"{at}/beta": torch.zeros(d_model)}
