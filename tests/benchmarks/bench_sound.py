"""Time and memory of the way from a sound to X, and of one head at a time beside PyTorch.

Run from the root of the project:  python -m tests.benchmarks.bench_sound --threads 1
"""

import os
import resource
from importlib import metadata

from tests.benchmarks.side_by_side import (
    HAS_PYTORCH,
    Call,
    conditions,
    in_turn,
    options,
    ratio,
    spread,
)

TIME_BUDGET = 1.5  # of PyTorch's time
N, D_MODEL, HEADS = 1000, 512, 8
SECONDS = 10
BURST = 0.3  # seconds of calls of one library before it is the other's turn
OPTIONS = options(__doc__, seconds=8, each="comparison")

import numpy as np  # noqa: E402

from core import Trace, Weights, multi_head_attention  # noqa: E402
from core.by_head import Heads  # noqa: E402
from core.cost import trace_cost  # noqa: E402
from core.limits import LIMITS  # noqa: E402
from core.nested import as_input  # noqa: E402
from core.sources.audio import embed, log_mel  # noqa: E402
from core.sources.recording import decode, encode  # noqa: E402
from core.sources.spectrum import RATE  # noqa: E402

LOOKED_AT = 3


def all_by_head(source: Trace, weights: Weights) -> Trace:
    """Every head one after the other, and then the one that is looked at."""
    heads = Heads(source, weights)
    return heads.head_trace(LOOKED_AT, heads.outputs())


def pytorch(source: Trace, weights: Weights) -> Call:
    """PyTorch's attention with the same numbers and all heads' weights."""
    import torch

    torch.set_num_threads(OPTIONS.threads)
    layer = torch.nn.MultiheadAttention(D_MODEL, HEADS, bias=False, batch_first=True).eval()
    W_O = weights.W_O
    assert W_O is not None
    with torch.no_grad():
        packed = np.concatenate([weights.W_Q.T, weights.W_K.T, weights.W_V.T])
        layer.in_proj_weight.copy_(torch.from_numpy(packed))
        layer.out_proj.weight.copy_(torch.from_numpy(W_O.T.copy()))
    x = torch.from_numpy(source["X"].tensor.copy())

    def call() -> object:
        with torch.no_grad():
            return layer(x, x, x, need_weights=True, average_attn_weights=False)

    return call


def check(call: Call, trace: Trace) -> None:
    """That PyTorch's numbers are those of the head looked at."""
    output, of_heads = call()  # type: ignore[misc]
    np.testing.assert_allclose(output, trace["output"].tensor, rtol=1e-3, atol=1e-3)
    mine = trace["weights"].tensor
    np.testing.assert_allclose(of_heads[:, LOOKED_AT, None], mine, rtol=1e-3, atol=1e-5)


def peak(call: Call) -> float:
    """The most megabytes that a call adds to a process of its own, which has not called before."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        kept = call()
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os.write(write, str(grown * 1024 / 1e6).encode())
        del kept
        os._exit(0)
    os.waitpid(child, 0)
    found = float(os.read(read, 99))
    os.close(read)
    os.close(write)
    return found


def row(name: str, times: list[float], megabytes: float, beside: str = "") -> None:
    print(f"{name:42}{spread(times):>30}{megabytes:>10.1f}{beside:>8}", flush=True)


def front_door(samples: np.ndarray) -> None:
    """From the bytes of a file to X."""
    file = encode(samples, RATE)
    calls: dict[str, Call] = {
        "decode a WAV file": lambda: decode(file),
        "log_mel": lambda: log_mel(samples, RATE),
        f"embed, d_model {D_MODEL}": lambda: embed(samples, RATE, D_MODEL, 1),
        f"embed, d_model {D_MODEL}, 40 ms a frame": lambda: embed(
            samples, RATE, D_MODEL, 1, pool=4
        ),
    }
    most = [peak(call) for call in calls.values()]
    print(f"\n{SECONDS} s of sound, {RATE} samples a second, {N} frames")
    for (name, call), megabytes in zip(calls.items(), most, strict=True):
        (times,) = in_turn([call], OPTIONS.seconds / 4, BURST)
        row(name, times, megabytes)
    trace = embed(samples, RATE, D_MODEL, 1)
    print(f"all stages of embed: {trace_cost(trace).bytes / 1e6:.1f} MB")


def heads(source: Trace, weights: Weights) -> None:
    """From X to output."""
    print(f"\n{N} frames, d_model {D_MODEL}, {HEADS} heads")
    ready = Heads(source, weights)
    outputs = list(ready.outputs())
    calls: dict[str, Call] = {
        "every head in turn, one looked at": lambda: all_by_head(source, weights),
        "another head, the rest known": lambda: ready.head_trace(LOOKED_AT, outputs),
        "all heads at once": lambda: multi_head_attention(source, weights),
    }
    if HAS_PYTORCH:
        theirs = pytorch(source, weights)
        calls[f"PyTorch {metadata.version('torch')}, all heads at once"] = theirs
    most = [peak(call) for call in calls.values()]
    if HAS_PYTORCH:
        check(theirs, all_by_head(source, weights))
    taken = in_turn(list(calls.values()), OPTIONS.seconds * 2, BURST)
    for name, times, megabytes in zip(calls, taken, most, strict=True):
        row(name, times, megabytes, ratio(times, taken[-1]) if HAS_PYTORCH else "—")
    print(f"budget for every head in turn: ≤ {TIME_BUDGET} of PyTorch's time")
    print(f"limit of all stages of a trace: {LIMITS.trace_bytes / 1e6:.0f} MB")


def main() -> None:
    print(conditions(OPTIONS.threads))
    print("milliseconds: median (10th to 90th percentile), then peak MB, then the ratio to PyTorch")
    samples = np.random.default_rng(0).uniform(-0.3, 0.3, SECONDS * RATE).astype(np.float32)
    front_door(samples)
    source = embed(samples, RATE, D_MODEL, 1)
    weights = Weights.seeded(D_MODEL, HEADS, 1).in_precision(source["X"].tensor.dtype)
    heads(Trace([as_input(source["X"], "X")], source.token), weights)


if __name__ == "__main__":
    main()
