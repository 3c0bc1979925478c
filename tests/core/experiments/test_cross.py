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


ASKING, ASKED = sentence(TOKENS[0]), sentence(MEMORY_TOKENS)


def test_self_attention_is_cross_attention_whose_memory_is_its_own_input():
    itself = multi_head_attention(ASKING, WEIGHTS)
    fed = multi_head_attention(ASKING, WEIGHTS, memory=ASKING["X"])
    assert cross.largest_difference(itself, fed, STEPS) == 0
    for key in STEPS:
        np.testing.assert_array_equal(itself[key].tensor, fed[key].tensor)


def test_with_another_memory_only_the_queries_stay_what_they_were():
    itself = multi_head_attention(ASKING, WEIGHTS)
    other = multi_head_attention(ASKING, WEIGHTS, memory=ASKED["X"].tensor[:, : len(TOKENS[0])])
    assert cross.largest_difference(itself, other, ("Q",)) == 0
    for key in STEPS[1:]:
        assert cross.largest_difference(itself, other, (key,)) > 1e-3


def test_swapping_the_sequences_transposes_the_shape_but_not_the_scores():
    scores = multi_head_attention(ASKING, WEIGHTS, memory=ASKED["X"])["scores"].tensor
    swapped = multi_head_attention(ASKED, WEIGHTS, memory=ASKING["X"])["scores"].tensor
    assert swapped.shape == (*scores.shape[:2], scores.shape[3], scores.shape[2])
    assert cross.swap_difference(scores, swapped) > 0.1


def test_with_one_matrix_for_queries_and_keys_swapping_transposes_the_scores():
    same = Weights(WEIGHTS.W_Q, WEIGHTS.W_Q, WEIGHTS.W_V, WEIGHTS.W_O, HEADS)
    scores = multi_head_attention(ASKING, same, memory=ASKED["X"])["scores"].tensor
    swapped = multi_head_attention(ASKED, same, memory=ASKING["X"])["scores"].tensor
    assert cross.swap_difference(scores, swapped) < 1e-14


def test_scores_are_symmetric_without_projections_and_not_with_them():
    X = ASKING["X"].tensor
    assert cross.asymmetry(ops.dot_product_scores(X, X)) < 1e-14
    scores = multi_head_attention(ASKING, WEIGHTS)["scores"].tensor
    for head in range(HEADS):
        assert cross.asymmetry(scores[:, head]) > 0.1


def test_asymmetry_is_the_farthest_that_two_cells_across_the_diagonal_are_apart():
    assert cross.asymmetry(np.array([[1.0, 2, 3], [2, 9, 4], [8, 4, 7]])) == 5
    assert cross.asymmetry(np.array([[1.0, 2], [2, 1]])) == 0


def test_exchanged_holds_each_score_against_the_one_across():
    scores, swapped = np.array([[1.0, 2, 3]]), np.array([[1.0], [9], [3]])
    assert cross.swap_difference(scores, swapped) == 7
    assert cross.swap_difference(np.array([[1.0, 9, 3]]), np.array([[1.0], [2], [3]])) == 7


def test_two_computations_are_as_far_apart_as_their_farthest_numbers_whatever_sign_and_step():
    def computed(*values: float) -> Trace:
        named = notation.axes("token", "d_model")
        return Trace(
            notation.given(key, np.array([[value, 1]]), named)
            for key, value in zip("abc", values, strict=True)
        )

    assert cross.largest_difference(computed(1, 2, 3), computed(1, 9, 4), "abc") == 7
    assert cross.largest_difference(computed(1, 9, 4), computed(1, 2, 3), "abc") == 7
    assert cross.largest_difference(computed(1, 9, 4), computed(1, 2, 3), "ac") == 1


def test_what_cannot_be_compared_is_refused():
    square, wide = np.zeros((3, 3)), np.zeros((3, 5))
    with refuses("shape_mismatch"):
        cross.asymmetry(wide)
    with refuses("shape_mismatch"):
        cross.swap_difference(wide, square)
    one = multi_head_attention(ASKING, WEIGHTS)
    with refuses("shape_mismatch"):
        cross.largest_difference(one, multi_head_attention(ASKED, WEIGHTS), ("Q",))
    with pytest.raises(UnknownStage):
        cross.largest_difference(one, one, ("memory",))
