"""Around a run of a page: what a reader who waits is told, what is logged and counted."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from claims import for_all
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from core.limits import SHARE
from views import run, run_log, run_stats
from views.text import LANGUAGES
from views.turns import Reader, Turns, Waiting

FRAME = Path(__file__).parents[2] / "views" / "frame.py"
SECRET = "床前明月光"


@pytest.fixture
def lines(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> Iterator[pytest.LogCaptureFixture]:
    """The log; its ``messages`` are those of runs and others of Streamlit's."""
    monkeypatch.setattr(run_log.LOGGER, "propagate", True)
    caplog.set_level(logging.INFO, run_log.LOGGER.name)
    yield caplog


def of_runs(log: pytest.LogCaptureFixture) -> list[str]:
    return [entry.getMessage() for entry in log.records if entry.name == run_log.LOGGER.name]


def opened(page: str, **query: str) -> AppTest:
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    for name, text in query.items():
        at.query_params[name] = text
    at._page_hash = calc_hash(page)  # before the first run ``switch_page`` knows no name
    return at.run()


@for_all("code", LANGUAGES)
def test_a_waiting_reader_is_told_in_their_language_and_goes_on_with_nothing_lost(code):
    busy = LANGUAGES[code].busy
    cases = {
        Waiting(3): busy.queue.format(place=3),
        Waiting(1, own=True): busy.own,
        Waiting(2, seconds=6.1): busy.share.format(seconds=7, share=round(SHARE.cpu_seconds)),
    }
    for waiting, told in cases.items():
        assert run.sentence(waiting, LANGUAGES[code]) == told


def test_a_link_that_has_to_wait_opens_as_it_would_have_at_once():
    """Interrupted while it waits, as by a change of the browser's, and then let in."""
    code = "zh"
    with pytest.MonkeyPatch.context() as patch:
        full = Turns(1, patience=0.001, again=0.001)
        patch.setattr(run, "turns", lambda: full)
        real = run.link.session

        def interrupted():
            if full.counts()[1]:
                st.stop()
            return real()

        with full.turn(Reader(), pytest.fail):
            patch.setattr(run.link, "session", interrupted)
            at = AppTest.from_file(str(FRAME), default_timeout=60)
            at.query_params["lang"] = code
            at.run()
            assert not at.title, "nothing is computed before the turn comes"
            patch.setattr(run.link, "session", real)
            assert full.counts() == (1, 0), "who has gone waits no more"
        at.run()
        assert at.title[0].value == LANGUAGES[code].home.title
        assert at.query_params["lang"] in (code, [code])
        assert full.counts() == (0, 0)


def test_what_a_waiting_reader_sees_is_gone_once_the_turn_has_come(monkeypatch):
    full, seen = Turns(1, patience=0.001, again=0.001), []
    behind = [Waiting(2), Waiting(1), Waiting(1)]  # as others before are served
    monkeypatch.setattr(full, "_look", lambda ticket: behind[len(seen)])
    monkeypatch.setattr(run, "turns", lambda: full)
    other = full.turn(Reader(), pytest.fail)
    other.__enter__()
    say = st.delta_generator.DeltaGenerator.markdown

    def said(self, text, **settings):
        if full.counts()[1]:
            seen.append(text)
            if len(seen) == 2:
                other.__exit__(None, None, None)
        return say(self, text, **settings)

    monkeypatch.setattr(st.delta_generator.DeltaGenerator, "markdown", said)
    at = AppTest.from_file(str(FRAME), default_timeout=60)
    at.query_params["lang"] = "zh"
    at.run()
    assert not at.exception
    assert seen == [LANGUAGES["zh"].busy.queue.format(place=place) for place in (2, 1)]
    assert at.title
    assert not {*seen} & {element.value for element in at.markdown}


def test_the_log_has_the_page_the_time_and_the_refusal_and_nothing_of_the_reader(lines):
    at = opened("sentence", model="seeded", text=SECRET, lang="en")
    at.text_input(key="text").set_value(SECRET * 500).run()
    words = [dict(part.split("=") for part in line.split()[1:]) for line in of_runs(lines)]
    assert [word["result"] for word in words] == ["done", "refused:text_too_long"]
    for word in words:
        assert word.keys() == {"page", "ms", "waited_ms", "cpu_ms", "result"}
        assert word["page"] == "sentence"
        assert int(word["ms"]) >= int(word["waited_ms"]) >= 0


def test_a_run_that_fails_or_is_interrupted_is_logged_and_gives_its_turn_back(lines, monkeypatch):
    broken = {}
    monkeypatch.setattr(run.link, "begin", lambda page: broken["by"]())

    def fail():
        raise KeyError(SECRET)

    for by in (fail, st.stop):
        broken["by"] = by
        AppTest.from_file(str(FRAME), default_timeout=60).run()
        assert run.turns().counts() == (0, 0)
    told = of_runs(lines)
    assert [line.rpartition("=")[2] for line in told] == ["failed:KeyError", "interrupted"]
    assert SECRET not in "".join(told)


def test_a_server_logs_to_stderr_only_when_it_is_asked_to(monkeypatch, capsys):
    logger = logging.getLogger("attention_microscope.test")
    monkeypatch.setattr(run_log, "LOGGER", logger)
    for value, handlers in (("", 0), ("0", 0), ("1", 1), ("1", 1)):
        monkeypatch.setenv(run_log.VARIABLE, value)
        run_log.start()
        assert len(logger.handlers) == handlers, value
    logger.handlers[0].setStream(sys.stderr)
    run_log.log("home", 0.25, 0.1, 0.05, "done")
    out, err = capsys.readouterr()
    assert not out
    assert err.endswith(" run page=home ms=250 waited_ms=100 cpu_ms=50 result=done\n")


def test_the_metrics_count_runs_by_their_end_and_by_how_long_they_took_and_waited():
    stats = run_stats.RunStats(lambda: (2, 5))
    stats.add(0.3, 0.0, "done")
    stats.add(7.0, 6.0, "done")
    stats.add(0.04, 0.0, "refused:text_too_long")
    told = {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
        for family in stats.get_stats().values()
        for stat in family
        for line in stat.to_metric_str().splitlines()
    }
    expected = {
        'attention_runs_total{result="done"}': 2,
        'attention_runs_total{result="refused"}': 1,
        "attention_runs_active": 2,
        "attention_runs_waiting": 5,
        'attention_run_seconds_bucket{le="0.05"}': 1,
        'attention_run_seconds_bucket{le="0.5"}': 2,
        'attention_run_seconds_bucket{le="5.0"}': 2,
        'attention_run_seconds_bucket{le="+Inf"}': 3,
        "attention_run_seconds_sum": 7.34,
        "attention_run_seconds_count": 3,
        "attention_wait_seconds_sum": 6,
    }
    assert {name: told[name] for name in expected} == pytest.approx(expected)
    assert stats.get_stats(["attention_runs_active"]).keys() == {"attention_runs_active"}
