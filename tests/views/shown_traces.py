"""Traces with every option at once, their sizes different primes, their tokens fit to trip a view.

sentence: two samples of words, the shorter one padded; self-attention.
crossed: the same words looking at another sequence.
picture: two images cut into patches, with [CLS].
"""

from functools import cache

import numpy as np

from core import Axis, HeadWeights, Stage, Trace, Weights, multi_head_attention
from core.rules import Given
from core.sources import image, text

BATCH, HEADS, TOKENS, KEYS = 2, 3, 7, 11
D_K, D_V, D_MODEL, D_MEMORY = 5, 13, 17, 19
PATCH, GRID = 2, (3, 5)
NOBODY = (0, 3)  # sample and query that may look at nothing

LINES = (
    ("我", "1", "<b>x</b>", "我", "2024", "$a$", "{row}"),
    ("*I*", "<b>x</b>", "&amp;", "love"),
)
MEMORY = ("a", "b", "a", "1", "<i>", "2024", "[z](u)", "$b$", "c", "{x}", "d")


def numbers(*shape: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=shape)


def weights(memory_width: int = D_MODEL) -> Weights:
    def head(i: int) -> HeadWeights:
        return HeadWeights(
            W_Q=numbers(D_MODEL, D_K, seed=10 + i) / 3,
            W_K=numbers(memory_width, D_K, seed=20 + i) / 3,
            W_V=numbers(memory_width, D_V, seed=30 + i) / 3,
            W_O=numbers(D_V, D_MODEL, seed=40 + i) / 5,
            b_Q=numbers(D_K, seed=50 + i),
            b_K=numbers(D_K, seed=60 + i),
            b_V=numbers(D_V, seed=70 + i),
        )

    return Weights.from_heads([head(i) for i in range(HEADS)], b_O=numbers(D_MODEL, seed=4))


def _options(keys: int) -> dict:
    allowed = np.random.default_rng(5).random((BATCH, 1, TOKENS, keys)) < 0.8
    allowed[NOBODY[0], 0, NOBODY[1]] = False
    bias = numbers(HEADS, 1, keys, seed=6)
    bias[2, 0, 1] = -np.inf
    return {
        "allowed": allowed,
        "bias": bias,
        "causal": True,
        "temperature": 1.7,
        "dropout": 0.3,
        "seed": 8,
        "residual": True,
    }


@cache
def sentence() -> Trace:
    source = text.embed(LINES, D_MODEL, seed=3)
    return multi_head_attention(source, weights(), **_options(TOKENS))


@cache
def crossed() -> Trace:
    axes = (Axis("batch", "B"), Axis("key", "n_k", MEMORY), Axis("d_model", "d"))
    tensor = numbers(BATCH, KEYS, D_MEMORY, seed=7)
    return multi_head_attention(
        text.embed(LINES, D_MODEL, seed=3),
        weights(D_MEMORY),
        memory=Stage("memory", "M", tensor, axes, Given("input")),
        padding=np.arange(KEYS) < np.array([[KEYS], [6]]),
        scale=0.4,
        **_options(KEYS),
    )


@cache
def picture() -> Trace:
    rows, columns = GRID
    shape = (BATCH, rows * PATCH, columns * PATCH, 3)
    pixels = np.random.default_rng(9).uniform(-1, 1, shape).astype(np.float32)
    source = image.embed(pixels, PATCH, D_MODEL, seed=3)
    return multi_head_attention(source, Weights.seeded(D_MODEL, 1, 11, D_K, D_V), residual=True)


@cache
def plain() -> Trace:
    """No option at all: scores, scaled, weights."""
    return multi_head_attention(
        text.embed(LINES[:1], D_MODEL, seed=3), Weights.seeded(D_MODEL, HEADS, 2, D_K, D_V)
    )


@cache
def many_patches() -> Trace:
    """A picture of 14 × 14 patches, four heads, no [CLS]."""
    pixels = np.random.default_rng(9).uniform(-1, 1, (1, 56, 56, 3)).astype(np.float32)
    source = image.embed(pixels, 4, 64, seed=3, cls=False)
    return multi_head_attention(source, Weights.seeded(64, 4, 11), residual=True)


@cache
def words_in_a_row(words: tuple[str, ...]) -> Trace:
    """One sentence as the Sentence page shows it, each word seeing only what came before."""
    return multi_head_attention(
        text.embed((words,), 16, seed=3), Weights.seeded(16, 2, 11), causal=True
    )


TRACES = {"sentence": sentence, "crossed": crossed, "picture": picture, "plain": plain}
STAGES = [(name, key) for name, trace in TRACES.items() for key in trace()]


def middle(trace: Trace, key: str) -> dict[str, int]:
    """A cell off every edge where the stage has room for one, with a place for every role."""
    stage = trace[key]
    return {role: min(1, stage.size(role) - 1) for role in stage.roles}
