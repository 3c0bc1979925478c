import numpy as np
import pytest
from attention_inputs import BATCH, D_MODEL, D_V, HEADS, QUERY, biased_weights, numbers
from claims import for_all
from refuses import refuses

from core import Weights, multi_head_attention
from core.experiments.contributions import ablated, contributions, output_without

WEIGHTS = biased_weights()
TRACE = multi_head_attention(numbers(BATCH, QUERY, D_MODEL, seed=41), WEIGHTS)
HEAD_OUTPUT, OUTPUT = TRACE["head_output"].tensor, TRACE["output"].tensor
ADDED = contributions(HEAD_OUTPUT, WEIGHTS)
close = {"rtol": 1e-10, "atol": 1e-12}


def test_a_head_adds_what_its_slice_of_W_O_makes_of_its_output():
    W_O = WEIGHTS.W_O.tolist()
    for head in range(HEADS):
        for query in range(QUERY):
            for m in range(D_MODEL):
                by_hand = 0.0
                for v in range(D_V):
                    by_hand += HEAD_OUTPUT[1, head, query, v] * W_O[head * D_V + v][m]
                assert ADDED[1, head, query, m] == pytest.approx(by_hand, rel=1e-9, abs=1e-12)


def test_what_the_heads_add_and_the_bias_are_the_output():
    np.testing.assert_allclose(ADDED.sum(axis=1) + WEIGHTS.b_O, OUTPUT, **close)


def test_without_a_bias_the_heads_alone_are_the_output():
    weights = Weights.seeded(15, 3, seed=5)
    trace = multi_head_attention(numbers(2, 7, 15, seed=42), weights)
    added = contributions(trace["head_output"].tensor, weights)
    np.testing.assert_allclose(added.sum(axis=1), trace["output"].tensor, **close)


@for_all("head", range(HEADS))
def test_muting_a_head_changes_the_output_by_exactly_its_contribution(head):
    without = output_without(HEAD_OUTPUT, WEIGHTS, [head])
    np.testing.assert_allclose(OUTPUT - without, ADDED[:, head], **close)


def test_muting_several_heads_takes_away_what_all_of_them_add():
    without = output_without(HEAD_OUTPUT, WEIGHTS, [0, 2])
    np.testing.assert_allclose(without, ADDED[:, 1] + WEIGHTS.b_O, **close)


def test_with_all_heads_mute_only_the_bias_is_left_and_with_none_the_output():
    silent = output_without(HEAD_OUTPUT, WEIGHTS, range(HEADS))
    np.testing.assert_array_equal(silent, np.broadcast_to(WEIGHTS.b_O, OUTPUT.shape))
    np.testing.assert_array_equal(output_without(HEAD_OUTPUT, WEIGHTS, []), OUTPUT)


def test_an_ablated_head_is_zero_in_concat_and_the_others_stay():
    before = HEAD_OUTPUT.copy()
    left = ablated(HEAD_OUTPUT, {1})
    assert not left[:, 1].any()
    np.testing.assert_array_equal(left[:, [0, 2]], HEAD_OUTPUT[:, [0, 2]])
    np.testing.assert_array_equal(HEAD_OUTPUT, before)


@pytest.mark.parametrize("head", [-1, HEADS])
def test_a_head_that_does_not_exist_cannot_be_ablated(head):
    with refuses("out_of_range", name="head", value=head):
        ablated(HEAD_OUTPUT, [head])


def test_heads_that_do_not_fit_W_O_are_refused():
    with refuses("shape_mismatch", name="head_output"):
        contributions(HEAD_OUTPUT[..., 1:], WEIGHTS)
    ends_at_concat = Weights(WEIGHTS.W_Q, WEIGHTS.W_K, WEIGHTS.W_V, None, HEADS)
    expected = f"(batch, {HEADS}, query, {WEIGHTS.d_v}) with a W_O behind it"
    with refuses("shape_mismatch", expected=expected):
        output_without(HEAD_OUTPUT, ends_at_concat, [])
