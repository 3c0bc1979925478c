"""One run of a page: it waits in the queue, says so if that is long, and is logged."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.logger import get_logger
from streamlit.runtime.scriptrunner import get_script_run_ctx

from views import link
from views.preferences import words
from views.server.queue import RunQueue
from views.text import LANGUAGES, Words

LOG = "ATTENTION_MICROSCOPE_LOG"


@cache
def queue() -> RunQueue:
    """Of all sessions of this process."""
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
        link.session()  # Streamlit interrupts a run where it reads its state
        if not messages:
            messages.append(slot.container(key="busy").empty())
        busy = language_ahead().busy
        messages[0].markdown(busy.queue.format(place=position) if position else busy.own)

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
    """Whether the operator asked for a line for each run: a server logs, a laptop stays quiet."""
    return os.environ.get(LOG, "0") not in ("", "0")


def language_ahead() -> Words:
    """The reader's language before the run has begun: of the control, or else of the link."""
    asked = st.session_state.get("lang") or st.query_params.get("lang")
    return LANGUAGES.get(str(asked)) or words()
