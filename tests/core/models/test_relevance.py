"""Which input mattered: slopes against differences of the logit, and its sums by plain loops."""

import numpy as np
import pytest
from refuses import refuses

from core.interventions import parse
from core.models import forward, relevance, translator, vision
from core.models.one_layer import layer_output
from core.sources import picture

TEXT = "The cat sat on the mat"


def found(model, outcome=0):
    passed = model.passed(TEXT)
    return passed, model.relevance(TEXT, passed, model.readings(passed)[-1], outcome)


def test_what_comes_back_to_a_layer_of_a_decoder_is_the_slope_of_the_logit(decoder):
    passed, of = found(decoder)
    token = decoder.readings(passed)[-1].numbers[0]
    model, layers = decoder.decoder, decoder.layers

    def logit(y, number):
        """Of y, (token, d_model), behind the attention of a layer."""
        layer = model.layer(number)
        fed = forward.feed_forward(forward.normed(y, layer.feed_forward_norm), layer.feed_forward)
        x = y + fed
        for later in range(number + 1, layers + 1):
            x = layer_output(model, x, later)
        return float(model.logits(forward.normed(x[-1:], model.final_norm()))[0, token])

    for number in (2, layers):
        one = of.attention(f"encoder/{number}/self")
        y = decoder.run(TEXT, number)[f"{one.path}/residual"].tensor[0]
        along = np.random.default_rng(number).normal(size=y.shape).astype(np.float32)
        step = np.float32(0.01)
        slope = (logit(y + step * along, number) - logit(y - step * along, number)) / (2 * step)
        assert (one.behind[0] * along).sum() == pytest.approx(slope, rel=2e-2)


def test_weights_times_gradient_of_a_decoder_are_rolled_through_its_layers_by_plain_loops(decoder):
    _, of = found(decoder, 1)
    R, rolled = np.eye(of.n), np.eye(of.n)
    for number in range(1, decoder.layers + 1):
        trace = decoder.run(TEXT, number)
        one = of.attention(path := f"encoder/{number}/self")
        A, V, W_O = (trace[f"{path}/{key}"].tensor for key in ("weights", "V", "W_O"))
        heads, shared = A.shape[1], V.shape[1]
        mean, attended = np.zeros((of.n, of.n)), np.zeros((of.n, of.n))
        for head in range(heads):
            for query in range(of.n):
                back = W_O[head] @ one.behind[0, query]  # (d_v,)
                for key in range(of.n):
                    gradient = V[0, head * shared // heads, key] @ back
                    mean[query, key] += max(0, A[0, head, query, key] * gradient) / heads
                    attended[query, key] += A[0, head, query, key] / heads
        R = R + mean @ R
        rolled = (attended + np.eye(of.n)) / 2 @ rolled
    row = R[-1] - np.eye(of.n)[-1]
    np.testing.assert_allclose(of.by_gradient, row / row.sum(), atol=1e-5)
    np.testing.assert_allclose(of.rolled, rolled[-1], atol=1e-6)
    np.testing.assert_allclose(of.plain, attended[-1], atol=1e-6)


def test_tokens_that_are_hidden_or_come_later_do_not_matter_and_nothing_does_without_attention(
    decoder,
):
    _, hidden = found(decoder.changed(parse("hide=*@3")))
    assert hidden.by_gradient[2] == 0 < found(decoder)[1].by_gradient[2]
    _, off = found(decoder.changed(parse("off=*")))
    assert not off.by_gradient.any()
    model = translator.load()
    made = model.translate("我爱北京")
    names = made.trace["prediction/logits"].axis("vocabulary").names()
    source = len(made.tokens)
    for row, piece in enumerate(made.pieces):
        of = relevance.of_trace(made.trace, row, names.index(model.target[piece]))
        assert of.row == source + row and of.n == source + len(made.pieces) + 1
        for answer in (of.plain, of.rolled, of.by_gradient):
            assert answer[:source].all() and not answer[of.row + 1 :].any()
        assert of.rolled.sum() == pytest.approx(1) == of.by_gradient.sum()


def test_a_map_of_a_photo_is_that_of_one_class_whose_gradients_open_and_of_one_photo():
    model = vision.load()
    draw = np.random.default_rng(2).integers(0, 256, (2, model.side, model.side, 3), np.uint8)
    both = model.trace(picture.values(draw))
    with refuses("one_sample", samples=2):
        relevance.of_trace(both, 0, 0)
    trace = model.trace(picture.values(draw[:1]))
    cat, ship = (relevance.of_trace(trace, 0, number) for number in (3, 8))
    np.testing.assert_array_equal(cat.rolled, ship.rolled)
    assert np.abs(cat.by_gradient - ship.by_gradient).max() > 0.01
    opened = relevance.gradients(trace, cat.attention("encoder/2/self"))
    A, dA = (opened[key].tensor[0] for key in ("weights", "grad/weights"))
    raised = np.maximum(A * dA, 0).mean(axis=0)
    np.testing.assert_allclose(raised, cat.attention("encoder/2/self").raised, rtol=1e-5, atol=1e-9)
