"""Rotary positions of two tokens that are moved, computed in the browser."""

import numpy as np
import pytest
from in_node import evaluate

from core.experiments.rotary_positions import rotary_scores
from core.rotary import Rotary

D_K, LAST = 6, 9
SCORES = """
  const { q, k, freq, last } = given;
  const positions = Array.from({ length: last + 1 }, (_, position) => position);
  return positions.map((m) => positions.map((n) => rotation.scoreOf(q, k, freq, m, n)));
"""
PARTS = """
  const { q, k, freq } = given;
  return freq.map((_, pair) => rotation.partOf(q, k, freq, pair, 5, 2));
"""
MOVES = """
  return given.map(([kind, from, to]) => {
    const { m, n } = ruler.movedTo(kind, { ...from, last: 9 }, to);
    return [m, n];
  });
"""


def test_scores_are_those_of_python_and_the_sum_of_their_pairs():
    q, k = np.random.default_rng(2).normal(size=(2, D_K))
    rotary = Rotary(D_K, 100.0)
    given = {"q": q.tolist(), "k": k.tolist(), "freq": rotary.inv_freq.tolist(), "last": LAST}
    expected = rotary_scores(q, k, rotary, LAST + 1)
    found = evaluate(["rotary/rotation.js"], SCORES, given)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    parts = evaluate(["rotary/rotation.js"], PARTS, given)
    assert sum(parts) == pytest.approx(expected[5, 2])


def test_a_key_stays_at_or_before_its_query_and_both_move_as_one():
    start = {"m": 6, "n": 2}
    moves = {
        ("query", 8): [8, 2],
        ("query", 1): [2, 2],
        ("query", 99): [9, 2],
        ("key", 4): [6, 4],
        ("key", 8): [6, 6],
        ("key", -1): [6, 0],
        ("both", 4): [8, 4],
        ("both", 7): [9, 5],
        ("both", -3): [4, 0],
    }
    given = [[kind, start, to] for kind, to in moves]
    assert evaluate(["rotary/ruler.js"], MOVES, given) == list(moves.values())
