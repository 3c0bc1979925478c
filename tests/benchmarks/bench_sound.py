"""Time and memory from a sound to X, and of attention to it beside PyTorch.

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
    pytorch_attention,
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
from core.cost import trace_cost  # noqa: E402
from core.limits import LIMITS  # noqa: E402
from core.nested import as_input  # noqa: E402
from core.sources.audio import embed, log_mel  # noqa: E402
from core.sources.recording import decode, encode  # noqa: E402
from core.sources.spectrum import RATE  # noqa: E402


def check(call: Call, trace: Trace) -> None:
    """Assert that PyTorch's output and weights are those of the trace."""
    output, of_heads = call()  # type: ignore[misc]
    np.testing.assert_allclose(output, trace["output"].tensor, rtol=1e-3, atol=1e-3)
    mine = trace["weights"].tensor
    np.testing.assert_allclose(of_heads, mine, rtol=1e-3, atol=1e-5)


def peak(call: Call) -> float:
    """The megabytes that the first call adds to the peak memory of a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        result = call()  # stays until the memory is read
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        os.write(write, str(grown * 1024 / 1e6).encode())
        del result
        os._exit(0)
    os.waitpid(child, 0)
    found = float(os.read(read, 99))
    os.close(read)
    os.close(write)
    return found


def row(name: str, times: list[float], megabytes: float, beside: str = "") -> None:
    print(f"{name:42}{spread(times):>30}{megabytes:>10.1f}{beside:>8}", flush=True)


def sound_to_X(samples: np.ndarray) -> None:
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
    peaks = [peak(call) for call in calls.values()]
    print(f"\n{SECONDS} s of sound, {RATE} samples a second, {N} frames")
    for (name, call), megabytes in zip(calls.items(), peaks, strict=True):
        (times,) = in_turn([call], OPTIONS.seconds / 4, BURST)
        row(name, times, megabytes)
    trace = embed(samples, RATE, D_MODEL, 1)
    print(f"all stages of embed: {trace_cost(trace).bytes / 1e6:.1f} MB")


def heads(source: Trace, weights: Weights) -> None:
    """From X to output."""
    print(f"\n{N} frames, d_model {D_MODEL}, {HEADS} heads")
    calls: dict[str, Call] = {
        "all heads, blockwise": lambda: multi_head_attention(source, weights),
    }
    if HAS_PYTORCH:
        theirs = pytorch_attention(source["X"].tensor, weights, OPTIONS.threads)
        calls[f"PyTorch {metadata.version('torch')}, all heads at once"] = theirs
    peaks = [peak(call) for call in calls.values()]
    if HAS_PYTORCH:
        check(theirs, multi_head_attention(source, weights))
    taken = in_turn(list(calls.values()), OPTIONS.seconds * 2, BURST)
    for name, times, megabytes in zip(calls, taken, peaks, strict=True):
        row(name, times, megabytes, ratio(times, taken[-1]) if HAS_PYTORCH else "—")
    print(f"budget: ≤ {TIME_BUDGET} of PyTorch's time")
    print(f"limit of a trace in memory: {LIMITS.trace_bytes / 1e6:.0f} MB")


def main() -> None:
    print(conditions(OPTIONS.threads))
    print("milliseconds: median (10th to 90th percentile), then peak MB, then the ratio to PyTorch")
    samples = np.random.default_rng(0).uniform(-0.3, 0.3, SECONDS * RATE).astype(np.float32)
    sound_to_X(samples)
    source = embed(samples, RATE, D_MODEL, 1)
    weights = Weights.seeded(D_MODEL, HEADS, 1).in_precision(source["X"].tensor.dtype)
    heads(Trace([as_input(source["X"], "X")]), weights)


if __name__ == "__main__":
    main()
