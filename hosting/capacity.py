"""What a crowd of readers needs, from what was measured: ``python -m hosting.capacity``.

The measured figures are those of ``bench_load --replicas``; the arithmetic on them is all that
happens here. One core holds so many readers, each of whom changes an input every 3 s; a replica
has one core, since Python runs one thread at a time.
"""

import argparse
from dataclasses import dataclass
from math import ceil

READERS = (100, 1_000, 10_000)


@dataclass(frozen=True)
class Measured:
    """held: readers a core, p95 under 1 s; base, each: MB of a replica, and of one reader in it."""

    held: int
    base: float
    each: float


@dataclass(frozen=True)
class Need:
    """What so many readers need. memory: GB of all replicas; price: a month, in money."""

    readers: int
    replicas: int
    memory: float
    price: float


def need(readers: int, measured: Measured, core_month: float) -> Need:
    """Replicas, memory and price for so many readers at once, and one replica more that may fail.

    core_month: the price of one core with its memory for a month.
    """
    replicas = ceil(readers / measured.held) + 1
    memory = (replicas * measured.base + readers * measured.each) / 1000
    return Need(readers, replicas, memory, replicas * core_month)


def main() -> None:
    """Print the table as Markdown."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--held", type=int, required=True, help="readers a core, p95 under 1 s")
    asked.add_argument("--base", type=float, required=True, help="MB of a replica without readers")
    asked.add_argument("--each", type=float, required=True, help="MB of a reader")
    asked.add_argument("--price", type=float, required=True, help="of one core for a month")
    given = asked.parse_args()
    measured = Measured(given.held, given.base, given.each)
    print("| readers at once | replicas, one core each | memory, GB | a month |\n|--:|--:|--:|--:|")
    for readers in READERS:
        row = need(readers, measured, given.price)
        print(f"| {readers:,} | {row.replicas:,} | {row.memory:,.1f} | {row.price:,.0f} |")


if __name__ == "__main__":
    main()
