import numpy as np
from claims import for_all
from drawing import assert_no_overlap, is_inside, points
from shown_traces import TRACES, numbers

from core import Axis, Stage, Trace, scaled_dot_product_attention
from core.options import AttentionOptions
from core.rules import Given, Operand, Sum
from views.figures.graph import graph_of


def attention_alone():
    Q, K, V = (numbers(1, 2, n, 5, seed=n) for n in (3, 7, 7))
    return scaled_dot_product_attention(Q, K, V, AttentionOptions(causal=True))


MAPPED = {**TRACES, "attention alone": attention_alone}
of_every_trace = for_all("name", MAPPED)

SENTENCE = {  # by hand: what is given, and the first stage that reads it
    "E": "embedding", "position": "X", "W_Q": "Q", "b_Q": "Q", "W_K": "K", "b_K": "K", "W_V": "V",
    "b_V": "V", "key_mask": "masked", "causal": "masked", "allowed": "masked", "bias": "masked",
    "keep": "dropped", "W_O": "output", "b_O": "output",
}  # fmt: skip
BROUGHT = {  # what a part of a model takes over from the part before it
    name: set(brought.split())
    for brought, names in {
        "stream": "pre-norm self, pre-norm feed-forward, class, own causal self, own feed-forward, "
        "own rotary self, own sandwiched self, own gated feed-forward, own unnormed self, "
        "own local self, own biased gate, own scaled self, own scaled gate, own biased self, "
        "own biased and masked self, own bias-free feed-forward",
        "X": "post-norm feed-forward, own self, own final norm, own bias-free norm, "
        "own last RMSNorm",
        "X memory": "post-norm cross",
        "X others": "next word",
        "stream others": "own next token, own scaled head",
        "waveform": "own sound, sound",
        "stream rows_set": "own changed self, own changed post-norm self",
        "Q K V": "attention alone",
    }.items()
    for name in names.split(", ")
}


def large(graph):
    return {box.key: box for box in graph.boxes if not box.given}


@of_every_trace
def test_every_computed_stage_and_every_sample_is_one_large_box(name):
    trace = MAPPED[name]()
    keys = [box.key for box in graph_of(trace).boxes if not box.given]
    computed = {key for key, stage in trace.items() if not isinstance(stage.rule, Given)}
    samples = BROUGHT.get(name, {"tokens", "image", "memory"} & set(trace))
    assert len(keys) == len(set(keys))
    assert set(keys) == computed | samples


@of_every_trace
def test_a_side_input_is_one_small_box_on_top_of_its_first_reader(name):
    trace = MAPPED[name]()
    graph = graph_of(trace)
    small = [box for box in graph.boxes if box.given]
    flowing, owners, first = large(graph), {}, {}
    for key in flowing:
        for read in trace[key].computed_from:
            first |= {} if read in flowing | first else {read: key}
    for box in small:
        (owners[box.key],) = (
            o.key
            for o in flowing.values()
            if o.x <= box.x and box.x + box.width <= o.x + o.width and 0 < o.y - box.y < 80
        )
    assert len(small) == len(owners)
    assert owners == first
    assert owners == SENTENCE or name not in ("sentence", "crossed")


@of_every_trace
def test_a_box_has_role_and_size_of_each_axis(name):
    trace = MAPPED[name]()
    for box in graph_of(trace).boxes:
        stage = trace[box.key]
        sizes = list(zip(stage.roles, stage.tensor.shape, strict=True))
        one = [("batch", 1)]
        assert list(box.sizes) == [pair for pair in sizes if pair not in one]


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
    assert_no_overlap(graph.boxes, graph)


@of_every_trace
def test_a_line_touches_its_two_boxes_and_crosses_none(name):
    graph = graph_of(MAPPED[name]())
    boxes = large(graph)
    for line in graph.lines:
        (way,) = points(line.path)
        assert is_inside(way[0], boxes[line.source], 0.01)
        assert is_inside(way[-1], boxes[line.target], 0.01)
        assert all(0 <= x <= graph.width and 0 <= y <= graph.height for x, y in way)
        assert not [b.key for b in graph.boxes for point in way if is_inside(point, b, -0.01)]


def test_a_shared_side_input_has_one_box_and_an_unread_one_none():
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
