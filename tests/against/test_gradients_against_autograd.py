"""Gradients of attention and of whole layers, beside those of PyTorch's autograd in float64."""

from collections.abc import Callable

import numpy as np
import pytest
from claims import for_all

from core import AttentionOptions, Trace, Weights, multi_head_attention
from core.backward import backward
from core.layers import FeedForward, GatedFeedForward, Norm, RMSNorm, output_head
from core.models import block
from core.nested import compose
from core.notation import axes, given
from core.rotary import Rotary

torch = pytest.importorskip("torch")
functional = torch.nn.functional

BATCH, N, D_MODEL, HEADS, KV_HEADS, D_FF, CLASSES = 2, 5, 12, 6, 2, 17, 7
D_K = D_MODEL // HEADS
EPSILON = 1e-5
Tensors = dict[str, "torch.Tensor"]


def numbers(*shapes: tuple[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    draws = np.random.default_rng(3)
    return {name: draws.normal(size=shape) / 2 for name, shape in shapes}


SHARED = KV_HEADS * D_K
OF_ATTENTION = numbers(
    ("W_Q", (D_MODEL, D_MODEL)), ("W_K", (D_MODEL, SHARED)), ("W_V", (D_MODEL, SHARED)),
    ("W_O", (D_MODEL, D_MODEL)), ("b_Q", (D_MODEL,)), ("b_K", (SHARED,)), ("b_V", (SHARED,)),
    ("b_O", (D_MODEL,)),
)  # fmt: skip
WIDE, NARROW = (D_MODEL, D_FF), (D_FF, D_MODEL)
OF_LAYER = OF_ATTENTION | numbers(
    ("gamma_1", (D_MODEL,)), ("beta_1", (D_MODEL,)), ("gamma_2", (D_MODEL,)),
    ("beta_2", (D_MODEL,)), ("W_1", WIDE), ("b_1", (D_FF,)), ("W_2", NARROW), ("b_2", (D_MODEL,)),
    ("W_gate", WIDE), ("W_up", WIDE), ("W_down", NARROW),
    ("W_P", (D_MODEL, CLASSES)), ("b_P", (CLASSES,)),
)  # fmt: skip
X = numbers(("X", (BATCH, N, D_MODEL)))["X"]


def by_head(packed: "torch.Tensor", heads: int) -> "torch.Tensor":
    return packed.unflatten(-1, (heads, D_K)).transpose(1, 2)


def rotated(x: "torch.Tensor") -> "torch.Tensor":
    angle = torch.arange(N)[:, None] * 9.0 ** (-torch.arange(0, D_K, 2, dtype=x.dtype) / D_K)
    first, second = x.chunk(2, dim=-1)
    cos, sin = angle.cos(), angle.sin()
    return torch.cat([first * cos - second * sin, second * cos + first * sin], dim=-1)


def attention(x: "torch.Tensor", of: Tensors, rotary: bool = False) -> "torch.Tensor":
    Q, K, V = (
        by_head(x @ of[f"W_{name}"] + of[f"b_{name}"], HEADS if name == "Q" else KV_HEADS)
        for name in "QKV"
    )
    if rotary:
        Q, K = rotated(Q), rotated(K)
    made = functional.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
    return made.transpose(1, 2).flatten(2) @ of["W_O"] + of["b_O"]


def post_norm(x: "torch.Tensor", of: Tensors) -> "torch.Tensor":
    size = (D_MODEL,)
    x = functional.layer_norm(x + attention(x, of), size, of["gamma_1"], of["beta_1"], EPSILON)
    fed = functional.gelu(x @ of["W_1"] + of["b_1"]) @ of["W_2"] + of["b_2"]
    return functional.layer_norm(x + fed, size, of["gamma_2"], of["beta_2"], EPSILON)


def decoder(x: "torch.Tensor", of: Tensors) -> "torch.Tensor":
    size = (D_MODEL,)
    normed = functional.rms_norm(x, size, of["gamma_1"], EPSILON)
    x = x + attention(normed, of, rotary=True)
    normed = functional.rms_norm(x, size, of["gamma_2"], EPSILON)
    gate = functional.silu(normed @ of["W_gate"])
    x = x + (gate * (normed @ of["W_up"])) @ of["W_down"]
    return torch.softmax(x @ of["W_P"] + of["b_P"], dim=-1)


def our_weights(of: dict[str, np.ndarray]) -> Weights:
    return Weights(**{name: of[name] for name in OF_ATTENTION}, heads=HEADS, kv_heads=KV_HEADS)


def our_attention(of: dict[str, np.ndarray]) -> Trace:
    return multi_head_attention(of["X"], our_weights(of), AttentionOptions(causal=True))


def our_post_norm(of: dict[str, np.ndarray]) -> Trace:
    norms = [Norm(of[f"gamma_{i}"], of[f"beta_{i}"], EPSILON) for i in (1, 2)]
    x = given("X", of["X"], axes("batch", "token", "d_model"))
    first = block.post_norm_attention(
        x, our_weights(of), norms[0], options=AttentionOptions(causal=True)
    )
    fed = FeedForward(of["W_1"], of["b_1"], of["W_2"], of["b_2"], "gelu")
    second = block.post_norm_feed_forward(block.output_stage(first), fed, norms[1])
    return compose({"1": first, "2": second}, {"2/X": "1/normalised"})


def our_decoder(of: dict[str, np.ndarray]) -> Trace:
    norms = [RMSNorm(of[f"gamma_{i}"], EPSILON) for i in (1, 2)]
    options = AttentionOptions(causal=True, rotary=Rotary(D_K, theta=9.0))
    x = given("X", of["X"], axes("batch", "token", "d_model"))
    first = block.pre_norm_attention(x, our_weights(of), norms[0], options)
    fed = GatedFeedForward(of["W_gate"], of["W_up"], of["W_down"])
    second = block.pre_norm_feed_forward(block.output_stage(first), fed, norms[1])
    last = block.output_stage(second)
    names = tuple(map(str, range(CLASSES)))
    X = block.as_input(last, "X", block.IN)
    head = Trace([X, *output_head(X, of["W_P"], of["b_P"], "vocabulary", names)])
    return compose(
        {"1": first, "2": second, "head": head},
        {"2/stream": "1/residual", "head/X": "2/residual"},
    )


@for_all(
    ("name", "ours", "theirs", "paths"),
    [
        ("attention", our_attention, attention, {}),
        ("post-norm", our_post_norm, post_norm, {"gamma_1": "1/gamma", "beta_1": "1/beta",
                                                 "gamma_2": "2/gamma", "beta_2": "2/beta"}),
        ("decoder", our_decoder, decoder, {"gamma_1": "1/gamma", "gamma_2": "2/gamma",
                                           "X": "1/stream"}),
    ],
)  # fmt: skip
def test_every_gradient_is_that_of_autograd(
    name: str,
    ours: Callable[[dict[str, np.ndarray]], Trace],
    theirs: Callable[["torch.Tensor", Tensors], "torch.Tensor"],
    paths: dict[str, str],
):
    of = OF_LAYER | {"X": X}
    tensors = {key: torch.tensor(array, requires_grad=True) for key, array in of.items()}
    output = theirs(tensors["X"], tensors)
    seed = np.random.default_rng(4).normal(size=output.shape)
    output.backward(torch.from_numpy(seed))
    trace = ours(of)
    last = [*trace][-1]
    np.testing.assert_allclose(trace[last].tensor, output.detach().numpy(), rtol=1e-9, atol=1e-12)
    made = backward(trace, {last: seed})
    compared = 0
    for key, tensor in tensors.items():
        if tensor.grad is None:
            continue
        known = [
            k for k in (paths.get(key, key), f"1/{key}", f"2/{key}", f"head/{key}") if k in trace
        ]
        found = made[f"grad/{known[0]}"].tensor
        if key in ("W_Q", "W_K", "W_V"):
            found = found.swapaxes(0, 1)  # (head, d_model, d_k) -> (d_model, head, d_k)
        np.testing.assert_allclose(
            found.reshape(tensor.shape), tensor.grad.numpy(), rtol=1e-9, atol=1e-11, err_msg=key
        )
        compared += 1
    assert compared >= 9
