"""Which cell is looked at, and which step."""

import pytest
from choosing import act, arrive, look
from shown_traces import TRACES, crossed, sentence

from core import Trace
from views import link, selection
from views.selection import Selection, chosen_stage


def test_a_cell_is_named_by_the_roles_of_its_stage():
    at = {"key": 4, "batch": 1, "query": 3, "head": 2}
    assert Selection("scores", at).index(sentence()["scores"]) == (1, 2, 3, 4)
    assert Selection("b_O", at).index(sentence()["b_O"]) == (0,)


def test_the_first_look_is_from_the_second_word_at_the_third(state):
    arrive()
    assert look(sentence(), "scores") == (0, 0, 1, 2)
    arrive()
    assert look(sentence(), "head_output") == (0, 0, 1, 0)


def test_a_link_counts_from_1(state):
    arrive(row="5", column="7", head="2", sample="2")
    assert look(sentence(), "scores") == (1, 1, 4, 6)


def test_a_position_beyond_the_end_is_reported_and_the_first_one_used(state):
    arrive(row="8", column="7", head="4")
    assert look(sentence(), "scores") == (0, 0, 1, 6)
    assert link.session().nonsense == {"row": "8", "head": "4"}


def test_a_query_stays_the_query_and_a_key_the_key_on_whichever_side_they_are(state):
    arrive(row="5", column="9")
    trace = crossed()
    assert look(trace, "scores") == (0, 0, 4, 8)
    act()
    assert look(trace, "K") == (0, 0, 8, 0)
    assert look(trace, "Q") == (0, 0, 4, 0)
    assert look(trace, "head_output") == (0, 0, 4, 0)
    assert look(trace, "X") == (0, 4, 0)
    assert look(trace, "memory") == (0, 8, 0)
    assert look(trace, "weights") == (0, 0, 4, 8)


def test_the_pickers_show_where_the_choice_has_gone(state):
    arrive(row="5", column="9")
    look(crossed(), "scores")
    act()
    look(crossed(), "K")
    assert (state["row"], state["column"]) == (9, 1)


def test_a_picked_row_is_the_new_choice(state):
    arrive()
    look(sentence(), "scores")
    act()
    state["row"] = 6
    assert look(sentence(), "scores") == (0, 0, 5, 2)
    assert look(sentence(), "concat") == (0, 5, 0)


def test_a_picture_is_first_seen_from_its_middle(state, square):
    arrive()
    assert look(square, "patches") == (0, 4, 0, 0, 0)
    arrive()
    assert look(square, "scores") == (0, 0, 5, 5)


def test_a_patch_and_the_token_it_became_are_one_choice(state, square):
    arrive()
    look(square, "scores")
    act()
    selection.choose_patch(7)
    assert look(square, "scores")[2] == 8
    assert look(square, "patches")[1] == 7
    assert look(square, "flattened")[1] == 7
    selection.choose_token(3)
    assert look(square, "scores")[2] == 3
    assert look(square, "embedding")[1] == 2


def test_cls_is_no_patch_and_leaves_the_chosen_one(state, square):
    arrive()
    look(square, "scores")
    act()
    selection.choose_patch(7)
    look(square, "scores")
    selection.choose_token(0)
    assert look(square, "scores")[2] == 0
    assert look(square, "patches")[1] == 7


@pytest.mark.parametrize("choose", [selection.choose_patch, selection.choose_token])
def test_choosing_counts_as_an_action_of_the_user(state, choose):
    link.session().touched = False
    link.remembered(selection.Place).before = 1
    choose(1)
    assert link.session().touched


STEPS = (
    "tokens", "embedding", "position", "X", "Q", "K", "V", "scores", "scaled", "masked", "weights",
    "dropped", "head_output", "concat", "output", "residual", "normalised",
)  # fmt: skip


def step(trace, first="scores"):
    return chosen_stage(trace, STEPS, first)


def test_a_step_that_is_there_is_shown_and_asked_for_nothing_in_vain(state):
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
def test_a_greyed_step_keeps_the_reader_where_he_was(state, asked, drawn):
    arrive()
    step(TRACES["plain"]())
    act()
    link.remembered(selection.Place).drawn = drawn
    state["stage"] = asked
    assert step(TRACES["plain"]()) == (drawn, asked)
    assert state["stage"] == drawn
    assert step(TRACES["plain"]()) == (drawn, "")


@pytest.mark.parametrize(
    ("asked", "shown"), [("masked", "scaled"), ("dropped", "weights"), ("normalised", "output")]
)
def test_a_link_to_a_step_that_the_trace_lacks_leads_to_the_last_one_before_it(state, asked, shown):
    link.remembered(selection.Place).drawn = "X"
    arrive(stage=asked)
    assert step(TRACES["plain"]()) == (shown, asked)
    assert state["stage"] == shown
    assert link.session().nonsense == {}


def test_the_step_on_screen_may_go_because_its_option_was_switched_off(state):
    arrive(stage="dropped")
    step(sentence())
    act()
    link.remembered(selection.Place).drawn = "dropped"
    assert step(TRACES["plain"]()) == ("weights", "dropped")
    link.remembered(selection.Place).drawn = state["stage"] = (
        "b_Q"  # no step of the stepper: to the first
    )
    assert step(TRACES["plain"]()) == ("scores", "")


def test_before_the_first_step_there_is_only_the_first(state):
    arrive(stage="tokens")
    trace = Trace([stage for key, stage in sentence().items() if key in ("E", "W_Q")])
    assert step(trace, "E") == ("E", "tokens")


def test_a_step_that_no_trace_has_is_invalid_in_a_link(state):
    arrive(stage="score")
    assert step(sentence(), "weights") == ("weights", "")
    assert link.session().nonsense == {"stage": "score"}
