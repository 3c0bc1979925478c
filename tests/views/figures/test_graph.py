import itertools
import re

import numpy as np
import pytest
from claims import for_all
from shown_traces import TRACES, crossed, numbers, picture, plain, sentence

from core import Axis, Stage, Trace, scaled_dot_product_attention
from core.options import AttentionOptions
from core.rules import Given, Operand, Sum
from views.figures.graph import graph_of


def attention_alone():
    Q, K, V = (numbers(1, 2, n, 5, seed=n) for n in (3, 7, 7))
    return scaled_dot_product_attention(Q, K, V, AttentionOptions(causal=True))


MAPPED = {**TRACES, "attention alone": attention_alone}
of_every_trace = pytest.mark.parametrize("name", MAPPED)

SMALL = {
    "sentence": {
        "E": "embedding", "position": "X", "W_Q": "Q", "b_Q": "Q", "W_K": "K", "b_K": "K",
        "W_V": "V", "b_V": "V", "key_mask": "masked", "causal": "masked", "allowed": "masked",
        "bias": "masked", "keep": "dropped", "W_O": "output", "b_O": "output",
    },
    "picture": {
        "W_E": "embedding", "cls": "sequence", "position": "X", "W_Q": "Q", "W_K": "K",
        "W_V": "V", "W_O": "output",
    },
    "attention alone": {"causal": "masked"},
}  # fmt: skip
SMALL["crossed"] = SMALL["sentence"]
SMALL["plain"] = {
    key: SMALL["sentence"][key] for key in ("E", "position", "W_Q", "W_K", "W_V", "W_O")
}
PACKED = {"W_Q": "Q", "W_K": "K", "W_V": "V", "W_O": "output"}
BIASES = {"b_Q": "Q", "b_K": "K", "b_V": "V", "b_O": "output"}
FEED_FORWARD = {"W_1": "hidden", "b_1": "hidden", "W_2": "output", "b_2": "output"}
IN_FRONT, BEHIND = ({"gamma": key, "beta": key} for key in ("X", "normalised"))
SMALL |= {
    "source": {"E": "embedding", "position": "X"},
    "post-norm cross": PACKED | BEHIND,
    "post-norm feed-forward": FEED_FORWARD | BEHIND,
    "next word": {"W_P": "logits", "b_P": "logits"},
    "patches": {"W_E": "embedding", "cls": "sequence", "position": "X"},
    "pre-norm self": IN_FRONT | PACKED | BIASES,
    "pre-norm feed-forward": IN_FRONT | FEED_FORWARD,
    "class": IN_FRONT | {"W_P": "logits", "b_P": "logits"},
}
SMALL |= {
    "own words": {
        "E": "embedding", "segment": "summed", "position": "summed", "gamma": "X", "beta": "X",
    },
    "own patches": {"W_E": "embedding", "b_E": "embedding", "cls": "sequence", "position": "X"},
    "own entrance": {"E": "embedding", "position": "X"},
    "own self": PACKED | BIASES | BEHIND,
    "own causal self": SMALL["pre-norm self"] | {"causal": "masked"},
    "own feed-forward": SMALL["pre-norm feed-forward"],
}  # fmt: skip
IN_FRONT_RMS = {"gamma": "X"}
ROTARY = {"position_ids": "cos", "inv_freq": "cos", "gamma_Q": "Q_normed", "gamma_K": "K_normed"}
SMALL |= {
    "own unplaced entrance": {"E": "embedding"},
    "own rotary self": IN_FRONT_RMS | PACKED | BIASES | ROTARY | {"causal": "masked"},
    "own gated feed-forward": IN_FRONT_RMS | {"W_gate": "gate", "W_up": "up", "W_down": "output"},
    "own next token": IN_FRONT_RMS | {"W_P": "logits"},
    "today": PACKED
    | ROTARY
    | {
        "E": "embedding",
        "past_K": "present_K",
        "past_V": "present_V",
        "sinks": "weights",
        **dict.fromkeys(("causal", "sliding_window", "head_mask", "slopes", "distance"), "masked"),
    },
}
SMALL["half precision"] = SMALL["today"]
TURNED = {"position_ids": "cos", "inv_freq": "cos"}
SMALL |= {
    "own offset entrance": SMALL["own words"],
    "own sinusoids": {"E": "embedding", "position": "summed", "gamma": "X", "beta": "X"},
    "own normed entrance": {"E": "embedding", "gamma": "X", "beta": "X"},
    "own unshifted entrance": {"E": "embedding", "gamma": "X"},
    "own unnormed self": PACKED | TURNED,
    "own local self": {"gamma": "X", "sliding_window": "masked"} | PACKED | TURNED,
    "own biased gate": {
        "gamma": "X", "W_gate": "gate", "b_gate": "gate", "W_up": "up", "b_up": "up",
        "W_down": "output", "b_down": "output",
    },
    "own final norm": BEHIND,
    "own unshifted norm": {"gamma": "normalised"},
}  # fmt: skip
SMALL["latent"] = {
    "E": "embedding", "position": "X", "W_Q": "Q", "W_DKV": "latent", "W_UK": "K", "W_UV": "V",
    "W_O": "output", "causal": "masked",
}  # fmt: skip
OF_A_SOUND = {
    "silence": "padded", "window": "windowed", "cosine": "real", "sine": "imaginary",
    "filters": "mel", "W_E": "embedding", "position": "X",
}  # fmt: skip
MASKS = dict.fromkeys(("key_mask", "causal", "allowed"), "masked")
SMALL |= {
    "sound": OF_A_SOUND | PACKED | BIASES | MASKS,
    "one head": OF_A_SOUND | PACKED | BIASES | {"causal": "masked"},
}
SMALL |= {
    "own distilled patches": SMALL["own patches"] | {"distillation": "sequence"},
    "own registered patches": {
        "W_E": "embedding", "b_E": "embedding", "cls": "sequence", "registers": "sequence",
        "trained_position": "position", "interpolation": "position",
    },
    "own spaced patches": SMALL["own patches"] | {"registers": "sequence"},
    "own normed patches": {
        "W_E": "embedding", "cls": "sequence", "position": "placed", "gamma": "X", "beta": "X",
    },
    "own sound": {
        "silence": "filled", "window": "windowed", "cosine": "real", "sine": "imaginary",
        "filters": "mel", "position": "X",
        **{f"mirror_{end}": f"mirrored_{end}" for end in ("before", "behind")},
        **{f"edge_{n}": f"edged_{n}" for n in "12"},
        "W_C1": "conv_1", "b_C1": "conv_1", "W_C2": "embedding", "b_C2": "embedding",
    },
    "own scaled self": SMALL["pre-norm self"] | {"lambda": "layer_scaled"},
    "own scaled gate": IN_FRONT | {
        **dict.fromkeys(("W_gate", "b_gate"), "gate"), **dict.fromkeys(("W_up", "b_up"), "up"),
        **dict.fromkeys(("W_down", "b_down"), "output"), "lambda": "layer_scaled",
    },
}  # fmt: skip
BROUGHT = {  # what a part of a model takes over from the part before it
    "post-norm cross": {"X", "memory"},
    "post-norm feed-forward": {"X"},
    "next word": {"X", "others"},
    "pre-norm self": {"stream"},
    "pre-norm feed-forward": {"stream"},
    "class": {"stream"},
    "own self": {"X"},
    "own causal self": {"stream"},
    "own feed-forward": {"stream"},
    "own rotary self": {"stream"},
    "own gated feed-forward": {"stream"},
    "own next token": {"stream", "others"},
    **{key: {"stream"} for key in ("own unnormed self", "own local self", "own biased gate")},
    **{key: {"X"} for key in ("own final norm", "own unshifted norm")},
    "own scaled self": {"stream"},
    "own sound": {"waveform"},
    "own scaled gate": {"stream"},
    "attention alone": {"Q", "K", "V"},
    "sound": {"waveform"},
    "one head": {"waveform", "heads_before", "heads_after"},
}


def large(graph):
    return {box.key: box for box in graph.boxes if not box.given}


def points(path):
    """Places along an SVG path of the commands M, H, V, Q and C."""
    found = []
    for command, text in re.findall(r"([MHVQC])([^MHVQC]*)", path):
        n = [float(part) for part in text.split()]
        if command == "M":
            corners = [tuple(n)]
        else:
            x, y = found[-1]
            if command in "HV":
                n = [n[0], y] if command == "H" else [x, n[0]]
            corners = [(x, y), *zip(n[::2], n[1::2], strict=True)]
        for t in np.linspace(0, 1, 50):
            around = corners
            while len(around) > 1:  # de Casteljau
                around = [
                    ((1 - t) * a + t * c, (1 - t) * b + t * d)
                    for (a, b), (c, d) in itertools.pairwise(around)
                ]
            found.append(around[0])
    return found


@of_every_trace
def test_every_computed_stage_and_every_sample_is_one_large_box(name):
    trace = MAPPED[name]()
    keys = [box.key for box in graph_of(trace).boxes if not box.given]
    computed = {key for key, stage in trace.items() if not isinstance(stage.rule, Given)}
    samples = BROUGHT.get(name, {"tokens", "image", "memory"} & set(trace))
    assert len(keys) == len(set(keys))
    assert set(keys) == computed | samples


@of_every_trace
def test_what_is_given_is_one_small_box_on_top_of_the_first_stage_that_reads_it(name):
    graph = graph_of(MAPPED[name]())
    small = [box for box in graph.boxes if box.given]
    owners = {}
    for box in small:
        (owners[box.key],) = (
            o.key
            for o in large(graph).values()
            if o.x <= box.x and box.x + box.width <= o.x + o.width and 0 < o.y - box.y < 80
        )
    assert len(small) == len(owners)
    assert owners == SMALL[name]


@of_every_trace
def test_a_box_says_role_and_size_of_each_axis_of_its_stage(name):
    trace = MAPPED[name]()
    for box in graph_of(trace).boxes:
        stage = trace[box.key]
        sizes = list(zip(stage.roles, stage.tensor.shape, strict=True))
        one = [("batch", 1)]
        assert list(box.sizes) == [pair for pair in sizes if pair not in one]


def test_the_lines_of_a_plain_sentence():
    lines = [(line.source, line.target) for line in graph_of(plain()).lines]
    chain = ["scores", "scaled", "weights", "head_output", "concat", "output"]
    assert sorted(lines) == sorted([
        ("tokens", "embedding"), ("embedding", "X"), ("X", "Q"), ("X", "K"), ("X", "V"),
        ("Q", "scores"), ("K", "scores"), ("V", "head_output"), *itertools.pairwise(chain),
    ])  # fmt: skip


def test_keys_and_values_flow_from_the_other_sequence_and_x_runs_past_everything():
    lines = {(line.source, line.target) for line in graph_of(crossed()).lines}
    assert {("X", "Q"), ("memory", "K"), ("memory", "V")} <= lines
    assert {("X", "residual"), ("output", "residual"), ("dropped", "head_output")} <= lines
    assert not {("X", "K"), ("X", "V"), ("memory", "Q"), ("weights", "head_output")} & lines


@of_every_trace
def test_there_is_a_line_for_each_box_that_a_stage_reads(name):
    trace = MAPPED[name]()
    graph = graph_of(trace)
    boxes = large(graph)
    reads = {(read, key) for key in boxes for read in trace[key].computed_from if read in boxes}
    assert sorted((line.source, line.target) for line in graph.lines) == sorted(reads)


@of_every_trace
def test_every_line_runs_from_left_to_right(name):
    graph = graph_of(MAPPED[name]())
    boxes = large(graph)
    for line in graph.lines:
        assert boxes[line.source].x + boxes[line.source].width < boxes[line.target].x


@of_every_trace
def test_no_box_lies_on_another_or_outside_the_map(name):
    graph = graph_of(MAPPED[name]())
    for box in graph.boxes:
        assert 0 <= box.x < box.x + box.width <= graph.width
        assert 0 <= box.y < box.y + box.height <= graph.height
    for a, b in itertools.combinations(graph.boxes, 2):
        beside = a.x + a.width <= b.x or b.x + b.width <= a.x
        above = a.y + a.height <= b.y or b.y + b.height <= a.y
        assert beside or above, (a.key, b.key)


@of_every_trace
def test_a_line_touches_its_two_boxes_and_crosses_none(name):
    graph = graph_of(MAPPED[name]())
    boxes = large(graph)

    def touches(point, box):
        (x, y), slack = point, 0.01
        return (
            box.x - slack <= x <= box.x + box.width + slack
            and box.y - slack <= y <= box.y + box.height + slack
        )

    def inside(point, box):
        (x, y), slack = point, 0.01
        return (
            box.x + slack < x < box.x + box.width - slack
            and box.y + slack < y < box.y + box.height - slack
        )

    for line in graph.lines:
        way = points(line.path)
        assert touches(way[0], boxes[line.source])
        assert touches(way[-1], boxes[line.target])
        assert all(0 <= x <= graph.width and 0 <= y <= graph.height for x, y in way)
        assert not [box.key for box in graph.boxes for point in way if inside(point, box)]


@for_all("trace", [sentence(), picture(), plain()])
def test_stages_computed_from_x_are_above_one_another(trace):
    boxes = large(graph_of(trace))
    Q, K, V = (boxes[key] for key in "QKV")
    assert Q.x == K.x == V.x
    assert Q.y < K.y < V.y
    assert K.middle == boxes["X"].middle
    main = [boxes[key].middle for key in ("scores", "scaled", "weights", "head_output", "concat")]
    assert len(set(main)) == 1


def test_what_two_stages_read_is_a_small_box_once_and_what_nobody_reads_is_none():
    axes = (Axis("batch", "B"), Axis("token", "n"))
    at = ("batch", "token")
    given = Stage("p", "p", np.ones(3), axes[1:], Given("input"))
    unread = Stage("unread", "u", np.ones(3), axes[1:], Given("mask"))
    stages = [Stage("X", "X", np.ones((2, 3)), axes, Given("input")), given, unread]
    for key, before in (("once", "X"), ("twice", "once")):
        rule = Sum((Operand(before, at), Operand("p", ("token",))))
        stages.append(Stage(key, key, np.ones((2, 3)), axes, rule))
    found = graph_of(Trace(stages)).boxes
    assert [box.key for box in found] == ["X", "once", "twice", "p"]
    boxes = {box.key: box for box in found}
    assert boxes["p"].given
    assert boxes["p"].x == boxes["once"].x
