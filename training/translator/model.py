r"""The encoder-decoder of "Attention Is All You Need" (Vaswani et al., 2017) in PyTorch.

Post-norm as printed, LayerNorm(x + Sublayer(x)); embeddings times √d_model; the target's table is
also the final map (section 3.4). A word of several characters is read as the mean of its
characters' vectors plus one of its own, so that a rare word is not unknown; ``folded`` adds them up
once, and what is stored is a table like any other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor
from torch.nn.functional import embedding_bag, layer_norm

from core.sources.position import sinusoids
from training.checkpoints import Weights

LONGEST_WORD = 4  # characters of a word that count for its vector
POOL = 16_000_000  # random factors


@dataclass(frozen=True)
class ModelConfig:
    """How large the model is."""

    source: int
    target: int
    d_model: int = 256
    heads: int = 8
    layers: int = 3
    d_ff: int = 1024
    epsilon: float = 1e-5


@dataclass(frozen=True)
class DropoutRates:
    """Dropout rates: after embeddings and sublayers (residual), and inside sublayers (within)."""

    residual: float = 0.2
    within: float = 0.1  # of attention weights and of the hidden layer


def init_weights(sizes: ModelConfig, seed: int) -> Weights:
    """Weights before training: matrices Xavier uniform, tables of variance 1 / d_model."""
    torch.manual_seed(seed)
    d, d_ff = sizes.d_model, sizes.d_ff
    weights = {
        "source/E": torch.randn(sizes.source, d) / math.sqrt(d),
        "target/E": torch.randn(sizes.target, d) / math.sqrt(d),
    }
    for side, attentions in (("encoder", ("self",)), ("decoder", ("self", "cross"))):
        for layer in range(1, sizes.layers + 1):
            for name in attentions:
                at = f"{side}/{layer}/{name}"
                weights |= {f"{at}/W_{one}": _xavier(d, d) for one in "QKVO"} | _norm(at, d)
            at = f"{side}/{layer}/feed_forward"
            weights |= {f"{at}/W_1": _xavier(d, d_ff), f"{at}/b_1": torch.zeros(d_ff)}
            weights |= {f"{at}/W_2": _xavier(d_ff, d), f"{at}/b_2": torch.zeros(d)} | _norm(at, d)
    weights["prediction/b"] = torch.zeros(sizes.target)
    return weights


class WordParts:
    """The embedding of a token: its own row plus, for words, the mean of its characters' rows."""

    def __init__(self, tokens: Sequence[str]) -> None:
        """Look up the characters of every token in the vocabulary."""
        rows = {token: row for row, token in enumerate(tokens)}
        self.rows = torch.zeros(len(tokens), 1 + LONGEST_WORD, dtype=torch.long)
        self.shares = torch.zeros(len(tokens), 1 + LONGEST_WORD)
        for row, token in enumerate(tokens):
            found = [rows[c] for c in token[:LONGEST_WORD] if c in rows] if len(token) > 1 else []
            self.rows[row, : 1 + len(found)] = torch.tensor([row, *found])
            self.shares[row, : 1 + len(found)] = torch.tensor(
                [1.0, *[1 / max(len(found), 1)] * len(found)]
            )

    def embedded(self, E: Tensor, ids: Tensor) -> Tensor:
        """Embeddings (batch, token, d_model) of ids (batch, token). E: (vocabulary, d_model)."""
        rows = self.rows[ids].flatten(0, -2)
        shares = self.shares[ids].flatten(0, -2).to(E.dtype)
        summed = embedding_bag(rows, E, mode="sum", per_sample_weights=shares)
        return summed.view(*ids.shape, -1)

    def folded(self, E: Tensor) -> Tensor:
        """An ordinary embedding table: row i is what ``embedded`` gives for token i."""
        return self.embedded(E, torch.arange(len(E)))

    def unfolded(self, E: Tensor) -> Tensor:
        """The inverse of ``folded``."""
        return 2 * E - self.embedded(E, torch.arange(len(E)))


class Model:
    """The model with these weights; dropout only where rates are given."""

    def __init__(
        self,
        sizes: ModelConfig,
        weights: Weights,
        parts: WordParts | None,
        drop: DropoutRates | None = None,
    ) -> None:
        """Nothing is copied. parts: None where the source embeddings are folded already."""
        self.sizes, self.weights, self.parts = sizes, weights, parts
        self.drop = drop or DropoutRates(0.0, 0.0)
        self.cross_inputs: list[Tensor] = []  # X of each cross-attention in the last ``decode``

    def encode(self, source: Tensor, key_mask: Tensor) -> Tensor:
        """Source ids (batch, token) to memory (batch, token, d_model). key_mask: see ``Batch``."""
        E = self.weights["source/E"]
        X = self._with_positions(self.parts.embedded(E, source) if self.parts else E[source])
        for layer in range(1, self.sizes.layers + 1):
            at = f"encoder/{layer}"
            X = self._attention(f"{at}/self", X, X, key_mask[:, None, None, :])
            X = self._feed_forward(f"{at}/feed_forward", X)
        return X

    def decode(self, memory: Tensor, key_mask: Tensor, target: Tensor) -> Tensor:
        """Target ids (batch, token) to the output of the last layer, (batch, token, d_model)."""
        X = self._with_positions(self.weights["target/E"][target])
        self.cross_inputs = []
        n = target.shape[1]
        causal = torch.ones(n, n, dtype=torch.bool).tril()
        for layer in range(1, self.sizes.layers + 1):
            at = f"decoder/{layer}"
            X = self._attention(f"{at}/self", X, X, causal)
            self.cross_inputs.append(X)
            X = self._attention(f"{at}/cross", X, memory, key_mask[:, None, None, :])
            X = self._feed_forward(f"{at}/feed_forward", X)
        return X

    def cross_log_weights(self, layer: int, head: int, memory: Tensor, key_mask: Tensor) -> Tensor:
        """ln of one cross-attention head's weights in the last ``decode``, (batch, query, key).

        layer, head: from 0.
        """
        d_k = self.sizes.d_model // self.sizes.heads
        columns = slice(head * d_k, (head + 1) * d_k)
        Q, K = (
            read @ self.weights[f"decoder/{layer + 1}/cross/W_{name}"][:, columns]
            for name, read in (("Q", self.cross_inputs[layer]), ("K", memory))
        )
        scores = Q @ K.transpose(-1, -2) / math.sqrt(d_k)
        return scores.masked_fill(~key_mask[:, None, :], -math.inf).log_softmax(-1)

    def logits(self, X: Tensor) -> Tensor:
        """(…, d_model) to (…, target vocabulary): the transposed target embeddings, and a bias."""
        return X @ self.weights["target/E"].to(X.dtype).T + self.weights["prediction/b"].to(X.dtype)

    def _with_positions(self, embedding: Tensor) -> Tensor:
        positions = torch.from_numpy(sinusoids(embedding.shape[1], self.sizes.d_model))
        X = embedding * math.sqrt(self.sizes.d_model) + positions.to(embedding.dtype)
        return dropout(X.to(self.weights["encoder/1/self/W_Q"].dtype), self.drop.residual)

    def _attention(self, at: str, X: Tensor, memory: Tensor, allowed: Tensor) -> Tensor:
        batch, n, d_model = X.shape
        heads = self.sizes.heads
        Q, K, V = (
            (read @ self.weights[f"{at}/W_{name}"])
            .view(batch, -1, heads, d_model // heads)
            .transpose(1, 2)
            for name, read in (("Q", X), ("K", memory), ("V", memory))
        )
        scores = Q @ K.transpose(-1, -2) / math.sqrt(d_model // heads)
        attention = scores.masked_fill(~allowed, -math.inf).softmax(-1)
        attended = dropout(attention, self.drop.within) @ V
        concat = attended.transpose(1, 2).reshape(batch, n, d_model)
        return self._add_and_norm(at, X, concat @ self.weights[f"{at}/W_O"])

    def _feed_forward(self, at: str, X: Tensor) -> Tensor:
        w = self.weights
        hidden = torch.relu(X @ w[f"{at}/W_1"] + w[f"{at}/b_1"])  # (batch, token, d_ff)
        hidden = dropout(hidden, self.drop.within)
        return self._add_and_norm(at, X, hidden @ w[f"{at}/W_2"] + w[f"{at}/b_2"])

    def _add_and_norm(self, at: str, X: Tensor, output: Tensor) -> Tensor:
        gamma, beta = self.weights[f"{at}/gamma"], self.weights[f"{at}/beta"]
        residual = X + dropout(output, self.drop.residual)
        return layer_norm(residual, (self.sizes.d_model,), gamma, beta, self.sizes.epsilon)


def dropout(X: Tensor, share: float) -> Tensor:
    """Dropout with random factors from a fixed pool: on a CPU, ``torch.nn.functional.dropout``
    takes ten times as long.

    share: the dropout rate.
    """
    if not share:
        return X
    pool = _pool(share, X.dtype)
    begin = int(torch.randint(len(pool) - X.numel(), ()))
    return X * pool[begin : begin + X.numel()].view(X.shape)


@cache
def _pool(share: float, dtype: torch.dtype) -> Tensor:
    """Factors: 0 with the probability ``share``, and else 1 / (1 - share)."""
    generator = torch.Generator().manual_seed(1)
    passed = torch.rand(POOL, generator=generator) >= share
    return (passed / (1 - share)).to(dtype)


def _xavier(rows: int, columns: int) -> Tensor:
    return torch.nn.init.xavier_uniform_(torch.empty(rows, columns))


def _norm(at: str, d_model: int) -> Weights:
    return {f"{at}/gamma": torch.ones(d_model), f"{at}/beta": torch.zeros(d_model)}
