"""Concurrent runs are limited and admitted in order; one that ends or gives up admits the next."""

import threading

import pytest
from claims import for_all

from views.server.run import FIRST_REPORT, NEXT_REPORT, RunQueue


class Interrupted(Exception):
    """The reader changed an input or closed the tab."""


class Run:
    """A run in a thread of its own, until ``finish``."""

    def __init__(self, queue, session, order):
        self.admitted, self.end, self.reported = (threading.Event() for _ in range(3))
        self.interrupt, self.reports = False, []
        self.thread = threading.Thread(target=self.live, args=(queue, session, order), daemon=True)
        self.thread.start()

    def live(self, queue, session, order):
        def report(position):
            self.reports.append(position)
            self.reported.set()
            if self.interrupt:
                raise Interrupted

        try:
            with queue.run(session, report):
                order.append(self)
                self.admitted.set()
                assert self.end.wait(20)
                if self.interrupt:
                    raise Interrupted
        except Interrupted:
            pass

    def finish(self, interrupt=False):
        self.interrupt = interrupt
        self.end.set()
        self.thread.join(20)
        assert not self.thread.is_alive()

    def await_report(self, position):
        while not self.reports or self.reports[-1] != position:
            self.reported.clear()
            assert self.reported.wait(20)


def started(queue, *sessions):
    """Runs started in this order; those beyond the limit wait."""
    order, runs = [], []
    for session in sessions:
        runs.append(Run(queue, session, order))
        event = runs[-1].admitted if len(runs) <= queue.limit else runs[-1].reported
        assert event.wait(20)
    return order, runs


@pytest.fixture
def queue():
    """A queue with a limit of one run, which reports waiting runs immediately and repeatedly."""
    return RunQueue(1, first_report=0.001)


def test_runs_are_admitted_up_to_the_limit_and_in_order():
    order, runs = started(RunQueue(2, first_report=0.001), *"abcdefg")
    for ended, run in enumerate(runs):
        assert all(one.admitted.wait(20) for one in runs[: ended + 2])
        assert len(order) == min(ended + 2, 7)
        if runs[ended + 2 :]:
            runs[ended + 2].await_report(1)
        run.finish()
    assert order == runs


def test_a_run_that_waits_reports_its_position_and_again_when_it_changes(queue):
    assert (FIRST_REPORT, NEXT_REPORT) == (2.0, 1.0)
    _, (first, second, third) = started(queue, *"abc")
    assert not first.reports
    assert (second.reports[0], third.reports[0]) == (1, 2)
    first.finish()
    third.await_report(1)
    for run in (second, third):
        run.finish()
    with RunQueue(1).run("a", pytest.fail):  # a run that need not wait reports nothing
        pass


@for_all("running", [True, False])
def test_the_next_run_is_admitted_when_one_is_interrupted(running):
    queue = RunQueue(1, first_report=0.001)
    order, (first, second, third) = started(queue, *"abc")
    (first if running else second).finish(interrupt=True)
    if not running:
        first.finish()
        assert third.admitted.wait(20)
    for run in (second, third):
        run.finish()
    assert order == ([first, second, third] if running else [first, third])


def test_a_new_run_of_a_session_takes_over_the_position_of_the_one_that_waits(queue):
    order, (first, before, other) = started(queue, *"abc")
    after = Run(queue, "b", order)
    after.await_report(1)
    before.finish(interrupt=True)
    for run in (first, after, other):
        run.finish()
    assert order == [first, after, other]


def test_a_session_computes_one_run_at_a_time_and_others_pass_it():
    queue = RunQueue(3, first_report=0.001)
    order, (first,) = started(queue, "a")
    again = Run(queue, "a", order)
    again.await_report(0)
    other = Run(queue, "b", order)
    assert other.admitted.wait(20)
    for run in (first, again, other):
        run.finish()
    assert order == [first, other, again]
