"""A decoder with changed attention, against the unchanged model."""

from dataclasses import replace

import numpy as np
import pytest
from claims import for_all

from core import ops
from core.experiments.grouped_query import shared
from core.interventions import parse
from core.masks import alibi_slopes
from core.models.altered import MOVED, perplexity, with_positions
from core.sources.position import sinusoids

TEXT = "The cat sat on the mat because it was warm"


def test_the_attention_of_a_layer_is_that_of_the_opened_model(decoder):
    whole, alone = decoder.run(TEXT, 3), decoder.attention(TEXT, 3).trace()
    for key, stage in alone.items():
        expected = whole[f"encoder/3/self/{key}"]
        np.testing.assert_array_equal(stage.tensor, expected.tensor, err_msg=key)
        assert stage.kind == expected.kind


def test_log_probabilities_are_those_of_the_prediction_after_the_tokens_before(decoder):
    words = TEXT.split()
    found = decoder.log_probabilities(TEXT)
    assert len(found) == len(words)
    for i in range(1, len(words)):
        made = decoder.predict(" ".join(words[:i]))
        following = decoder.encode(" ".join(words[: i + 1])).ids[-1]
        expected = np.log(made.probabilities[following])
        np.testing.assert_allclose(found[i], expected, atol=1e-4)


def test_a_change_reaches_every_layer(decoder):
    changed = []

    def narrowed(attention):
        changed.append(attention)
        return attention.with_options(window=(0, 0))

    alone = decoder.log_probabilities(TEXT, narrowed)
    assert len(changed) == decoder.layers
    np.testing.assert_allclose(alone[0], decoder.log_probabilities(TEXT)[0], rtol=1e-6)
    # A token that sees itself alone: what stands before it is of no account.
    other = decoder.log_probabilities("A dog sat on the mat", narrowed)
    np.testing.assert_allclose(other[3:], alone[3:6], rtol=1e-5)


@for_all(
    ("change",),
    [(lambda weights: shared(weights, 1),), (lambda weights: shared(weights, 4),),
     (lambda weights: replace(weights, W_Q=weights.W_Q * np.float32(3)),)],
)  # fmt: skip
def test_other_weights_are_passed_without_a_trace_as_with_one(decoder, change):
    def plainly(attention):
        return replace(attention, weights=change(attention.weights))

    def traced(attention):
        return plainly(attention).with_options(causal=True)  # other options, if only by identity

    found = decoder.log_probabilities(TEXT, plainly)
    np.testing.assert_allclose(found, decoder.log_probabilities(TEXT, traced), atol=1e-4)


def test_without_attention_a_token_is_read_alone(decoder):
    without = decoder.changed(parse("off=*"))
    one, other = (without.streams(text) for text in (TEXT, "It was warm"))
    np.testing.assert_allclose(one[:, -1], other[:, -1], atol=1e-4)  # warm
    with_others = decoder.streams(TEXT)
    np.testing.assert_array_equal(with_others[0], one[0])
    assert np.abs(with_others[-1, -1] - one[-1, -1]).max() > 0.1


def test_the_streams_are_those_that_the_layers_are_opened_with(decoder):
    streams = decoder.streams(TEXT)
    assert streams.shape[0] == decoder.layers + 1
    for layer in range(1, decoder.layers + 1):
        expected = decoder.run(TEXT, layer)[f"encoder/{layer}/self/stream"].tensor[0]
        np.testing.assert_allclose(streams[layer - 1], expected, atol=1e-4)
    found = decoder.next_probabilities(streams[-1, -1])
    np.testing.assert_allclose(found, decoder.predict(TEXT).probabilities, atol=1e-5)


def test_perplexity_is_the_number_of_equally_likely_choices():
    assert perplexity(np.log([1 / 8] * 5)) == pytest.approx(8)
    assert perplexity(np.log([1 / 2, 1 / 8])) == pytest.approx(4)


@pytest.fixture(scope="module")
def attention(decoder):
    return decoder.attention(TEXT, 3)


def scaled(attention, X):
    weights = attention.weights
    Q = ops.split_heads(X @ weights.W_Q, weights.heads)
    K = ops.split_heads(X @ weights.W_K, weights.kv_heads)
    return ops.dot_product_scores(Q, K) / np.sqrt(weights.d_k)


def test_a_sentence_that_is_moved_keeps_its_weights(attention):
    plain, moved = attention.trace(), with_positions(attention, "moved").trace()
    np.testing.assert_allclose(moved["weights"].tensor, plain["weights"].tensor, atol=1e-5)
    assert np.abs(moved["K_rotated"].tensor - plain["K_rotated"].tensor).max() > 1
    n = plain["X"].size("token")
    assert moved["position_ids"].tensor.tolist() == list(range(MOVED, MOVED + n))


def test_other_pairs_are_right_for_weights_whose_columns_are_in_their_order(attention):
    paired, width = with_positions(attention, "paired"), attention.weights.d_k
    order = np.arange(width).reshape(2, -1).T.ravel()  # 0, 24, 1, 25, …: halves as neighbours

    def ordered(W, heads):
        return W.reshape(len(W), heads, width)[:, :, order].reshape(W.shape)

    of = attention.weights
    W_Q, W_K = ordered(of.W_Q, of.heads), ordered(of.W_K, of.kv_heads)
    again = replace(paired, weights=replace(of, W_Q=W_Q, W_K=W_K)).trace()["weights"].tensor
    plain = attention.trace()["weights"].tensor
    np.testing.assert_allclose(again, plain, atol=1e-5)
    assert np.abs(paired.trace()["weights"].tensor - plain).max() > 0.1


def test_other_positions_are_those_of_their_papers(attention):
    X = attention.source["X"].tensor
    n, width = X.shape[1:]
    none, added, alibi = (
        with_positions(attention, kind).trace() for kind in ("none", "sinusoids", "alibi")
    )
    np.testing.assert_allclose(none["scaled"].tensor, scaled(attention, X), atol=1e-4)
    placed = scaled(attention, X + sinusoids(n, width))
    np.testing.assert_allclose(added["scaled"].tensor, placed, atol=1e-4)
    for head, slope in enumerate(alibi_slopes(4)):
        for query, key in ((5, 5), (5, 2), (9, 0)):
            expected = scaled(attention, X)[0, head, query, key] - slope * (query - key)
            assert alibi["masked"].tensor[0, head, query, key] == pytest.approx(expected, abs=1e-4)
