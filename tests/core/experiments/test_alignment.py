"""Cross-attention read as an alignment, against weights that were made up for it."""

import numpy as np
from claims import for_all

from core.experiments.alignment import cross_weights, hard_alignment, with_mean
from core.models import translator

DIAGONAL = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.0, 0.4, 0.6], [0.1, 0.0, 0.9]])
ONE_FOR_ALL = np.array([[0.0, 1.0, 0.0]] * 4)
EVEN = np.full((4, 3), 1 / 3)


def test_hard_alignment_is_the_argmax_of_each_row():
    found = hard_alignment(np.array([[0.2, 0.3, 0.5], [0.5, 0.25, 0.25], [0.1, 0.9, 0.0]]))
    assert found.keys == (2, 0, 1)
    assert found.weights == (0.5, 0.5, 0.9)


def test_a_row_is_decided_by_a_weight_above_one_half():
    found = hard_alignment(np.array([[0.2, 0.3, 0.5], [0.49, 0.51, 0.0], [0.1, 0.9, 0.0]]))
    assert found.decided == (1, 2)
    assert found.reached == {1}


@for_all(
    ("weights", "clear"),
    [
        (DIAGONAL, True),
        (ONE_FOR_ALL, False),
        (EVEN, False),
        (np.concatenate([DIAGONAL[:2], EVEN[:2]]), False),  # half of the rows
        (DIAGONAL[:1], True),
        (EVEN[:1], False),
    ],
)
def test_a_head_is_clear_if_most_rows_are_decided_for_several_words(weights, clear):
    assert hard_alignment(weights).is_clear is clear


def test_with_mean_appends_the_mean_over_heads():
    weights = np.random.default_rng(3).dirichlet(np.ones(7), size=(2, 3, 5))
    found = with_mean(weights)
    assert found.shape == (2, 4, 5, 7)
    np.testing.assert_array_equal(found[:, :3], weights)
    by_hand = (weights[:, 0] + weights[:, 1] + weights[:, 2]) / 3
    np.testing.assert_allclose(found[:, 3], by_hand, atol=1e-15)
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-12)


def test_cross_weights_are_in_order_of_layers_and_heads():
    found = translator.load().translate("我爱北京")
    weights = cross_weights(found.trace)
    assert weights.shape == (3, 8, 1 + len(found.pieces), 3)
    for layer in (1, 2, 3):
        tensor = found.trace[f"decoder/{layer}/cross/weights"].tensor
        np.testing.assert_array_equal(weights[layer - 1], tensor[0])
