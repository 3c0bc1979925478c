"""Whose turn it is: a bound on runs at once, first come, first served, and one reader's share.

Python computes one thing at a time, so many runs at once would make all of them late together. A
run waits in a thread that sleeps; whoever ends gives the turn to the next.
"""

import argparse
import itertools
import math
import os
import threading
import time
from bisect import insort
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from core.limits import SHARE, Share

VARIABLE = "ATTENTION_MICROSCOPE_RUNS"
RUNS = 2  # one that computes, and another so that a long one keeps nobody out
PATIENCE = 2.0  # seconds until a reader is told
AGAIN = 1.0  # seconds between two looks at the queue


@dataclass(eq=False)
class Reader:
    """One session. running: whether a run of its is being computed.

    place: the number in the queue that it keeps when a run that waits is interrupted.
    since: when the reader began to wait for what was changed again meanwhile.
    used: seconds of CPU that count against its share, at the time ``at``.
    """

    running: bool = False
    place: int | None = None
    since: float | None = None
    used: float = 0.0
    at: float = -math.inf


@dataclass(frozen=True)
class Waiting:
    """Why a run waits. place: in the queue, from 1. own: whether for the reader's earlier run.

    seconds: until the reader's share allows it, else 0.
    """

    place: int
    own: bool = False
    seconds: float = 0.0


@dataclass(eq=False)
class _Ticket:
    reader: Reader
    number: int
    since: float
    granted: threading.Event = field(default_factory=threading.Event)


class Turns:
    """Gives runs their turn. A reader has one at a time."""

    def __init__(
        self,
        most: int,
        share: Share = SHARE,
        patience: float = PATIENCE,
        again: float = AGAIN,
        clock: Callable[[], float] = time.monotonic,
        cpu: Callable[[], float] = time.thread_time,
    ) -> None:
        """most: runs at once. patience: seconds until a reader is told, and ``again`` after that.

        clock, cpu: the time, and the CPU time of the present thread, in seconds.
        """
        self.most, self.share = most, share
        self._patience, self._again, self._clock, self._cpu = patience, again, clock, cpu
        self._lock = threading.Lock()
        self._queue: list[_Ticket] = []  # by number
        self._running = 0
        self._numbers = itertools.count()
        # The last two readers who had a turn, and when: enough to know whether there is another.
        self._seen: list[tuple[Reader, float]] = []

    @contextmanager
    def turn(self, reader: Reader, told: Callable[[Waiting], None]) -> Iterator[None]:
        """Wait for a turn, have it, and give it back however the block ends.

        told: called in this thread while the run waits, first after ``patience``; what it raises
        ends the wait, and the reader's next run takes over the place.
        """
        ticket = self._join(reader)
        begun = None
        try:
            tell = ticket.since + self._patience
            pause = max(0.0, tell - self._clock())
            while not ticket.granted.wait(min(pause, self._until_share(ticket.reader))):
                waiting = self._look(ticket)
                pause = tell - self._clock()
                if pause <= 0:
                    if waiting is not None:
                        told(waiting)
                    pause = self._again
            begun = self._cpu()
            yield
        finally:
            self._leave(ticket, begun)

    def counts(self) -> tuple[int, int]:
        """How many runs are being computed, and how many wait."""
        with self._lock:
            return self._running, len(self._queue)

    def _join(self, reader: Reader) -> _Ticket:
        with self._lock:
            known = [one.number for one in self._queue if one.reader is reader]
            if reader.place is not None:
                known.append(reader.place)
            if reader.since is None:
                reader.since = self._clock()
            ticket = _Ticket(reader, min(known, default=next(self._numbers)), reader.since)
            insort(self._queue, ticket, key=lambda one: one.number)
            self._admit()
        return ticket

    def _look(self, ticket: _Ticket) -> Waiting | None:
        """Why a ticket still waits; None if it does not any more."""
        with self._lock:
            self._admit()
            if ticket not in self._queue:
                return None
            now = self._clock()
            before = self._queue[: self._queue.index(ticket)]
            ahead = {one.reader for one in before if self._seconds(one.reader, now) <= 0}
            return Waiting(
                len(ahead - {ticket.reader}) + 1,
                ticket.reader.running,
                max(0.0, self._seconds(ticket.reader, now)),
            )

    def _until_share(self, reader: Reader) -> float:
        """Seconds until nothing but other runs keeps a reader waiting; infinite if so already."""
        with self._lock:
            seconds = self._seconds(reader, self._clock())
        return seconds if seconds > 0 else math.inf

    def _admit(self) -> None:
        """Give free turns to the first in the queue who may have one."""
        now = self._clock()
        for ticket in [*self._queue]:
            if self._running >= self.most:
                return
            reader = ticket.reader
            if reader.running or self._seconds(reader, now) > 0:
                continue
            self._queue.remove(ticket)
            self._running += 1
            reader.running, reader.place, reader.since = True, None, None
            self._see(reader, now)
            ticket.granted.set()

    def _leave(self, ticket: _Ticket, begun: float | None) -> None:
        with self._lock:
            reader, now = ticket.reader, self._clock()
            if begun is None:
                reader.place = ticket.number
            else:
                reader.used = self._owed(reader, now) + self._cpu() - begun
                reader.at = now
            if ticket in self._queue:
                self._queue.remove(ticket)
            else:
                self._running -= 1
                reader.running = False
                self._see(reader, now)
            self._admit()

    def _see(self, reader: Reader, now: float) -> None:
        self._seen = [(reader, now), *(one for one in self._seen if one[0] is not reader)][:2]

    def _owed(self, reader: Reader, now: float) -> float:
        """What is left of a reader's CPU time after what has been forgiven since."""
        forgiven = (now - reader.at) * self.share.cpu_seconds / self.share.seconds
        return max(0.0, reader.used - forgiven)

    def _seconds(self, reader: Reader, now: float) -> float:
        """Until a reader is within their share; at most 0 for whoever is alone on the server."""
        others = (at for other, at in self._seen if other is not reader)
        if max(others, default=-math.inf) < now - self.share.seconds:
            return 0.0
        over = self._owed(reader, now) - self.share.cpu_seconds
        return over * self.share.seconds / self.share.cpu_seconds


def number(text: str) -> int:
    """How many runs at once, as an operator types it. Raises argparse.ArgumentTypeError."""
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise argparse.ArgumentTypeError(f"{text} is not a number of runs: 1 or more")
    return int(text)


def runs_at_once() -> int:
    """The operator's number, or else ``RUNS``.

    More cores do not help one process, for Python runs on one of them at a time: start more
    processes. ``bench_load`` measures it: 60 readers of the page Image wait least with few runs.
    """
    chosen = os.environ.get(VARIABLE)
    return number(chosen) if chosen else RUNS
