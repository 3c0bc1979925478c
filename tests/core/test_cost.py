import numpy as np
from attention_inputs import BATCH, D_K, D_MEMORY, D_MODEL, D_V, HEADS, KEY, QUERY, EveryOption
from claims import for_all
from refuses import refuses

from core import Axis, Stage, cost, rules
from core.cost import Cost
from core.limits import LIMITS

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
        (rules.Rotate(CELL, CELL, CELL, CELL, "key"), 2),
        (rules.Stack("key", (CELL, CELL), (2, 5)), 0),
    ],
)
def test_multiply_adds_are_read_from_the_rule(rule, multiply_adds_of_a_cell):
    assert cost.stage_cost(stage(rule)) == Cost(0, 21 * multiply_adds_of_a_cell, 21 * 8)


def test_only_weights_count_as_parameters():
    assert cost.stage_cost(stage(rules.Given("parameter"))).parameters == 21
    for what in ("input", "mask", "random"):
        assert cost.stage_cost(stage(rules.Given(what))).parameters == 0


def test_a_view_counts_the_bytes_of_all_its_cells():
    repeated = np.broadcast_to(np.float32(1), (3, 7))
    axes = (Axis("query", "n_q"), Axis("key", "n_k"))
    named = Stage("s", "s", repeated, axes, rules.Given("input"))
    assert cost.stage_cost(named).bytes == 21 * 4


def test_every_step_of_attention_costs_what_a_count_by_hand_gives():
    given = EveryOption.in_precision(np.float32)
    counted = {key: each.multiply_adds for key, each in cost.per_stage(given.trace()).items()}
    assert {key: count for key, count in counted.items() if count} == {
        "Q": BATCH * QUERY * D_MODEL * HEADS * D_K,
        "K": BATCH * KEY * D_MEMORY * HEADS * D_K,
        "V": BATCH * KEY * D_MEMORY * HEADS * D_V,
        "scores": PER_KEY * D_K,
        "scaled": PER_KEY * 2,  # the scale and the temperature
        "dropped": PER_KEY * 2,  # keep, and 1/(1 − dropout)
        "head_output": PER_KEY * D_V,
        "output": BATCH * QUERY * HEADS * D_V * D_MODEL,
    }


def test_more_bytes_than_the_limit_are_refused():
    cost.check_bytes(1000, 1000)
    with refuses("trace_too_large", needed=1001, limit=1000):
        cost.check_bytes(1001, 1000)
    cost.check_bytes(LIMITS.trace_bytes)
    with refuses("trace_too_large"):
        cost.check_bytes(LIMITS.trace_bytes + 1)
