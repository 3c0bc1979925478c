"""Runs at once are bounded, in order, and nobody who goes away keeps a place."""

import threading
import time
from contextlib import contextmanager

import pytest
from claims import for_all

from core.limits import Share
from views.turns import AGAIN, PATIENCE, Reader, Turns, Waiting


class Left(Exception):
    """The reader changed their mind or closed the tab."""


class Run:
    """A run in a thread of its own: it enters, and ends when it is told to."""

    def __init__(self, turns, reader, order):
        self.entered, self.end, self.waits = (threading.Event() for _ in range(3))
        self.leave, self.said, self.left = False, [], False
        self.thread = threading.Thread(target=self.live, args=(turns, reader, order), daemon=True)
        self.thread.start()

    def live(self, turns, reader, order):
        def told(waiting):
            self.said.append(waiting)
            self.waits.set()
            if self.leave:
                raise Left

        try:
            with turns.turn(reader, told):
                order.append(self)
                self.entered.set()
                assert self.end.wait(20)
                if self.leave:
                    raise Left
        except Left:
            self.left = True

    def finish(self):
        self.end.set()
        self.thread.join(20)
        assert not self.thread.is_alive()


def quick(most, **changed):
    return Turns(most, **{"patience": 0.0, "again": 0.001} | changed)


def queued(turns, *readers):
    """Runs that came one after the other; those beyond the bound wait."""
    order, runs = [], []
    for reader in readers:
        runs.append(Run(turns, reader, order))
        assert (runs[-1].entered if sum(turns.counts()) <= turns.most else runs[-1].waits).wait(20)
    return order, runs


def test_never_more_than_the_bound_and_in_the_order_in_which_they_came():
    turns = quick(2)
    order, runs = queued(turns, *(Reader() for _ in range(7)))
    for ended, run in enumerate(runs):
        assert run.entered.wait(20)
        assert turns.counts() == (min(2, 7 - ended), max(0, 5 - ended))
        run.finish()
        assert all(later.entered.wait(20) for later in runs[: ended + 3])
    assert order == runs
    assert turns.counts() == (0, 0)


def test_a_reader_hears_after_two_seconds_where_they_stand_and_again_when_that_changes():
    assert (PATIENCE, AGAIN) == (2.0, 1.0)
    turns = quick(1)
    _, (first, second, third) = queued(turns, Reader(), Reader(), Reader())
    assert not first.said
    assert (second.said[0], third.said[0]) == (Waiting(1), Waiting(2))
    first.finish()
    third.waits.clear()
    while third.said[-1] != Waiting(1):
        assert third.waits.wait(20)
        third.waits.clear()
    second.finish()
    third.finish()
    long = Turns(1, patience=60)
    with long.turn(Reader(), pytest.fail):  # whoever need not wait hears nothing
        pass


@for_all("running", [True, False])
def test_whoever_leaves_gives_back_the_turn_or_the_place(running):
    turns = quick(1)
    _, (first, second, third) = queued(turns, Reader(), Reader(), Reader())
    gone = first if running else second
    gone.leave = True
    gone.finish()
    assert gone.left
    if not running:
        first.finish()
    assert (second if running else third).entered.wait(20)
    for run in (second, third):
        run.finish()
    assert turns.counts() == (0, 0)


def test_a_reader_who_changes_their_mind_while_waiting_keeps_the_place():
    turns, reader = quick(1), Reader()
    order, (first, before, behind) = queued(turns, Reader(), reader, Reader())
    before.leave = True
    before.finish()
    after = Run(turns, reader, order)
    assert after.waits.wait(20)
    assert after.said[0] == Waiting(1)
    for run in (first, after, behind):
        run.finish()
    assert order == [first, after, behind]


def test_whoever_changes_again_and_again_while_waiting_is_told_all_the_same():
    turns = Turns(1, patience=60, again=0.001, clock=lambda: 100.0)
    with turns.turn(Reader(), pytest.fail):
        run = Run(turns, Reader(since=30.0), [])
        assert run.waits.wait(20), "it has waited for 70 s, in several runs"
    run.finish()


def test_a_reader_has_one_run_at_a_time_and_others_go_by():
    turns, reader = quick(3), Reader()
    order = []
    first, again = (Run(turns, reader, order) for _ in range(2))
    assert first.entered.wait(20) or again.entered.wait(20)
    first, again = (first, again) if first.entered.is_set() else (again, first)
    assert again.waits.wait(20)
    assert again.said[0].own
    other = Run(turns, Reader(), order)
    assert other.entered.wait(20)
    for run in (first, again, other):
        run.finish()
    assert order == [first, other, again]


class Clock:
    """now: the time. used: the CPU time of every thread."""

    now = used = 0.0


@contextmanager
def had(turns, reader, clock, cpu):
    with turns.turn(reader, lambda waiting: pytest.fail(f"{waiting}")):
        clock.used += cpu
    yield


def test_only_beside_others_is_a_reader_held_to_30_seconds_of_computing_a_minute():
    clock = Clock()
    turns = quick(4, share=Share(30, 60), clock=lambda: clock.now, cpu=lambda: clock.used)
    greedy, other = Reader(), Reader()
    for _ in range(5):  # alone: 100 s of computing at once
        with had(turns, greedy, clock, 20.0):
            pass
    with had(turns, other, clock, 0.1):
        pass
    said = []

    def told(waiting):
        said.append(waiting)
        clock.now += 10

    with turns.turn(greedy, told):
        pass
    # 100 s are 70 above the share, and half a second is given back in each second; after a minute
    # without anybody else there is nobody to give way to.
    assert [waiting.seconds for waiting in said] == pytest.approx([140, 130, 120, 110, 100, 90, 80])
    clock.now = 140
    with had(turns, other, clock, 0.0), had(turns, greedy, clock, 0.0):
        pass


def test_a_run_above_the_share_goes_on_as_soon_as_the_share_allows_it():
    turns = Turns(2, share=Share(30, 60), patience=60)
    greedy = Reader(used=30.05, at=time.monotonic())  # a tenth of a second too much
    with turns.turn(Reader(), pytest.fail):
        run = Run(turns, greedy, [])
        assert run.entered.wait(20)
    run.finish()
