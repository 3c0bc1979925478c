"""What the server tells at ``/_stcore/metrics`` of its runs, beside Streamlit's own figures."""

import math
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from streamlit.runtime.stats import CounterStat, GaugeStat, HistogramStat, Stat

RUNS, ACTIVE, WAITING = "attention_runs", "attention_runs_active", "attention_runs_waiting"
SECONDS, WAITED = "attention_run_seconds", "attention_wait_seconds"
BOUNDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, math.inf)  # seconds


class _Histogram:
    """How many values are at most each of ``BOUNDS``."""

    def __init__(self) -> None:
        self.counts = [0] * len(BOUNDS)
        self.total = 0.0

    def add(self, value: float) -> None:
        self.total += value
        for place, bound in enumerate(BOUNDS):
            self.counts[place] += value <= bound

    def stat(self, family: str, help: str) -> HistogramStat:
        buckets = tuple(zip(BOUNDS, self.counts, strict=True))
        return HistogramStat(
            family, buckets, self.total, self.counts[-1], unit="seconds", help=help
        )


class RunStats:
    """A provider of Streamlit's: runs by how they ended, how long they took and waited."""

    stats_families = (RUNS, ACTIVE, WAITING, SECONDS, WAITED)

    def __init__(self, counts: Callable[[], tuple[int, int]]) -> None:
        """counts: how many runs are being computed, and how many wait."""
        self._counts = counts
        self._lock = threading.Lock()
        self._results: Counter[str] = Counter()
        self._seconds, self._waited = _Histogram(), _Histogram()

    def add(self, seconds: float, waited: float, result: str) -> None:
        """Count a run. seconds: with what it waited. result: what stands before a colon counts."""
        with self._lock:
            self._results[result.partition(":")[0]] += 1
            self._seconds.add(seconds)
            self._waited.add(waited)

    def get_stats(self, family_names: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        """The figures of each family that is asked for."""
        active, waiting = self._counts()
        with self._lock:
            told: dict[str, list[Stat]] = {
                RUNS: [
                    CounterStat(RUNS, count, {"result": result}, help="Runs by how they ended.")
                    for result, count in self._results.items()
                ],
                ACTIVE: [GaugeStat(ACTIVE, active, help="Runs being computed.")],
                WAITING: [GaugeStat(WAITING, waiting, help="Runs that wait for their turn.")],
                SECONDS: [self._seconds.stat(SECONDS, "Seconds of a run, with its wait.")],
                WAITED: [self._waited.stat(WAITED, "Seconds that a run waited for its turn.")],
            }
        wanted = self.stats_families if family_names is None else family_names
        return {name: stats for name, stats in told.items() if name in wanted and stats}
