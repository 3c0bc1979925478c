"""Time and memory of a full trace, beside their budgets and beside PyTorch where it is installed.

Run from the root of the project:  python -m tests.benchmarks.bench_core --threads 1
"""

import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from tests.benchmarks.side_by_side import (
    HAS_PYTORCH,
    Call,
    conditions,
    in_turn,
    options,
    pytorch_attention,
    ratio,
    spread,
)

TIME_BUDGET = 1.5  # of PyTorch's time
MEMORY_BUDGET = 1.1  # of the bytes of all stages
SIZES = ((1, 4, 8, 2), (32, 10, 512, 8), (8, 197, 768, 12), (1, 1000, 512, 8))
BURST = 0.2  # seconds of calls of one library before it is the other's turn
OPTIONS = options(__doc__, seconds=5, each="size")

import numpy as np  # noqa: E402

from core import Trace, Weights, multi_head_attention, scaled_dot_product_attention  # noqa: E402
from core.cost import trace_cost  # noqa: E402


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)


def biased_weights(d_model: int, heads: int) -> Weights:
    """With biases, which PyTorch's attention has by default."""
    b = numbers(d_model)
    seeded = Weights.seeded(d_model, heads, seed=0).in_precision(b.dtype)
    return replace(seeded, b_Q=b, b_K=b, b_V=b, b_O=b)


def checked_attention(X: np.ndarray, weights: Weights, trace: Trace) -> Call:
    """PyTorch's attention with the same numbers, checked against the trace."""
    call = pytorch_attention(X, weights, OPTIONS.threads)
    _check_agreement(trace, call(), "output")
    return call


def pytorch_head(Q: np.ndarray, K: np.ndarray, V: np.ndarray, trace: Trace) -> Call:
    """One head in PyTorch, weights included, checked against the trace."""
    import torch

    q, k, v = (torch.from_numpy(array) for array in (Q, K, V))

    def call() -> object:
        with torch.no_grad():
            weights = torch.softmax(q @ k.mT * Q.shape[-1] ** -0.5, dim=-1)
            return weights @ v, weights

    _check_agreement(trace, call(), "head_output")
    return call


def _check_agreement(trace: Trace, theirs: object, output: str) -> None:
    for key, tensor in zip((output, "weights"), theirs, strict=True):  # type: ignore[call-overload]
        np.testing.assert_allclose(tensor.numpy(), trace[key].tensor, rtol=1e-3, atol=1e-3)


def peak_over_stages(call: Call) -> float:
    """The peak memory of a call, as a multiple of the bytes of the stages that it returns."""
    tracemalloc.start()
    trace = call()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(trace, Trace)
    return peak / trace_cost(trace).bytes


def report(name: str, ours: Call, pytorch: Callable[[Trace], Call]) -> None:
    """Print one row: name, our time, PyTorch's, their ratio, peak memory, bytes of the stages."""
    trace = ours()
    assert isinstance(trace, Trace)
    calls = [ours, pytorch(trace)] if HAS_PYTORCH else [ours]
    mine, *theirs = in_turn(calls, OPTIONS.seconds, BURST)
    beside, times = (spread(theirs[0]), ratio(mine, theirs[0])) if theirs else ("—", "—")
    print(
        f"{name:28}{spread(mine):>30}{beside:>30}{times:>8}"
        f"{peak_over_stages(ours):>8.2f}{trace_cost(trace).bytes / 1e6:>10.3f}",
        flush=True,
    )


def main() -> None:
    print(conditions(OPTIONS.threads))
    print("milliseconds: median (10th to 90th percentile), both run in turn\n")
    print(f"{'':28}{'a full trace':>30}{'PyTorch':>30}{'ratio':>8}{'peak':>8}{'stages':>10}")
    print(
        f"{'batch, n, d_model, h':28}{'':60}{f'≤ {TIME_BUDGET}':>8}{f'≤ {MEMORY_BUDGET}':>8}",
        end="",
    )
    print(f"{'MB':>10}")
    for batch, n, d_model, heads in SIZES:
        X, weights = numbers(batch, n, d_model), biased_weights(d_model, heads)
        report(
            f"{batch}, {n}, {d_model}, {heads}",
            partial(multi_head_attention, X, weights),
            partial(checked_attention, X, weights),
        )
    Q, K, V = numbers(3, 1, 8, 1000, 64)[:, :, 5:6]
    report(
        "one head of 1, 1000, 512, 8",
        partial(scaled_dot_product_attention, Q, K, V),
        partial(pytorch_head, Q, K, V),
    )
    print(
        "\nPyTorch returns the output and the weights, a trace keeps every stage. With a few tokens"
    )
    print("both ratios are those of the names, axes and rules, which outweigh so few numbers.")


if __name__ == "__main__":
    main()
