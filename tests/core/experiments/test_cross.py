import numpy as np
import pytest
from attention_inputs import MEMORY_TOKENS, TOKENS
from refuses import refuses

from core import Trace, UnknownStage, Weights, multi_head_attention, notation, ops
from core.experiments import cross
from core.sources import text

D_MODEL, HEADS, D_K, D_V = 11, 3, 5, 7
STEPS = ("Q", "K", "V", "scores", "scaled", "weights", "head_output", "concat", "output")
WEIGHTS = Weights.seeded(D_MODEL, HEADS, 23, D_K, D_V)


def sentence(tokens: tuple[str, ...]) -> Trace:
    return text.embed([tokens], D_MODEL, 29)


QUERIES, MEMORY = sentence(TOKENS[0]), sentence(MEMORY_TOKENS)


def test_self_attention_is_cross_attention_whose_memory_is_its_own_input():
    itself = multi_head_attention(QUERIES, WEIGHTS)
    with_memory = multi_head_attention(QUERIES, WEIGHTS, memory=QUERIES["X"])
    assert cross.largest_difference(itself, with_memory, *STEPS) == 0
    for key in STEPS:
        np.testing.assert_array_equal(itself[key].tensor, with_memory[key].tensor)


def test_another_memory_changes_all_stages_but_Q():
    itself = multi_head_attention(QUERIES, WEIGHTS)
    other = multi_head_attention(QUERIES, WEIGHTS, memory=MEMORY["X"].tensor[:, : len(TOKENS[0])])
    assert cross.largest_difference(itself, other, "Q") == 0
    for key in STEPS[1:]:
        assert cross.largest_difference(itself, other, key) > 1e-3


def test_swapping_the_sequences_transposes_the_shape_but_not_the_scores():
    scores = multi_head_attention(QUERIES, WEIGHTS, memory=MEMORY["X"])["scores"].tensor
    swapped = multi_head_attention(MEMORY, WEIGHTS, memory=QUERIES["X"])["scores"].tensor
    assert swapped.shape == (*scores.shape[:2], scores.shape[3], scores.shape[2])
    assert cross.swap_difference(scores, swapped) > 0.1


def test_with_one_matrix_for_queries_and_keys_swapping_transposes_the_scores():
    same = Weights(WEIGHTS.W_Q, WEIGHTS.W_Q, WEIGHTS.W_V, WEIGHTS.W_O, HEADS)
    scores = multi_head_attention(QUERIES, same, memory=MEMORY["X"])["scores"].tensor
    swapped = multi_head_attention(MEMORY, same, memory=QUERIES["X"])["scores"].tensor
    assert cross.swap_difference(scores, swapped) < 1e-14


def test_scores_are_symmetric_without_projections_and_not_with_them():
    X = QUERIES["X"].tensor
    assert cross.asymmetry(ops.dot_product_scores(X, X)) < 1e-14
    scores = multi_head_attention(QUERIES, WEIGHTS)["scores"].tensor
    for head in range(HEADS):
        assert cross.asymmetry(scores[:, head]) > 0.1


def test_asymmetry_and_swap_difference_compare_each_cell_with_the_transposed_one():
    assert cross.asymmetry(np.array([[1.0, 2, 3], [2, 9, 4], [8, 4, 7]])) == 5
    scores, swapped = np.array([[1.0, 2, 3]]), np.array([[1.0], [9], [3]])
    assert cross.swap_difference(scores, swapped) == 7
    assert cross.swap_difference(np.array([[1.0, 9, 3]]), np.array([[1.0], [2], [3]])) == 7


def test_the_largest_difference_of_traces_is_over_all_named_stages():
    named = notation.axes("token", "d_model")
    one, other = (
        Trace(
            notation.given(key, np.array([[value, 1]]), named)
            for key, value in zip("abc", values, strict=True)
        )
        for values in ((1, 2, 3), (1, 9, 4))
    )
    assert cross.largest_difference(one, other, *"abc") == 7
    assert cross.largest_difference(other, one, *"abc") == 7
    assert cross.largest_difference(other, one, *"ac") == 1


def test_matrices_of_other_shapes_are_refused():
    square, wide = np.zeros((3, 3)), np.zeros((3, 5))
    with refuses("shape_mismatch"):
        cross.asymmetry(wide)
    with refuses("shape_mismatch"):
        cross.swap_difference(wide, square)
    one = multi_head_attention(QUERIES, WEIGHTS)
    with refuses("shape_mismatch"):
        cross.largest_difference(one, multi_head_attention(MEMORY, WEIGHTS), "Q")
    with pytest.raises(UnknownStage):
        cross.largest_difference(one, one, "memory")
