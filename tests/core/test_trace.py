from dataclasses import replace

import numpy as np
import pytest
from attention_inputs import BATCH, KEY, QUERY, EveryOption
from claims import for_all
from refuses import refuses

from core import Axis, Stage, Trace, UnknownStage
from core.rules import Given, Operand, Sum


def stage(key, *, reads=(), shape=(2, 3), roles=("batch", "token"), labels=None):
    axes = tuple(Axis(role, role, (labels or {}).get(role)) for role in roles)
    rule = Sum(tuple(Operand(name, roles) for name in reads)) if reads else Given("input")
    return Stage(key, key, np.zeros(shape), axes, rule)


def test_an_axis_without_labels_is_numbered_from_1():
    assert Axis("key", "n").label(4, sample=1) == "5"
    assert Axis("key", "n").names(1) is None


def test_an_axis_has_labels_for_all_samples_or_for_each_sample():
    shared = Axis("key", "n", ("a", "b"))
    own = Axis("key", "n", (("a", "b"), ("c", "d")))
    assert [shared.label(1, s) for s in range(2)] == ["b", "b"]
    assert [own.label(1, s) for s in range(2)] == ["b", "d"]


def test_without_a_batch_only_labels_that_all_samples_share_remain():
    assert Axis("key", "n", (("a", "b"), ("c", "d"))).for_all_samples().labels is None
    assert Axis("key", "n", (("a", "b"), ("a", "b"))).for_all_samples().labels == ("a", "b")
    assert Axis("key", "n", ("a", "b")).for_all_samples().labels == ("a", "b")
    assert Axis("key", "n").for_all_samples().labels is None


@for_all(
    ("labels", "given", "size"),
    [
        (("a", "b"), 2, 3),
        (("a", "b", "c", "d"), 4, 3),
        ((), 0, 3),
        ((("a", "b", "c"), ("a", "b")), 2, 3),
        ((("a", "b", "c"),), 1, 2),
        ((("a", "b", "c"),) * 3, 3, 2),
    ],
)
def test_labels_that_do_not_fit_are_refused(labels, given, size):
    with refuses("labels_do_not_fit", name="Y.token", labels=given, size=size):
        stage("Y", labels={"token": labels})


def test_labels_of_each_sample_need_a_batch():
    with refuses("labels_do_not_fit"):
        stage("Y", shape=(3,), roles=("token",), labels={"token": (("a", "b", "c"),) * 2})


def test_a_stage_has_as_many_axes_as_its_tensor():
    with refuses("shape_mismatch", name="Y", expected="(batch, token)"):
        stage("Y", shape=(2, 3, 5))


def test_a_stage_knows_its_sizes_by_role():
    Y = stage("Y")
    assert (Y.roles, Y.size("token"), Y.size("head")) == (("batch", "token"), 3, 1)
    assert Y.axis("token").symbol == "token"
    with pytest.raises(ValueError):
        Y.axis("head")


def test_a_trace_is_ordered_and_lists_what_a_stage_was_computed_from():
    trace = Trace([stage("B"), stage("A"), stage("C", reads=("A", "B", "A"))])
    assert list(trace) == ["B", "A", "C"]
    assert len(trace) == 3
    assert trace["C"].computed_from == ("A", "B")
    assert trace["A"].computed_from == ()
    assert "A" in trace
    assert "Z" not in trace
    assert trace.get("Z") is None
    assert list(trace.tensors) == ["B", "A", "C"]


def test_the_error_for_an_unknown_key_lists_the_known_keys():
    trace = Trace([stage("Q"), stage("K"), stage("scores", reads=("Q", "K"))])
    with pytest.raises(UnknownStage) as refusal:
        trace["score"]
    assert str(refusal.value) == "no stage 'score'; this trace has Q, K, scores"
    assert isinstance(refusal.value, KeyError)


def test_a_repeated_key_is_refused():
    with pytest.raises(ValueError, match="stage 'Q' is not the only one with this key"):
        Trace([stage("Q"), stage("K"), stage("Q")])


def test_a_rule_that_reads_a_later_or_unknown_stage_is_refused():
    with pytest.raises(ValueError, match="'scores' reads 'K', which does not precede it"):
        Trace([stage("Q"), stage("scores", reads=("Q", "K")), stage("K")])
    with pytest.raises(ValueError, match="'scores' reads 'scores'"):
        Trace([stage("scores", reads=("scores",))])


def test_a_rule_names_one_index_for_each_axis_of_what_it_reads():
    with refuses("shape_mismatch", name="Q", expected="read by 3 indices"):
        Trace(
            [stage("Q", shape=(2, 3, 5), roles=("batch", "token", "d_k")), stage("Y", reads=("Q",))]
        )


def test_no_tensor_of_a_trace_can_be_written_to():
    for key, each in EveryOption.in_precision(np.float64).trace().items():
        with pytest.raises(ValueError, match="read-only"):
            each.tensor[...] = 0
        assert not each.tensor.flags.writeable, key


def test_a_mask_for_all_samples_has_no_names_of_one_of_them():
    trace = EveryOption.in_precision(np.float64).trace()
    assert trace["causal"].axis("query").labels is None
    assert trace["allowed"].axis("query").labels == trace["X"].axis("token").labels
    assert trace["causal"].axis("key").labels == trace["memory"].axis("key").labels
    assert [trace["causal"].size(role) for role in ("batch", "query", "key")] == [1, QUERY, KEY]
    assert trace["key_mask"].size("batch") == BATCH


def test_two_axes_of_one_role_are_refused():
    with refuses("shape_mismatch", expected="of different roles, not (token, token)"):
        stage("Y", roles=("token", "token"))


def test_a_derived_value_is_computed_once_for_each_name_and_cached_in_the_trace():
    made = []

    def make(name):
        return lambda: made.append(name) or name

    one, other = (Trace([stage("X")]) for _ in range(2))
    assert [one.derived(name, make(name)) for name in ("a", "b", "a")] == ["a", "b", "a"]
    assert other.derived("a", make("a")) == "a"
    assert made == ["a", "b", "a"]


def test_what_follows_from_the_numbers_of_a_stage_goes_where_they_go_and_not_with_others():
    one = stage("X")
    others = one.alike("Y", "Y", one.tensor + 1, one.rule), replace(one, tensor=one.tensor + 2)
    sums = [
        of.derived("sum", of.tensor.sum) for of in (one, *others, one.moved("part/X", one.rule))
    ]
    assert sums == [0, 6, 12, 0]
    assert one.moved("part/X", one.rule).derived("sum", lambda: None) == 0


def test_a_derived_value_that_failed_is_computed_again():
    trace, failing = Trace([stage("X")]), iter([True, False])

    def make():
        if next(failing):
            raise ValueError("not now")
        return "made"

    with pytest.raises(ValueError, match="not now"):
        trace.derived("a", make)
    assert trace.derived("a", make) == "made"
