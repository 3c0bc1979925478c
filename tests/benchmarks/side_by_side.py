"""What the benchmarks share: their options, and how calls are timed beside one another.

Nothing here imports NumPy or PyTorch: both read the number of their threads once, when they are
loaded, and ``options`` sets it.
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from importlib import metadata, util

REST = 0.1  # seconds between bursts: idle threads of either library keep a processor busy so long

Call = Callable[[], object]
HAS_PYTORCH = util.find_spec("torch") is not None


def options(about: str | None, seconds: float, each: str) -> argparse.Namespace:
    """What the command line asks for: threads, from now on those of every library; and seconds."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--threads", type=int, default=1, help="for NumPy and for PyTorch")
    parser.add_argument("--seconds", type=float, default=seconds, help=f"for each {each}")
    asked = parser.parse_args()
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = str(asked.threads)
    return asked


def conditions(threads: int) -> str:
    """On what is measured: threads, processors, how busy they are, and the libraries."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    theirs = (
        f"PyTorch {metadata.version('torch')}"
        if HAS_PYTORCH
        else "PyTorch is not installed: no comparison"
    )
    processors = f"{threads} thread(s) of {os.cpu_count()} processors"
    return f"{processors}{load}, float32, NumPy {metadata.version('numpy')}, {theirs}"


def in_turn(
    calls: list[Call], seconds: float, burst: float, clock: Callable[[], float] = time.perf_counter
) -> list[list[float]]:
    """Milliseconds of each call, taken in bursts: some of one, some of the next, and again.

    burst: seconds of calls of one before it is the next one's turn.
    """
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
    """The median, and where the middle eight tenths lie."""
    tenths = statistics.quantiles(times, n=10, method="inclusive")
    return f"{statistics.median(times):9.3f} ({tenths[0]:.3f}–{tenths[-1]:.3f})"


def ratio(ours: list[float], theirs: list[float]) -> str:
    """Of the medians."""
    return f"{statistics.median(ours) / statistics.median(theirs):.2f}"
