"""Selections that the browser sends are stored in the session."""

import pytest
from choosing import act, arrive, look
from shown_traces import sentence

from views import link, selection
from views.selection import chosen_cell


def rest(stage="weights", head=1, locked=False, presenting=False, moves=3, sheet=None, **positions):
    selection.apply_browser_selection(
        {"stage": stage, "head": head, "positions": positions, "locked": locked,
         "presenting": presenting, "moves": moves, "sheet": sheet, "framed": False}
    )  # fmt: skip


def test_a_browser_selection_becomes_the_selection(state):
    arrive()
    look(sentence(), "scores")
    act()
    rest(query=5, key=3, locked=True)
    assert (state["stage"], state["head"]) == ("weights", 2)
    assert chosen_cell(sentence(), "weights").index(sentence()["weights"]) == (0, 1, 5, 3)
    assert (state["row"], state["column"]) == (6, 4)
    assert chosen_cell(sentence(), "weights").locked
    assert not chosen_cell(sentence(), "weights").presenting


@pytest.mark.parametrize("locked", [True, False])
def test_locked_and_presenting_follow_the_browser(state, locked):
    arrive(lock="" if locked else "1", present="" if locked else "1")
    look(sentence(), "scores")
    act()
    rest(locked=locked, presenting=not locked)
    found = chosen_cell(sentence(), "weights")
    assert (found.locked, found.presenting) == (locked, not locked)


def test_a_browser_selection_sets_its_axes_and_keeps_the_others(state, square):
    arrive()
    look(square, "scores")
    act()
    rest(stage="Q", query=7)
    assert look(square, "Q")[2] == 7
    assert look(square, "patches")[1] == 6
    assert look(square, "weights") == (0, 1, 7, 5)


def test_a_position_out_of_range_is_clipped(state):
    arrive()
    look(sentence(), "scores")
    act()
    rest(query=-4, key=900)
    assert look(sentence(), "weights") == (0, 1, 0, 6)


def test_a_browser_selection_is_a_user_action_and_counts_moves(state):
    arrive()
    look(sentence(), "scores")
    act()
    link.session().touched = False
    rest(moves=12)
    assert link.session().touched
    assert link.remembered(selection.SelectionState).moves == 12
    assert link.remembered(selection.SelectionState).positions["query"] == 1


def test_an_empty_message_changes_nothing(state):
    arrive(stage="scores", row="2")
    look(sentence(), "scores")
    before = dict(state)
    selection.apply_browser_selection(None)
    assert dict(state) == before
    assert not link.session().touched
