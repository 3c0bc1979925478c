"""Keys and values that several query heads share, in the browser's store."""

import pytest
from in_node import evaluate
from shown_traces import TRACES

from views.scene.scene import scene
from views.text import LANGUAGES

BEGIN = """
const loaded = new trace.Trace(blob.unpacked(given.blob));
const one = new store.Store();
one.setTrace(loaded, { stage: given.stage, head: given.head });
"""
MODULES = [
    "microscope/engine/blob.js",
    "microscope/engine/trace.js",
    "microscope/store.js",
    "microscope/engine/cell.js",
]


def computed(body, stage, head):
    """The result of a function body for 4 query heads on 2 key heads, at a step and a head."""
    sent = scene(TRACES["own rotary self"](), "X", 0, 0, ("X",), LANGUAGES["en"])
    given = {"blob": sent, "stage": stage, "head": head}
    return evaluate(MODULES, BEGIN + body, given)


@pytest.mark.parametrize(("head", "shared"), [(0, 0), (1, 0), (2, 1), (3, 1)])
def test_the_chosen_head_shows_the_keys_that_its_group_shares(head, shared):
    body = 'return [loaded.headsOf("K"), one.positionOf("K", "kv_head"), one.pointed().kv_head];'
    assert computed(body, "K", head) == [4, shared, shared]


def test_a_step_of_its_own_heads_knows_no_shared_one():
    assert computed('return [loaded.headsOf("Q"), loaded.headsOf("X")];', "Q", 3) == [4, 1]


@pytest.mark.parametrize(("head", "expected"), [(0, 2), (1, 2), (2, 2), (3, 3)])
def test_a_shared_cell_leads_to_the_chosen_head_of_its_group_or_else_to_the_first(head, expected):
    body = """
one.follow({ stage: "K", index: [0, 1, 2, 3] });
return [one.head, one.positionOf("K", "key")];
"""
    assert computed(body, "Q", head) == [expected, 2]


def test_a_score_reads_the_keys_of_its_group():
    body = """
const dot = cell.explain(loaded, "scores", [0, 3, 2, 1]).made_by.parts[0];
return dot.parts.map((part) => [part.address.stage, part.address.index.slice(0, 2)]);
"""
    assert computed(body, "scores", 3) == [["Q_rotated", [0, 3]], ["K_rotated", [0, 1]]]
