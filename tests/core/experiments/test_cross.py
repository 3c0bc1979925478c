import numpy as np
import pytest
from attention_inputs import MEMORY_TOKENS, TOKENS
from refuses import refuses

from core import Trace, UnknownStage, Weights, multi_head_attention, notation, ops
from core.experiments import cross
from core.sources import text

D_MODEL, HEADS, D_K, D_V = 11, 3, 5, 7
WEIGHTS = Weights.seeded(D_MODEL, HEADS, 23, D_K, D_V)


def sentence(tokens: tuple[str, ...]) -> Trace:
    return text.embed([tokens], D_MODEL, 29)


QUERIES, MEMORY = sentence(TOKENS[0]), sentence(MEMORY_TOKENS)


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
