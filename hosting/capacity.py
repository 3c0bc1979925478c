"""Replicas, memory and price for many readers: ``python -m hosting.capacity``.

Computed from what ``bench_load --replicas`` measures with readers who change an input every 3 s. A
replica has one core, since Python runs one thread at a time.
"""

import argparse
from dataclasses import dataclass
from math import ceil

READERS = (100, 1_000, 10_000)


@dataclass(frozen=True)
class Measured:
    """readers: of one core, p95 under 1 s; base, each: MB of a replica and of one reader in it."""

    readers: int
    base: float
    each: float


@dataclass(frozen=True)
class Need:
    """What ``readers`` at once need. memory: GB of all replicas; price: of a month."""

    readers: int
    replicas: int
    memory: float
    price: float


def need(readers: int, measured: Measured, core_month: float) -> Need:
    """Replicas, memory and price for ``readers`` at once, with one replica to spare.

    core_month: the price of one core with its memory for a month.
    """
    replicas = ceil(readers / measured.readers) + 1
    memory = (replicas * measured.base + readers * measured.each) / 1000
    return Need(readers, replicas, memory, replicas * core_month)


def main() -> None:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--held", dest="readers", type=int, required=True, help="readers a core, p95 under 1 s"
    )
    parser.add_argument("--base", type=float, required=True, help="MB of a replica without readers")
    parser.add_argument("--each", type=float, required=True, help="MB of a reader")
    parser.add_argument("--price", type=float, required=True, help="of one core for a month")
    given = parser.parse_args()
    measured = Measured(given.readers, given.base, given.each)
    print("| readers at once | replicas, one core each | memory, GB | a month |\n|--:|--:|--:|--:|")
    for readers in READERS:
        row = need(readers, measured, given.price)
        print(f"| {readers:,} | {row.replicas:,} | {row.memory:,.1f} | {row.price:,.0f} |")


if __name__ == "__main__":
    main()
