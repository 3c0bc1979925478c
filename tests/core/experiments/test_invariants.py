"""Which invariants each mistake breaks, on random inputs of prime sizes."""

import math
from dataclasses import replace

import numpy as np
import pytest
from claims import for_all
from wrong_lines import BREAKS

from core import Weights, ops
from core.experiments.invariants import INVARIANTS, Case, check_all
from core.experiments.mistakes import CORRECT, MISTAKES, Operations

SIZES = [(3, 2, 5), (5, 3, 7), (7, 5, 11), (13, 2, 3), (5, 2, 2)]  # n, h, d_k
SQUARE = [(3, 2, 3), (5, 3, 5), (7, 5, 7), (11, 2, 11)]  # n = d_k: Q K has a shape
SEEDS = [1, 23]


def case(size: tuple[int, int, int], operations: Operations, seed: int) -> Case:
    n, heads, d_k = size
    X = np.random.default_rng(seed).normal(size=(2, n, heads * d_k))
    return Case(X, Weights.seeded(heads * d_k, heads, seed), operations, seed)


def broken(checked: Case) -> set[str]:
    return {name for name, check in check_all(checked).items() if not check.holds}


@for_all("seed", SEEDS)
@for_all("size", [*SIZES, *SQUARE, (1, 1, 1), (2, 1, 3), (1, 3, 2)])
def test_correct_attention_has_every_invariant(size, seed):
    assert broken(case(size, CORRECT, seed)) == set()


@for_all("seed", SEEDS)
@for_all("name", MISTAKES)
def test_a_mistake_breaks_exactly_its_invariants(name, seed):
    sizes = SQUARE if name == "upright" else [*SIZES, *SQUARE]
    for size in sizes:
        if name == "twice" and size[2] < size[1]:
            continue
        assert broken(case(size, MISTAKES[name].operations, seed)) == BREAKS[name], size


def test_every_invariant_fails_for_some_mistake_and_no_two_mistakes_fail_the_same_checks():
    assert BREAKS.keys() == MISTAKES.keys()
    assert set.union(*BREAKS.values()) == INVARIANTS.keys()
    assert len({frozenset(alarms) for alarms in BREAKS.values()}) == len(MISTAKES)


def test_checks_measure_the_size_of_an_error():
    n, heads, d_k = size = (5, 3, 7)
    found = check_all(case(size, MISTAKES["late_mask"].operations, 1))["rows_sum_to_one"]
    weights = case(size, MISTAKES["late_mask"].operations, 1).attended.weights
    assert found.value == pytest.approx(max(1 - row.sum() for row in weights.reshape(-1, n)))

    width = check_all(case(size, MISTAKES["twice"].operations, 1))["width_is_whole"]
    assert width.value == heads * (d_k // heads)

    spread = check_all(case(size, MISTAKES["unscaled"].operations, 1))["spread_is_one"]
    assert spread.value == pytest.approx(math.sqrt(d_k), rel=0.1)


def test_a_head_that_reads_the_columns_of_the_next_one_does_not_read_its_own():
    shifted = replace(CORRECT, split=lambda packed, h: np.roll(ops.split_heads(packed, h), -1, 1))
    found = check_all(case((5, 3, 7), shifted, 1), head=0)
    assert not found["own_columns_only"].holds


def test_checks_are_deterministic_for_a_seed():
    one, other = (check_all(case((5, 3, 7), MISTAKES["axis"].operations, 23)) for _ in range(2))
    assert one == other
