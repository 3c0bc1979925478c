import numpy as np
from claims import for_all

from core import Weights, cost, multi_head_attention
from core.experiments.path_length import attention_layer, recurrent_layer

SIZES = [2, 3, 13, 64]


def steps_between_first_and_last(reads: dict[str, list[str]], first: str, last: str) -> int:
    """Breadth first, from the last result back to the first word."""
    front, seen, steps = {last}, {last}, 0
    while first not in front:
        front = {other for node in front for other in reads.get(node, [])} - seen
        seen |= front
        steps += 1
        assert front
    return steps


@for_all("n", SIZES)
def test_in_a_recurrent_net_the_first_word_is_as_many_steps_away_as_there_are_words(n: int):
    reads = {f"h{t}": [f"x{t}", f"h{t - 1}"] for t in range(n)}
    assert steps_between_first_and_last(reads, "x0", f"h{n - 1}") == recurrent_layer(n, 5, 3).path
    assert recurrent_layer(n, 5, 3).sequential == n


@for_all("n", SIZES)
def test_in_attention_every_word_is_one_step_away(n: int):
    reads = {f"o{i}": [f"x{j}" for j in range(n)] for i in range(n)}
    found = steps_between_first_and_last(reads, "x0", f"o{n - 1}")
    assert found == attention_layer(n, 6, 2).path == attention_layer(n, 6, 2).sequential == 1


def test_the_multiply_adds_are_those_that_the_trace_spends():
    n, d_model = 7, 6
    trace = multi_head_attention(np.ones((1, n, d_model)), Weights.seeded(d_model, 2, 1))
    matrix_products = sum(
        cost.stage_cost(trace[key]).multiply_adds
        for key in ("Q", "K", "V", "scores", "head_output", "output")
    )
    assert attention_layer(n, d_model, 2).multiply_adds == matrix_products
    # each of 7 words: a state of 3 from a state of 3 and a word of 6
    assert recurrent_layer(n, d_model, 3).multiply_adds == 7 * (9 + 18)
