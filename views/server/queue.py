"""How many runs are computed at once: the others wait, first come, first served.

Python computes one thing at a time, so many runs at once would make all of them late together. A
session has one run at a time, so that whoever drags a slider leaves the other slot to others.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

RUNS = 2  # one that computes, and another so that a long one keeps nobody out
FIRST_REPORT = 2.0  # seconds until a run that waits is reported
NEXT_REPORT = 1.0


class RunQueue:
    """Lets ``limit`` runs in at once, of different sessions."""

    def __init__(self, limit: int = RUNS, first_report: float = FIRST_REPORT) -> None:
        self.limit, self._first_report = limit, first_report
        self._lock = threading.Lock()
        self._running: set[str] = set()  # sessions
        self._waiting: dict[str, threading.Event] = {}  # of each session its last run, in order

    @contextmanager
    def run(self, session: str, report: Callable[[int], None]) -> Iterator[None]:
        """Wait until the run may begin, and let the next one in when the block ends.

        A session's new run takes over the position of the one that it interrupts.
        report: called in this thread with the position while the run waits; what it raises ends
        the wait. The position counts from 1; 0 while another run of the session is computed.
        """
        admitted = threading.Event()
        with self._lock:
            self._waiting[session] = admitted
            self._admit()
        try:
            pause = self._first_report
            while not admitted.wait(pause):
                report(self._position(session))
                pause = min(pause, NEXT_REPORT)
            yield
        finally:
            with self._lock:
                if admitted.is_set():
                    self._running.remove(session)
                elif self._waiting.get(session) is admitted:
                    del self._waiting[session]
                self._admit()

    def _admit(self) -> None:
        for session in [*self._waiting]:
            if len(self._running) == self.limit:
                return
            if session not in self._running:
                self._running.add(session)
                self._waiting.pop(session).set()

    def _position(self, session: str) -> int:
        with self._lock:
            ready = [one for one in self._waiting if one not in self._running]
        return ready.index(session) + 1 if session in ready else 0
