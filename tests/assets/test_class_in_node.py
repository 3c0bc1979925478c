"""How the answers of a class are counted, and what known mistakes would give, in the browser."""

import numpy as np
import pytest
from in_node import evaluate
from test_modules import sent

from core import Weights, multi_head_attention
from core.experiments.mistakes import MISTAKES, attend
from core.options import AttentionOptions

MODULES = [f"microscope/engine/{name}.js" for name in ("blob", "trace", "mistakes")]
FIND = """
  const loaded = new trace.Trace(blob.unpacked(given.blob));
  Object.assign(loaded, { sample: 0, heads: 2 });
  return given.cells.map(([stage, row, column]) =>
    mistakes.mistakesAt({ trace: loaded, head: 1 }, stage, row, column));
"""
TALLY = "return given.map(([ask, rounds, key]) => tally.tally(ask, rounds, key));"
NAMES = {"unscaled": "unscaled", "axis": "columns", "late_mask": "masked_late"}
N = 5


def test_a_known_mistake_gives_the_number_that_the_mistake_itself_computes() -> None:
    X = np.random.default_rng(3).normal(size=(1, N, 8))
    weights = Weights.seeded(8, 2, 7)
    trace = multi_head_attention(X, weights, AttentionOptions(causal=True))
    right = attend(X, weights)
    cells = [("weights", 3, 1), ("head_output", 3, 2), ("scaled", 3, 1), ("scores", 3, 1)]
    found = dict(
        zip(
            (cell[0] for cell in cells),
            evaluate(MODULES, FIND, {"blob": sent(trace), "cells": cells}),
            strict=True,
        )
    )
    for mistake, name in NAMES.items():
        wrong = attend(X, weights, MISTAKES[mistake].operations)
        assert found["weights"][name] == pytest.approx(wrong.weights[0, 1, 3, 1]), mistake
        assert found["head_output"][name] == pytest.approx(wrong.head_output[0, 1, 3, 2]), mistake
    Q, K, scores = (each[0, 1] for each in (right.Q, right.K, right.scores))
    assert found["head_output"]["keys_for_values"] == pytest.approx((right.weights[0, 1] @ K)[3, 2])
    assert found["head_output"]["transposed"] == pytest.approx(
        (right.weights[0, 1].T @ right.V[0, 1])[3, 2]
    )
    assert found["weights"]["transposed"] == right.weights[0, 1, 1, 3] == 0
    assert found["scaled"] == pytest.approx(
        {
            "unscaled": scores[3, 1],
            "by_d_k": scores[3, 1] / 4,
            "transposed": right.scaled[0, 1, 1, 3],
        }
    )
    assert found["scores"] == {"transposed": pytest.approx(scores[1, 3])}  # Q K does not fit: 4 ≠ 5
    assert Q.shape != K.T.shape


def test_answers_are_counted_by_what_they_mean_round_by_round() -> None:
    number = {"form": "number", "options": []}
    key = {"right": "0.4073", "mistakes": {"unscaled": 0.62, "columns": 0.41001}}
    rounds = [
        {"a": "0.41", "b": "0,4", "c": "62%", "d": ".55", "e": "x", "f": "11/27"},
        {"a": "0.62", "b": "−3", "c": "-3.0"},
    ]
    pick = {"form": "pick", "options": ["我", "爱"]}
    shares = {"form": "shares", "options": ["我", "爱"]}
    numbers, picks, parts = evaluate(
        ["classroom/tally.js"],
        TALLY,
        [
            [number, rounds, key],
            [pick, [{"a": "1", "b": "1", "c": "0"}, {}], {"right": "1", "mistakes": {}}],
            [shares, [{"a": "0.2,0.8", "b": "0.6,0.4"}], {"right": None, "mistakes": {}}],
        ],
    )
    counted = {(bar["name"], bar["label"]): bar["counts"] for bar in numbers}
    assert counted == {
        ("right", "0.41"): [3, 0],
        ("unscaled", "0.62"): [1, 1],
        ("", "0.55"): [1, 0],
        ("", "x"): [1, 0],
        ("", "−3.00"): [0, 2],
    }
    assert [(bar["name"], bar["counts"]) for bar in picks] == [("", [1, 0]), ("right", [2, 0])]
    assert [bar["counts"] for bar in parts] == [[pytest.approx(0.4)], [pytest.approx(0.6)]]
