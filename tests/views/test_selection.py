"""The selected cell and the selected step."""

import pytest
from choosing import act, arrive, look
from shown_traces import TRACES, crossed, sentence

from views import link, selection
from views.selection import Selection, chosen_stage


def test_a_cell_is_named_by_the_roles_of_its_stage():
    at = {"key": 4, "batch": 1, "query": 3, "head": 2}
    assert Selection("scores", at).index(sentence()["scores"]) == (1, 2, 3, 4)
    assert Selection("b_O", at).index(sentence()["b_O"]) == (0,)


def test_the_initial_cell_is_query_2_and_key_3(state):
    arrive()
    assert look(sentence(), "scores") == (0, 0, 1, 2)
    arrive()
    assert look(sentence(), "head_output") == (0, 0, 1, 0)


def test_a_position_beyond_the_end_is_reported_and_the_first_one_used(state):
    arrive(row="8", column="7", head="4")
    assert look(sentence(), "scores") == (0, 0, 1, 6)
    assert link.session().nonsense == {"row": "8", "head": "4"}


def test_query_and_key_are_preserved_between_steps_and_rows_and_columns_follow(state):
    arrive(row="5", column="9")
    trace = crossed()
    assert look(trace, "scores") == (0, 0, 4, 8)
    act()
    assert look(trace, "K") == (0, 0, 8, 0)
    assert (state["row"], state["column"]) == (9, 1)
    assert look(trace, "Q") == (0, 0, 4, 0)
    assert look(trace, "head_output") == (0, 0, 4, 0)
    assert look(trace, "X") == (0, 4, 0)
    assert look(trace, "memory") == (0, 8, 0)
    assert look(trace, "weights") == (0, 0, 4, 8)


def test_a_changed_row_becomes_the_selection(state):
    arrive()
    look(sentence(), "scores")
    act()
    state["row"] = 6
    assert look(sentence(), "scores") == (0, 0, 5, 2)
    assert look(sentence(), "concat") == (0, 5, 0)


def test_the_initial_patch_is_in_the_middle(state, square):
    arrive()
    assert look(square, "patches") == (0, 4, 0, 0, 0)
    arrive()
    assert look(square, "scores") == (0, 0, 5, 5)


def test_a_patch_and_its_token_are_selected_together(state, square):
    arrive()
    look(square, "scores")
    act()
    selection.choose_patch(7)
    assert look(square, "scores")[2] == 8
    assert look(square, "patches")[1] == 7
    assert look(square, "flattened")[1] == 7
    selection.choose_token(0)
    assert look(square, "scores")[2] == 0
    assert look(square, "patches")[1] == 7  # [CLS] is none
    selection.choose_token(3)
    assert look(square, "scores")[2] == 3
    assert look(square, "embedding")[1] == 2


STEPS = (
    "tokens", "embedding", "position", "X", "Q", "K", "V", "scores", "scaled", "masked", "weights",
    "dropped", "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip


def step(trace, first="scores"):
    return chosen_stage(trace, STEPS, first)


def test_an_existing_step_is_shown(state):
    arrive(stage="masked")
    assert step(sentence()) == ("masked", "")
    arrive(stage="W_Q")  # on the map, though not on the stepper
    assert step(sentence()) == ("W_Q", "")
    arrive()
    assert step(sentence(), "weights") == ("weights", "")
    assert link.session().nonsense == {}


def test_an_older_link_that_names_a_stage_by_its_former_key_leads_to_that_stage(state):
    lost = [key for key in selection.RENAMED.values() if key not in sentence()]
    assert not lost
    for former, key in selection.RENAMED.items():
        arrive(stage=former)
        assert step(sentence()) == (key, "")
        assert state["stage"] == key
        assert link.session().nonsense == {}


@pytest.mark.parametrize("drawn", ["tokens", "X", "weights", "W_O"])
@pytest.mark.parametrize("asked", ["masked", "dropped", "normalised"])
def test_choosing_an_absent_step_keeps_the_current_one(state, asked, drawn):
    arrive()
    step(TRACES["plain"]())
    act()
    link.remembered(selection.SelectionState).drawn = drawn
    state["stage"] = asked
    assert step(TRACES["plain"]()) == (drawn, asked)
    assert state["stage"] == drawn
    assert step(TRACES["plain"]()) == (drawn, "")


@pytest.mark.parametrize(
    ("asked", "shown"), [("masked", "scaled"), ("dropped", "weights"), ("normalised", "output")]
)
def test_a_link_to_a_step_that_the_trace_lacks_leads_to_the_last_one_before_it(state, asked, shown):
    link.remembered(selection.SelectionState).drawn = "X"
    arrive(stage=asked)
    assert step(TRACES["plain"]()) == (shown, asked)
    assert state["stage"] == shown
    assert link.session().nonsense == {}


def test_a_step_that_disappears_is_replaced_by_the_one_before(state):
    arrive(stage="dropped")
    step(sentence())
    act()
    link.remembered(selection.SelectionState).drawn = "dropped"
    assert step(TRACES["plain"]()) == ("weights", "dropped")
    link.remembered(selection.SelectionState).drawn = state["stage"] = (
        "b_Q"  # no step of the stepper: to the first
    )
    assert step(TRACES["plain"]()) == ("scores", "")


def test_a_step_that_no_trace_has_is_invalid_in_a_link(state):
    arrive(stage="score")
    assert step(sentence(), "weights") == ("weights", "")
    assert link.session().nonsense == {"stage": "score"}
