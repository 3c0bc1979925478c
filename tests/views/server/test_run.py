"""A run of a page: the displayed position in the queue, and the line in the log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from claims import for_all
from streamlit.logger import get_logger
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from views import link
from views.server import run
from views.server.run import RunQueue
from views.text import LANGUAGES

FRAME = Path(__file__).parents[3] / "views" / "frame.py"
SECRET = "床前明月光"
LOGGER = "attention_microscope"


@pytest.fixture
def queue(monkeypatch: pytest.MonkeyPatch) -> RunQueue:
    """Of one run at once; it reports at once that a run waits, and again and again."""
    queue = RunQueue(1, first_report=0.001)
    monkeypatch.setattr(run, "queue", lambda: queue)
    return queue


@pytest.fixture
def lines(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[pytest.LogCaptureFixture]:
    """The log, as an operator asks for it."""
    monkeypatch.setenv(run.LOG, "1")
    monkeypatch.setattr(get_logger(LOGGER), "propagate", True)
    yield caplog


def of_runs(log: pytest.LogCaptureFixture) -> list[dict[str, str]]:
    """The fields of each line."""
    messages = [entry.getMessage() for entry in log.records if entry.name == LOGGER]
    return [dict(part.split("=") for part in message.split()[1:]) for message in messages]


def frame(**query: str) -> AppTest:
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    return at


@for_all("code", LANGUAGES)
def test_a_waiting_run_shows_its_position_in_the_readers_language_until_it_begins(code):
    busy, shown = LANGUAGES[code].busy, []
    with pytest.MonkeyPatch.context() as patch:
        queue = RunQueue(1, first_report=0.001)
        patch.setattr(run, "queue", lambda: queue)
        positions = [2, 1, 0]  # as others before are served
        patch.setattr(queue, "_position", lambda session: positions[len(shown)])
        other = queue.run("other", pytest.fail)
        other.__enter__()
        markdown = st.delta_generator.DeltaGenerator.markdown

        def draw(self, text, **settings):
            if queue._waiting:
                shown.append(text)
                if len(shown) == len(positions):
                    other.__exit__(None, None, None)
            return markdown(self, text, **settings)

        patch.setattr(st.delta_generator.DeltaGenerator, "markdown", draw)
        at = frame(lang=code).run()
    assert not at.exception
    assert shown == [busy.queue.format(number=2), busy.queue.format(number=1), busy.own]
    assert at.title[0].value == LANGUAGES[code].home.title
    assert not {*shown} & {element.value for element in at.markdown}


def test_a_link_that_is_interrupted_while_it_waits_opens_as_it_would_have_at_once(
    queue, monkeypatch
):
    at = frame(lang="zh")
    with queue.run("other", pytest.fail), monkeypatch.context() as patch:
        patch.setattr(run, "language_ahead", st.stop)  # Streamlit interrupts it there
        at.run()
        assert not at.title, "nothing is computed before the run is admitted"
        assert not queue._waiting
    at.run()
    assert at.title[0].value == LANGUAGES["zh"].home.title
    assert at.query_params["lang"] in ("zh", ["zh"])


def test_the_pages_of_two_runs_are_the_same_and_not_one_object_in_which_both_would_note():
    def script():
        from views.server.pages import pages_by_name

        ours, theirs = pages_by_name("en"), pages_by_name("en")
        assert [one.title for one in ours.values()] == [one.title for one in theirs.values()]
        assert not any(ours[name] is theirs[name] for name in ours)

    assert not AppTest.from_function(script).run().exception


def test_the_log_has_the_page_and_the_times_and_nothing_of_the_reader(lines):
    at = frame(model="seeded", text=SECRET, lang="en")
    at._page_hash = calc_hash("sentence")  # before the first run ``switch_page`` knows no name
    at.run()
    (line,) = of_runs(lines)
    assert line.keys() == {"page", "ms", "waited_ms", "cpu_ms", "result"}
    assert (line["page"], line["result"]) == ("sentence", "done")
    assert int(line["ms"]) >= int(line["cpu_ms"]) > 0
    assert int(line["ms"]) > int(line["waited_ms"]) >= 0


def test_a_run_that_fails_or_is_interrupted_is_logged_and_the_next_one_admitted(
    lines, monkeypatch, queue
):
    def fail():
        raise KeyError(SECRET)

    for by in (fail, st.stop):
        with monkeypatch.context() as patch:
            patch.setattr(link, "begin", lambda page, by=by: by())
            frame().run()
        assert not queue._running
    assert [line["result"] for line in of_runs(lines)] == ["KeyError", "StopException"]


def test_runs_are_logged_only_where_the_variable_asks_for_it(monkeypatch, lines):
    for value, logged in (("", 0), ("0", 0), ("1", 1)):
        lines.clear()
        monkeypatch.setenv(run.LOG, value)
        frame().run()
        assert len(of_runs(lines)) == logged, value
    assert get_logger(LOGGER).isEnabledFor(logging.INFO)
