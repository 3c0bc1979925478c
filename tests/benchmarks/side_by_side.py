"""Shared by the benchmarks: their options, calls timed in turn, PyTorch's attention.

No module-level import of NumPy or PyTorch: both read the number of their threads once, when they
are imported, and ``options`` sets it.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from importlib import metadata, util
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from core import Weights

REST = 0.1  # seconds between bursts: idle threads of either library keep a processor busy so long

Call = Callable[[], object]
HAS_PYTORCH = util.find_spec("torch") is not None


def options(about: str | None, seconds: float, each: str) -> argparse.Namespace:
    """The options ``--threads``, which is set for every library, and ``--seconds``."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--threads", type=int, default=1, help="for NumPy and for PyTorch")
    parser.add_argument("--seconds", type=float, default=seconds, help=f"for each {each}")
    parsed = parser.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(parsed.threads)
    return parsed


def conditions(threads: int) -> str:
    """The conditions of the measurement: threads, processors, their load, and the libraries."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    pytorch = (
        f"PyTorch {metadata.version('torch')}"
        if HAS_PYTORCH
        else "PyTorch is not installed: no comparison"
    )
    processors = f"{threads} thread(s) of {os.cpu_count()} processors"
    return f"{processors}{load}, float32, NumPy {metadata.version('numpy')}, {pytorch}"


def in_turn(
    calls: list[Call], seconds: float, burst: float, clock: Callable[[], float] = time.perf_counter
) -> list[list[float]]:
    """Milliseconds of each call, measured in alternating bursts of ``burst`` seconds."""
    taken: list[list[float]] = [[] for _ in calls]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for call, times in zip(calls, taken, strict=True):
            time.sleep(REST)
            call()
            last = time.perf_counter() + burst
            while time.perf_counter() < last:
                start = clock()
                call()
                times.append((clock() - start) * 1000)
    return taken


def spread(times: list[float]) -> str:
    """The median, and the 10th to the 90th percentile."""
    tenths = statistics.quantiles(times, n=10, method="inclusive")
    return f"{statistics.median(times):9.3f} ({tenths[0]:.3f}–{tenths[-1]:.3f})"


def ratio(ours: list[float], theirs: list[float]) -> str:
    """The ratio of the medians."""
    return f"{statistics.median(ours) / statistics.median(theirs):.2f}"


def pytorch_attention(X: "np.ndarray", weights: "Weights", threads: int) -> Call:
    """PyTorch's multi-head attention with these weights, which returns the output and all weights.

    X: (batch, token, d_model). Biases count only where all of them are given.
    """
    import numpy as np
    import torch

    torch.set_num_threads(threads)
    W_O, b_O = weights.W_O, weights.b_O
    assert W_O is not None
    layer = torch.nn.MultiheadAttention(
        weights.d_model, weights.heads, bias=b_O is not None, batch_first=True
    ).eval()
    pairs = [
        (layer.in_proj_weight, np.concatenate([weights.W_Q.T, weights.W_K.T, weights.W_V.T])),
        (layer.out_proj.weight, W_O.T),
    ]
    if b_O is not None:
        pairs += [
            (layer.in_proj_bias, np.concatenate([weights.b_Q, weights.b_K, weights.b_V])),
            (layer.out_proj.bias, b_O),
        ]
    with torch.no_grad():
        for tensor, values in pairs:
            tensor.copy_(torch.from_numpy(values.copy()))
    x = torch.from_numpy(X.copy())

    def call() -> object:
        with torch.no_grad():
            return layer(x, x, x, need_weights=True, average_attn_weights=False)

    return call
