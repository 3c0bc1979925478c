import numpy as np
import pytest
from claims import for_all
from shown_traces import TRACES

from core import Axis, Stage, Trace, UnknownStage, explain, trace_of
from core.nested import EARLIER, as_input, attention_alone, compose, one_head, parts, subtrace
from core.rules import Activation, Constant, Given, Operand, Product, Sum

A = np.arange(6.0).reshape(2, 3)
ROW, J = Axis("i", "n"), Axis("j", "m")


def first_part() -> Trace:
    given = Stage("a", "a", A, (ROW, J), Given("parameter"))
    ids = Stage("ids", "ids", np.array([1, 0]), (ROW,), Given("input"))
    swapped = Stage(
        "swapped", "s", A[[1, 0]], (ROW, J), Operand("a", (("look_up", "ids", ("i",)), "j"))
    )
    return Trace([given, ids, swapped])


def second_part() -> Trace:
    x = Stage("X", "X", A[[1, 0]], (ROW, J), Given("earlier"))
    rule = Activation("relu", Sum((Operand("X", ("i", "j")), Product((Constant(-4.0, "c"),)))))
    return Trace([x, Stage("b", "b", np.maximum(A[[1, 0]] - 4, 0), (ROW, J), rule)])


@pytest.fixture
def model() -> Trace:
    return compose({"one": first_part(), "two/deep": second_part()}, {"two/deep/X": "one/swapped"})


def test_a_key_is_the_path_of_its_part_and_its_own_name(model):
    assert tuple(model) == ("one/a", "one/ids", "one/swapped", "two/deep/X", "two/deep/b")
    assert parts(model) == ("one", "two/deep")


def test_edges_connect_a_cell_to_the_part_before(model):
    made = explain(model, "two/deep/b", (0, 2)).made_by
    assert (made.operation, made.value) == ("activation", 1.0)
    cell = made.parts[0].parts[0]
    assert (cell.address.stage, cell.address.index) == ("two/deep/X", (0, 2))
    copied = explain(model, "two/deep/X", (0, 2)).made_by
    assert (copied.address.stage, copied.value) == ("one/swapped", 5.0)
    assert explain(model, "one/swapped", (0, 2)).made_by.address.index == (1, 2)


def test_the_subtrace_of_a_part_is_the_trace_from_which_the_whole_was_composed(model):
    alone = subtrace(model, "one")
    assert tuple(alone) == tuple(first_part())
    for key, stage in first_part().items():
        assert alone[key].rule == stage.rule
        np.testing.assert_array_equal(alone[key].tensor, stage.tensor)


def test_the_input_of_a_subtrace_is_given_as_computed_earlier(model):
    assert subtrace(model, "two/deep")["X"].rule == Given("earlier")


def test_the_error_for_an_unknown_path_lists_the_known_paths(model):
    with pytest.raises(UnknownStage, match=r"no part 'two/flat'; this trace has one, two/deep"):
        subtrace(model, "two/flat")


def test_trained_weights_are_distinguished_from_others():
    model = compose({"one": first_part()}, {}, parameter="trained")
    assert model["one/a"].rule == Given("trained")
    assert model["one/ids"].rule == Given("input")


def test_as_input_changes_the_roles_only():
    stage = Stage("b", "b", A, (Axis("query", "n", ("p", "q")), J), Given("input"))
    taken = as_input(stage, "X", ("token", "j"))
    assert taken.roles == ("token", "j")
    assert taken.axes[0].names() == ("p", "q")
    assert taken.tensor is not None and (taken.tensor == A).all()


@for_all("name", [name for name, make in TRACES.items() if "head_output" in make()])
def test_one_head_from_q_k_and_v_on_opens_to_the_numbers_of_the_whole(name):
    whole = TRACES[name]()
    alone = attention_alone(whole)
    assert all(alone[key].rule == EARLIER for key in "QKV")
    assert alone.keys() < whole.keys()
    last, sample = whole["head_output"].size("head") - 1, whole["head_output"].size("batch") - 1
    one = one_head(alone, sample, last)
    for key, stage in one.items():
        of_whole = whole[key]
        at = {"batch": sample, "head": last, "kv_head": of_whole.size("kv_head") - 1}
        index = tuple(
            slice(min(at[role], size - 1), min(at[role], size - 1) + 1)
            if role in at
            else slice(None)
            for role, size in zip(of_whole.roles, of_whole.tensor.shape, strict=True)
        )
        np.testing.assert_array_equal(stage.tensor, of_whole.tensor[index], key)
        cell = tuple(size // 2 for size in stage.tensor.shape)
        found = explain(one, key, cell)
        assert found.made_by.value == pytest.approx(found.value, 1e-2, 1e-5), key
    assert one["head_output"].axis("head").label(0) == str(last + 1)
    assert attention_alone(trace_of(np.full((1, 2, 2), 0.5))).keys() == {"weights"}
