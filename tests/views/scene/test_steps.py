"""Which steps stand on the stepper."""

from dataclasses import replace

from shown_traces import TRACES, plain

from core import Trace
from core.rules import Operand
from views.scene.steps import ATTENTION, groups_of, steps_of


def copied(trace, key, name):
    stage = trace[key]
    return replace(stage, key=name, kind="", rule=Operand(key, stage.roles))


def test_a_further_step_of_attention_stands_behind_the_one_that_it_follows():
    trace = plain()
    further = [copied(trace, "Q", "Q_turned"), copied(trace, "K", "K_turned")]
    stages = [*trace.values()]
    at = list(trace).index("scores")
    stepper = steps_of(Trace([*stages[:at], *further, *stages[at:]]))
    assert stepper == (*ATTENTION[:4], "Q_turned", "K_turned", *ATTENTION[4:])


def test_a_patched_layer_begins_with_the_stream_and_ends_with_a_norm_that_stands_behind():
    for name, end in (("own changed self", "residual"),
                      ("own changed post-norm self", "normalised")):  # fmt: skip
        steps = steps_of(TRACES[name]())
        assert (steps[0], steps[-1]) == ("stream", end), name


def test_attention_is_five_groups_in_its_order_and_further_steps_join_the_one_that_they_follow():
    steps = ("stream", "X", "Q", "K", "V", "K_rotated", "scores", "capped", "masked", "weights",
             "dropped", "head_output", "muted", "concat")  # fmt: skip
    grouped = {}
    for key, group in zip(steps, groups_of(steps), strict=True):
        grouped.setdefault(group, []).append(key)
    assert grouped == {
        "input": ["stream", "X"],
        "projections": ["Q", "K", "V", "K_rotated"],
        "scores": ["scores", "capped", "masked"],
        "weights": ["weights", "dropped"],
        "output": ["head_output", "muted", "concat"],
    }
    assert set(groups_of(("stream", "X", "hidden", "output"))) == {""}
