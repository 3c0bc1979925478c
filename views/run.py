"""One run of a page: it waits for its turn, says so if that is long, and is counted and logged."""

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import TracebackType

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import RerunException, StopException

from views import link, run_log
from views.numbers import whole
from views.preferences import words
from views.run_stats import RunStats
from views.text import LANGUAGES, Words
from views.turns import Reader, Turns, Waiting, runs_at_once


@cache
def turns() -> Turns:
    """Of all readers of this process."""
    return Turns(runs_at_once())


@cache
def stats() -> RunStats:
    """Of all readers of this process."""
    return RunStats(lambda: turns().counts())


@dataclass
class Refused:
    """error: the code of the error by which the present run refused its input; or empty."""

    error: str = ""


def note_refusal(code: str) -> None:
    """For the log: the present run refuses its input. code: of the error."""
    link.remembered(Refused).error = code


@contextmanager
def one_run(page: str) -> Iterator[None]:
    """Wait for a turn, and give it back at the end. Draws one element, empty unless the run waits.

    page: its name in the URL.
    """
    slot = st.empty()
    places: list[DeltaGenerator] = []  # of the sentence, once there is one
    said = ""

    def told(waiting: Waiting) -> None:
        nonlocal said
        link.session()  # Streamlit interrupts a run where it reads its state
        text = sentence(waiting, language_ahead())
        if not places:
            places.append(slot.container(key="busy").empty())
        if text != said:
            places[0].markdown(text)
            said = text

    with (
        _Record(page, link.remembered(Refused)) as record,
        turns().turn(link.remembered(Reader), told),
    ):
        record.turn_came()
        if places:
            slot.empty()
        yield


def sentence(waiting: Waiting, words: Words) -> str:
    """Why a run waits, and when it goes on."""
    busy = words.busy
    if waiting.seconds:
        share = whole(turns().share.cpu_seconds)
        return busy.share.format(seconds=math.ceil(waiting.seconds), share=share)
    return busy.own if waiting.own else busy.queue.format(place=waiting.place)


def language_ahead() -> Words:
    """The reader's language before the run has begun: of the control, or else of the link."""
    asked = st.session_state.get("lang") or st.query_params.get("lang")
    return LANGUAGES.get(str(asked)) or words()


class _Record:
    """Logs and counts a run when it ends, however it ends."""

    def __init__(self, page: str, refused: Refused) -> None:
        self.page, self.refused = page, refused
        refused.error = ""

    def __enter__(self) -> "_Record":
        self.begun, self.cpu, self.waited = time.monotonic(), time.thread_time(), 0.0
        self.waits = True
        return self

    def turn_came(self) -> None:
        """The run does not wait any more."""
        self.waited, self.waits = time.monotonic() - self.begun, False

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        seconds = time.monotonic() - self.begun
        waited = seconds if self.waits else self.waited
        result = self._result(kind)
        run_log.log(self.page, seconds, waited, time.thread_time() - self.cpu, result)
        stats().add(seconds, waited, result)

    def _result(self, kind: type[BaseException] | None) -> str:
        if kind is None:
            return f"refused:{self.refused.error}" if self.refused.error else "done"
        interrupted = issubclass(kind, RerunException | StopException)
        return "interrupted" if interrupted else f"failed:{kind.__name__}"
