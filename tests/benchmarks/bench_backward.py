"""Time of all gradients of a trace, beside its forward pass and PyTorch's backward pass.

Run from the root of the project:  python -m tests.benchmarks.bench_backward --threads 1
"""

import time
from functools import partial

from tests.benchmarks.side_by_side import (
    HAS_PYTORCH,
    Call,
    conditions,
    in_turn,
    options,
    ratio,
    spread,
)

BUDGET = 3  # times the forward pass
SIZES = ((1, 4, 8, 2), (1, 64, 256, 8), (8, 197, 768, 12), (1, 1000, 512, 8))
BURST = 0.2  # seconds of calls of one before it is the other's turn
OPTIONS = options(__doc__, seconds=5, each="size")

import numpy as np  # noqa: E402

from core import Trace, Weights, multi_head_attention  # noqa: E402
from core.backward import backward  # noqa: E402
from tests.benchmarks.bench_core import biased_weights, numbers  # noqa: E402

PARAMETERS = ("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O")


def autograd(X: np.ndarray, weights: Weights, d_output: np.ndarray, made: Trace) -> Call:
    """Forward and backward pass of the same lines in PyTorch, checked against our gradients."""
    import torch
    from torch.nn import functional

    torch.set_num_threads(OPTIONS.threads)
    x, d = (torch.from_numpy(array.copy()) for array in (X, d_output))
    given = [torch.from_numpy(getattr(weights, name).copy()) for name in PARAMETERS]
    for tensor in (x, *given):
        tensor.requires_grad_()
    W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O = given

    def heads(packed: torch.Tensor) -> torch.Tensor:
        return packed.unflatten(-1, (weights.heads, -1)).transpose(1, 2)

    def call() -> object:
        Q, K, V = heads(x @ W_Q + b_Q), heads(x @ W_K + b_K), heads(x @ W_V + b_V)
        attended = functional.scaled_dot_product_attention(Q, K, V)
        output = attended.transpose(1, 2).flatten(2) @ W_O + b_O
        return torch.autograd.grad(output, (x, *given), d)

    grads = call()
    assert isinstance(grads, tuple)
    expected = made["grad/X"].tensor
    np.testing.assert_allclose(grads[0].numpy(), expected, atol=1e-3 * np.abs(expected).max())
    return call


def main() -> None:
    print(conditions(OPTIONS.threads))
    print("milliseconds: median (10th to 90th percentile), all run in turn, of the processor\n")
    heading = f"{'forward':>28}{'backward':>28}{f'≤ {BUDGET}':>8}"
    print(f"{'batch, n, d_model, h':24}{heading}{'PyTorch, both':>28}{'ratio':>8}")
    for batch, n, d_model, heads in SIZES:
        X, weights = numbers(batch, n, d_model), biased_weights(d_model, heads)
        forward = partial(multi_head_attention, X, weights)
        trace, d_output = forward(), numbers(batch, n, d_model)
        turned = partial(backward, trace, {"output": d_output})
        calls: list[Call] = [forward, turned]
        if HAS_PYTORCH:
            calls.append(autograd(X, weights, d_output, turned()))
        one, other, *theirs = in_turn(calls, OPTIONS.seconds, BURST, time.process_time)
        both = [a + b for a, b in zip(sorted(one), sorted(other), strict=False)]
        beside = f"{spread(theirs[0]):>28}{ratio(both, theirs[0]):>8}" if theirs else f"{'—':>28}"
        row = f"{f'{batch}, {n}, {d_model}, {heads}':24}{spread(one):>28}{spread(other):>28}"
        print(f"{row}{ratio(other, one):>8}{beside}", flush=True)


if __name__ == "__main__":
    main()
