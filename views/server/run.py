"""The queue of script runs, with a message for a run that waits, and the log of runs.

Python computes one thing at a time, so many concurrent runs would delay one another. A session has
at most one run at a time: a user who drags a slider leaves the other slot to other sessions.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.logger import get_logger
from streamlit.runtime.scriptrunner import get_script_run_ctx

from views.preferences import words
from views.text import LANGUAGES, Words

LOG = "ATTENTION_MICROSCOPE_LOG"
RUNS = 2  # one that computes, and another that a long one does not delay
FIRST_REPORT = 2.0  # seconds until a run that waits is reported
NEXT_REPORT = 1.0


class RunQueue:
    """Admits up to ``limit`` runs at once, of different sessions, in the order of their arrival."""

    def __init__(self, limit: int = RUNS, first_report: float = FIRST_REPORT) -> None:
        self.limit, self._first_report = limit, first_report
        self._lock = threading.Lock()
        self._running: set[str] = set()  # sessions
        self._waiting: dict[str, threading.Event] = {}  # of each session its last run, in order

    @contextmanager
    def run(self, session: str, report: Callable[[int], None]) -> Iterator[None]:
        """Wait until the run is admitted, and admit the next one when the block ends.

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


@cache
def queue() -> RunQueue:
    """The queue of all sessions of this process."""
    return RunQueue()


@contextmanager
def one_run(page: str) -> Iterator[None]:
    """Wait in the queue, run the block and log it. Draws one element, empty unless the run waits.

    page: its name in the URL.
    """
    slot, context = st.empty(), get_script_run_ctx()
    assert context is not None, "a page runs in a session"
    messages: list[DeltaGenerator] = []

    def report(position: int) -> None:
        busy = language_ahead().busy  # Streamlit interrupts a run where it reads its state
        if not messages:
            messages.append(slot.container(key="busy").empty())
        messages[0].markdown(busy.queue.format(number=position) if position else busy.own)

    begun, cpu, admitted = time.monotonic(), time.thread_time(), None
    try:
        with queue().run(context.session_id, report):
            admitted = time.monotonic()
            if messages:
                slot.empty()
            yield
    finally:
        if log_enabled():
            end, error = time.monotonic(), sys.exc_info()[0]
            get_logger("attention_microscope").info(
                "run page=%s ms=%d waited_ms=%d cpu_ms=%d result=%s",
                page, 1000 * (end - begun), 1000 * ((admitted or end) - begun),
                1000 * (time.thread_time() - cpu), error.__name__ if error else "done",
            )  # fmt: skip


def log_enabled() -> bool:
    """Whether each run writes a line to the log, as ``--log`` asks."""
    return os.environ.get(LOG, "0") not in ("", "0")


def language_ahead() -> Words:
    """The reader's language before the run has begun: of the control, or else of the link."""
    code = st.session_state.get("lang") or st.query_params.get("lang")
    return LANGUAGES.get(str(code)) or words()
