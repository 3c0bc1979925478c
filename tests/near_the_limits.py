"""Traces with numbers near the limits of their precision, and with every kind of rule."""

import math
from collections.abc import Iterator

import numpy as np

from core import Axis, Stage, Trace, Weights, activations, backward, masks, multi_head_attention
from core.layers import (
    FeedForward,
    GatedFeedForward,
    Norm,
    RMSNorm,
    first_token,
    last_token,
    output_head,
)
from core.options import AttentionOptions
from core.rotary import Rotary
from core.rules import Activation, Given, Operand
from core.sources.position import input_stages

BATCH, HEADS, N, D_MODEL, D_K, D_FF, CLASSES = 1, 2, 3, 5, 4, 7, 6
ROLES = ("batch", "token", "d_model")


def drawn(*shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


def rows(kind, dtype):
    """(batch, token, d_model) near one end of what the precision holds."""
    info = np.finfo(dtype)
    normal = drawn(BATCH, N, D_MODEL, seed=1)
    found = {
        "large": normal * math.sqrt(float(info.max)) / 50,
        "subnormal": normal * float(info.smallest_subnormal) * 1000,
        "tiny": normal * math.sqrt(float(info.tiny)),
        "cancelling": 1 / float(info.eps) + np.rint(normal * 10),
        "alike": np.full((BATCH, N, D_MODEL), 0.1 / float(info.eps)),
        "ordinary": normal,
    }[kind]
    return found.astype(dtype)


KINDS = ("large", "subnormal", "tiny", "cancelling", "alike", "ordinary")


def stage(tensor, key="X"):
    return Stage(key, key, tensor, tuple(Axis(role, "n") for role in ROLES), Given("input"))


def weights():
    matrices = [drawn(D_MODEL, HEADS * D_K, seed=seed) / 4 for seed in (2, 3, 4)]
    biases = [drawn(HEADS * D_K, seed=seed) for seed in (6, 7, 8)]
    W_O = drawn(HEADS * D_K, D_MODEL, seed=5) / 4
    return Weights(*matrices, W_O, HEADS, *biases, drawn(D_MODEL, seed=9))


def attended(x, kind):
    least = float(np.finfo(x.dtype).min) / (8 if kind == "large" else 1)
    bias = np.where(np.arange(N) == 1, least, drawn(HEADS, N, N, seed=10))
    bias[1, 2] = least  # every key of this query
    bias[0, 2, 0] = -0.9 * least  # the difference from the least number overflows
    allowed = np.ones((N, N), dtype=bool)
    allowed[0, 2] = False
    return multi_head_attention(
        Trace([stage(x, "embedding"), *input_stages(stage(x, "embedding"), position=True)]),
        weights(),
        AttentionOptions(
            allowed=allowed,
            bias=bias,
            causal=True,
            temperature=1.7,
            dropout=0.3,
            seed=3,
            residual=True,
        ),
    )


def layered(x):
    """Traces of the steps around attention, each with x itself as its input."""
    X = stage(x)
    yield Trace([X, *Norm(*(drawn(D_MODEL, seed=s) for s in (11, 12)), 1e-12).stages(X)])
    yield Trace([X, *RMSNorm(drawn(D_MODEL, seed=13), 1e-12).stages(X, "normed", "")])
    wide = [drawn(*shape, seed=40 + i) / 4 for i, shape in enumerate(((D_MODEL, D_FF),) * 2)]
    if np.abs(x).max() < 1e15:  # else gate ⊙ up overflows in float32
        gated = GatedFeedForward(*wide, drawn(D_FF, D_MODEL, seed=42) / 4)
        yield Trace([X, *gated.stages(X)])
    yield shared(x)
    yield from modern(x)
    if np.abs(x).max() < 100:  # products of gradients with larger numbers overflow
        plain = multi_head_attention(Trace([X]), weights())
        yield backward(plain, {"output": drawn(*plain["output"].tensor.shape, seed=80)})
    shapes = ((D_MODEL, D_FF), (D_FF,), (D_FF, D_MODEL), (D_MODEL,))
    for activation in ("relu", "gelu", "gelu_tanh", "silu"):
        parts = [drawn(*shape, seed=20 + i) / 4 for i, shape in enumerate(shapes)]
        yield Trace([X, *FeedForward(*parts, activation=activation).stages(X)])
        for numbers in (x, x / np.abs(x).max() * np.finfo(x.dtype).max):
            bent = getattr(activations, activation)(numbers)
            yield Trace([stage(numbers), bend(X, activation, bent)])
    size = stage(np.abs(x) + np.finfo(x.dtype).smallest_subnormal)
    yield Trace([size, bend(size, "log", np.log(size.tensor))])
    names = tuple(map(str, range(CLASSES)))
    W, b = drawn(D_MODEL, CLASSES, seed=30) / 4, drawn(CLASSES, seed=31)
    yield Trace([X, last_token(X, "last_vector"), *output_head(X, W, None, "class", names)])
    yield Trace([X, first_token(X, "cls"), *output_head(X, W, b, "class", names)])


def shared(x):
    """Two query heads with one key and value head, rotary positions and QK norm."""
    matrices = [drawn(D_MODEL, n * D_K, seed=50 + n) / 4 for n in (HEADS, 1)]
    gammas = {f"gamma_{of}": drawn(D_K, seed=60 + i) for i, of in enumerate("QK")}
    narrow = Weights(
        *matrices, matrices[1], drawn(HEADS * D_K, D_MODEL, seed=53) / 4, HEADS, kv_heads=1,
        **gammas, epsilon=1e-12,
    )  # fmt: skip
    return multi_head_attention(Trace([stage(x)]), narrow, AttentionOptions(rotary=Rotary(D_K)))


def modern(x):
    """Attention with every later option; in half precision where the numbers fit."""
    halves = ("bfloat16", "float16") if np.abs(x).max() < 100 else ("bfloat16",)
    halves = halves if np.abs(x).max() < 1e15 else ()
    for precision, interleaved in zip((None, *halves), (False, True, True), strict=False):
        matrices = [drawn(D_MODEL, n * (D_K + 2), seed=70 + n) / 4 for n in (HEADS, 1)]
        W_O = drawn(HEADS * (D_K + 2), D_MODEL, seed=73) / 4
        past = (drawn(BATCH, 1, 2, D_K + 2, seed=75), drawn(BATCH, 1, 2, D_K + 2, seed=76))
        yield multi_head_attention(
            Trace([stage(x)]),
            Weights(*matrices, matrices[1], W_O, HEADS, kv_heads=1),
            AttentionOptions(
                causal=True,
                window=(2, -1),
                sink_tokens=1,
                alibi=masks.alibi_slopes(HEADS),
                rotary=Rotary(D_K, interleaved=interleaved),
                past=past,
                soft_cap=5.0,
                sinks=np.array([0.5, -1.0]),
                precision=precision,
            ),
        )


def bend(x, activation, tensor):
    rule = Activation(activation, Operand("X", ROLES))
    return Stage("bent", "f(X)", tensor, x.axes, rule)


def traces() -> Iterator[tuple[str, type, Trace]]:
    """Each trace with the kind and the precision of its numbers."""
    for dtype in (np.float32, np.float64):
        for kind in KINDS:
            x = rows(kind, dtype)
            for trace in (attended(x, kind), *layered(x)):
                yield kind, dtype, trace
