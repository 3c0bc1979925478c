import itertools

import numpy as np
import pytest
from attention_inputs import (
    BATCH,
    D_K,
    D_MEMORY,
    D_MODEL,
    D_V,
    HEADS,
    KEY,
    QUERY,
    EveryOption,
    biased_weights,
    numbers,
)
from claims import for_all

from core import Axis, Stage, Weights, cost, multi_head_attention, rules
from core.cost import Cost
from core.errors import HeadsDoNotDivide, TraceTooLarge
from core.limits import LIMITS
from core.options import AttentionOptions

PER_KEY = BATCH * HEADS * QUERY * KEY
CELL = rules.Operand("a", ("query", "key"))
DOT = rules.Dot(CELL, CELL, "d_k", 11)
ONE = rules.Constant(0.5, "s")


def stage(rule: rules.Rule) -> Stage:
    return Stage("s", "s", np.zeros((3, 7)), (Axis("query", "n_q"), Axis("key", "n_k")), rule)


@for_all(
    ("rule", "multiply_adds_of_a_cell"),
    [
        (rules.Given("input"), 0),
        (CELL, 0),
        (DOT, 11),
        (rules.Sum((DOT, CELL)), 11),
        (rules.Sum((DOT, DOT)), 22),
        (rules.Product((CELL, ONE)), 1),
        (rules.Product((CELL, ONE, ONE)), 2),
        (rules.Product((DOT, ONE)), 12),
        (rules.Mask(CELL, (CELL,)), 0),
        (rules.Mask(rules.Product((CELL, ONE)), (CELL, CELL)), 1),
        (rules.Softmax(CELL, "key", 7), 0),
        (rules.Normalise(CELL, "key", 7, 1e-5), 0),
        (rules.RMSNorm(CELL, "key", 7, 1e-5), 0),
        (rules.Product((rules.RMSNorm(CELL, "key", 7, 1e-5), CELL)), 1),
        (rules.Rotate(CELL, CELL, CELL, CELL, "key", 3), 2),
        (rules.Stack("key", (CELL, CELL), (2, 5)), 0),
    ],
)
def test_multiply_adds_are_read_from_the_rule(rule, multiply_adds_of_a_cell):
    assert cost.stage_cost(stage(rule)) == Cost(0, 21 * multiply_adds_of_a_cell, 21 * 8)


def test_only_what_is_learnt_counts_as_a_parameter():
    assert cost.stage_cost(stage(rules.Given("parameter"))).parameters == 21
    for what in ("input", "mask", "random"):
        assert cost.stage_cost(stage(rules.Given(what))).parameters == 0


def test_a_view_costs_the_bytes_of_all_that_it_names():
    repeated = np.broadcast_to(np.float32(1), (3, 7))
    axes = (Axis("query", "n_q"), Axis("key", "n_k"))
    named = Stage("s", "s", repeated, axes, rules.Given("input"))
    assert cost.stage_cost(named).bytes == 21 * 4


def test_costs_add_up_part_by_part():
    assert Cost(2, 3, 5) + Cost(7, 11, 13) == Cost(9, 14, 18)


def test_every_step_of_attention_costs_what_a_count_by_hand_gives():
    given = EveryOption.in_precision(np.float32)
    counted = {key: each.multiply_adds for key, each in cost.per_stage(given.trace()).items()}
    assert {key: count for key, count in counted.items() if count} == {
        "Q": BATCH * QUERY * D_MODEL * HEADS * D_K,
        "K": BATCH * KEY * D_MEMORY * HEADS * D_K,
        "V": BATCH * KEY * D_MEMORY * HEADS * D_V,
        "scores": PER_KEY * D_K,
        "scaled": PER_KEY * 2,  # the scale and the temperature
        "dropped": PER_KEY * 2,  # kept or not, and 1/(1 − dropout)
        "head_output": PER_KEY * D_V,
        "output": BATCH * QUERY * HEADS * D_V * D_MODEL,
    }


def test_the_parameters_are_those_of_the_matrices_and_biases():
    given = EveryOption.in_precision(np.float64)
    learnt = {key: each.parameters for key, each in cost.per_stage(given.trace()).items()}
    assert {key: count for key, count in learnt.items() if count} == {
        "W_Q": D_MODEL * HEADS * D_K,
        "W_K": D_MEMORY * HEADS * D_K,
        "W_V": D_MEMORY * HEADS * D_V,
        "W_O": HEADS * D_V * D_MODEL,
        "b_Q": HEADS * D_K,
        "b_K": HEADS * D_K,
        "b_V": HEADS * D_V,
        "b_O": D_MODEL,
    }


def test_a_trace_costs_what_its_stages_cost_together():
    trace = EveryOption.in_precision(np.float32).trace()
    parts = cost.per_stage(trace)
    assert list(parts) == list(trace)
    total = cost.trace_cost(trace)
    assert total.parameters == sum(part.parameters for part in parts.values())
    assert total.multiply_adds == sum(part.multiply_adds for part in parts.values())
    assert total.bytes == sum(stage.tensor.nbytes for stage in trace.values())


def test_one_head_and_many_have_the_same_parameters_and_multiply_adds():
    one, many = cost.attention_cost(7, 30, 1), cost.attention_cost(7, 30, 5)
    assert (one.d_k, many.d_k) == (30, 6)
    assert one.parameters == many.parameters == 4 * 900
    assert one.projections == many.projections == 3 * 7 * 900
    assert one.scores == many.scores == 49 * 30
    assert one.weighted_sum == many.weighted_sum == 49 * 30
    assert one.attention == many.attention == 2 * 49 * 30
    assert one.output == many.output == 7 * 900
    assert one.multiply_adds == many.multiply_adds == 4 * 7 * 900 + 2 * 49 * 30


def test_many_heads_have_more_weights():
    assert cost.attention_cost(7, 30, 1).weights == 49
    assert cost.attention_cost(7, 30, 5).weights == 5 * 49


@for_all("heads", [1, 2, 3, 6])
def test_the_comparison_of_heads_agrees_with_the_rules_of_a_real_trace(heads):
    foretold = cost.attention_cost(7, 30, heads)
    trace = multi_head_attention(numbers(1, 7, 30, seed=51), Weights.seeded(30, heads, 5))
    counted = cost.per_stage(trace)
    assert foretold.parameters == cost.trace_cost(trace).parameters
    assert foretold.projections == sum(counted[key].multiply_adds for key in "QKV")
    assert foretold.scores == counted["scores"].multiply_adds
    assert foretold.weighted_sum == counted["head_output"].multiply_adds
    assert foretold.output == counted["output"].multiply_adds
    assert foretold.weights == trace["weights"].tensor.size


@for_all("heads", [7, 0, -1])
def test_heads_that_do_not_divide_the_width_are_refused(heads):
    with pytest.raises(HeadsDoNotDivide) as refused:
        cost.attention_cost(5, 30, heads)
    assert (refused.value.name, refused.value.width, refused.value.heads) == ("d_model", 30, heads)


SIZES = {"batch": BATCH, "heads": HEADS, "d_model": D_MODEL, "d_k": D_K, "d_v": D_V}
SHAPES = [(), (KEY,), (HEADS, 1, KEY), (BATCH, 1, 1, 1), (BATCH, HEADS, QUERY, KEY)]


@for_all("dtype", [np.float32, np.float64])
@for_all("crossed", [False, True])
def test_the_bytes_are_foretold_exactly_whichever_options_are_on(dtype, crossed):
    key, width = (KEY, D_MEMORY) if crossed else (QUERY, D_MODEL)
    memory = numbers(BATCH, key, width, seed=61, dtype=dtype) if crossed else None
    X = numbers(BATCH, QUERY, D_MODEL, seed=62, dtype=dtype)
    weights = biased_weights(width, dtype)
    switches = itertools.product([False, True], repeat=6)
    for padding, causal, allowed, bias, dropout, residual in switches:
        trace = multi_head_attention(
            X,
            weights,
            AttentionOptions(
                key_mask=np.ones((BATCH, key), dtype=bool) if padding else None,
                causal=causal,
                allowed=np.ones((BATCH, 1, QUERY, key), dtype=bool) if allowed else None,
                bias=np.zeros((HEADS, 1, key)) if bias else None,
                dropout=0.5 if dropout else 0,
                residual=residual,
            ),
            memory=memory,
        )
        foretold = cost.expected_bytes(
            **SIZES,
            query=QUERY,
            key=key,
            itemsize=np.dtype(dtype).itemsize,
            memory_width=width if crossed else None,
            parameters=("W_Q", "W_K", "W_V", "W_O", "b_Q", "b_K", "b_V", "b_O"),
            padding=padding,
            causal=causal,
            allowed=(BATCH, 1, QUERY, key) if allowed else None,
            bias=(HEADS, 1, key) if bias else None,
            dropout=dropout,
            residual=residual,
        )
        assert foretold == sum(stage.tensor.nbytes for stage in trace.values()), list(trace)


@for_all("shape", SHAPES)
@for_all("option", ["allowed", "bias"])
def test_a_mask_is_foretold_as_large_as_it_is_given(shape, option):
    array = np.ones(shape, dtype=bool if option == "allowed" else np.float64)
    trace = multi_head_attention(
        numbers(BATCH, QUERY, D_MODEL, seed=63),
        biased_weights(D_MEMORY),
        AttentionOptions(**{option: array}),
        memory=numbers(BATCH, KEY, D_MEMORY, seed=64),
    )
    foretold = cost.expected_bytes(
        **SIZES,
        query=QUERY,
        key=KEY,
        itemsize=8,
        memory_width=D_MEMORY,
        parameters=[key for key, each in cost.per_stage(trace).items() if each.parameters],
        **{option: shape},
    )
    assert foretold == cost.trace_cost(trace).bytes


@for_all("missing", ["W_O", "b_Q", "b_K", "b_V", "b_O"])
def test_parameters_that_are_not_there_hold_no_bytes(missing):
    whole = biased_weights()
    held = {name: getattr(whole, name) for name in ("W_Q", "W_K", "W_V", "W_O")}
    held |= {name: getattr(whole, name) for name in ("b_Q", "b_K", "b_V", "b_O")}
    del held[missing]
    if missing == "W_O":
        del held["b_O"]
    weights = Weights(**{"W_O": None} | held, heads=HEADS)
    trace = multi_head_attention(numbers(BATCH, QUERY, D_MODEL, seed=65), weights)
    foretold = cost.expected_bytes(
        **SIZES, query=QUERY, key=QUERY, itemsize=8, parameters=tuple(held)
    )
    assert foretold == cost.trace_cost(trace).bytes


def test_without_biases_nothing_needs_to_be_said_about_the_parameters():
    trace = multi_head_attention(numbers(3, 5, 14, seed=66), Weights.seeded(14, 2, 67))
    foretold = cost.expected_bytes(
        batch=3, query=5, key=5, d_model=14, heads=2, d_k=7, d_v=7, itemsize=8
    )
    assert foretold == cost.trace_cost(trace).bytes


def test_more_bytes_than_the_limit_are_refused_and_as_many_are_not():
    cost.check_bytes(1000, 1000)
    with pytest.raises(TraceTooLarge) as refused:
        cost.check_bytes(1001, 1000)
    assert (refused.value.needed, refused.value.limit) == (1001, 1000)


def test_the_limit_is_that_of_the_project_unless_another_is_named():
    cost.check_bytes(LIMITS.trace_bytes)
    with pytest.raises(TraceTooLarge):
        cost.check_bytes(LIMITS.trace_bytes + 1)
