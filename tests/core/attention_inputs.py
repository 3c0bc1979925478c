"""Inputs whose sizes are different primes, so that no two axes can be confused."""

from dataclasses import dataclass, fields

import numpy as np

from core import Axis, Stage, Trace, Weights, multi_head_attention
from core.options import AttentionOptions
from core.rules import Given, Operand, Sum

BATCH, HEADS, QUERY, KEY = 2, 3, 5, 7
D_K, D_V, D_MODEL, D_MEMORY = 11, 13, 17, 19
PER_KEY = (BATCH, HEADS, QUERY, KEY)

TOKENS = (("我", "爱", "北京", "我", "。"), ("I", "love", "Beijing", ".", "[PAD]"))
MEMORY_TOKENS = ("a", "b", "a", "1", "<b>", "2024", "z")
SCALE, TEMPERATURE, DROPOUT, SEED = 0.37, 1.7, 0.3, 23


def numbers(*shape: int, seed: int, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


def biased_weights(memory_width: int = D_MODEL, dtype: type = np.float64) -> Weights:
    return Weights(
        W_Q=numbers(D_MODEL, HEADS * D_K, seed=1, dtype=dtype) / 3,
        W_K=numbers(memory_width, HEADS * D_K, seed=2, dtype=dtype) / 3,
        W_V=numbers(memory_width, HEADS * D_V, seed=3, dtype=dtype),
        W_O=numbers(HEADS * D_V, D_MODEL, seed=4, dtype=dtype),
        heads=HEADS,
        b_Q=numbers(HEADS * D_K, seed=5, dtype=dtype),
        b_K=numbers(HEADS * D_K, seed=6, dtype=dtype),
        b_V=numbers(HEADS * D_V, seed=7, dtype=dtype),
        b_O=numbers(D_MODEL, seed=8, dtype=dtype),
    )


def projected(dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Q, K and V."""
    return (
        numbers(BATCH, HEADS, QUERY, D_K, seed=21, dtype=dtype),
        numbers(BATCH, HEADS, KEY, D_K, seed=22, dtype=dtype),
        numbers(BATCH, HEADS, KEY, D_V, seed=23, dtype=dtype),
    )


@dataclass(frozen=True)
class EveryOption:
    """The arguments of a cross-attention with every option at once."""

    embedding: np.ndarray  # (batch, token, d_model)
    position: np.ndarray  # (token, d_model)
    memory: np.ndarray  # (batch, key, memory width)
    weights: Weights
    key_mask: np.ndarray  # (batch, key)
    allowed: np.ndarray  # (batch, 1, query, key)
    bias: np.ndarray  # (head, 1, key)

    @classmethod
    def in_precision(cls, dtype: type) -> "EveryOption":
        allowed = np.random.default_rng(9).random((BATCH, 1, QUERY, KEY)) < 0.8
        allowed[1, 0, 3] = False  # this query is fully masked
        bias = numbers(HEADS, 1, KEY, seed=10, dtype=dtype)
        bias[2, 0, 1] = -np.inf
        return cls(
            embedding=numbers(BATCH, QUERY, D_MODEL, seed=11, dtype=dtype),
            position=numbers(QUERY, D_MODEL, seed=12, dtype=dtype) / 5,
            memory=numbers(BATCH, KEY, D_MEMORY, seed=13, dtype=dtype),
            weights=biased_weights(D_MEMORY, dtype),
            key_mask=np.arange(KEY) < np.array([[KEY], [4]]),
            allowed=allowed,
            bias=bias,
        )

    def arrays(self) -> dict[str, np.ndarray]:
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in given.items() if isinstance(value, np.ndarray)}

    def source(self) -> Trace:
        """embedding + position = X, with the tokens of each sample."""
        batch, d_model = Axis("batch", "B"), Axis("d_model", "d")
        token = Axis("token", "n", TOKENS)
        whole = (batch, token, d_model)
        rule = Sum(
            (
                Operand("embedding", ("batch", "token", "d_model")),
                Operand("position", ("token", "d_model")),
            )
        )
        return Trace(
            [
                Stage("embedding", "E", self.embedding, whole, Given("input")),
                Stage(
                    "position", "P", self.position, (Axis("token", "n"), d_model), Given("input")
                ),
                Stage("X", "E + P", self.embedding + self.position, whole, rule),
            ]
        )

    def labelled_memory(self) -> Stage:
        axes = (Axis("batch", "B"), Axis("key", "n_k", MEMORY_TOKENS), Axis("d_model", "d"))
        return Stage("memory", "M", self.memory, axes, Given("input"))

    def trace(self) -> Trace:
        return multi_head_attention(
            self.source(),
            self.weights,
            AttentionOptions(
                key_mask=self.key_mask,
                allowed=self.allowed,
                bias=self.bias,
                causal=True,
                scale=SCALE,
                temperature=TEMPERATURE,
                dropout=DROPOUT,
                seed=SEED,
                residual=True,
            ),
            memory=self.labelled_memory(),
        )
