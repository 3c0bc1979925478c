import math

import numpy as np
import pytest
from claims import for_all
from refuses import refuses

from core import Axis, Stage
from core.layers import FeedForward, GatedFeedForward, Norm, first_token, output_head
from core.rules import Given

BATCH, N, WIDTH, D_FF, CLASSES = 2, 3, 5, 7, 11
RANDOM = np.random.default_rng(13)
X = RANDOM.normal(size=(BATCH, N, WIDTH))
AXES = (Axis("batch", "B"), Axis("token", "n", ("a", "b", "c")), Axis("d_model", "d"))


def stage(key="X", tensor=X):
    return Stage(key, key, tensor, AXES, Given("earlier"))


def matrices(**shapes):
    return {name: RANDOM.normal(size=shape) for name, shape in shapes.items()}


def feed_forward(activation="relu"):
    shapes = {"W_1": (WIDTH, D_FF), "b_1": (D_FF,), "W_2": (D_FF, WIDTH), "b_2": (WIDTH,)}
    return FeedForward(**matrices(**shapes), activation=activation)


def by_key(stages):
    return {made.key: made for made in stages}


def test_probabilities_are_the_softmax_of_the_logits_over_the_names():
    W, b = matrices(W=(WIDTH, CLASSES), b=(CLASSES,)).values()
    names = tuple(f"class {i}" for i in range(CLASSES))
    made = by_key(output_head(stage(), W, b, "class", names))
    logits = [sum(X[1, 2, d] * W[d, c] for d in range(WIDTH)) + b[c] for c in range(CLASSES)]
    assert made["logits"].tensor[1, 2] == pytest.approx(logits, abs=1e-12)
    powers = [math.exp(x) for x in logits]
    expected = [power / sum(powers) for power in powers]
    assert made["probabilities"].tensor[1, 2] == pytest.approx(expected, abs=1e-12)
    assert made["probabilities"].axis("class").names() == names


def test_the_first_token_alone_is_a_copy_of_its_row():
    alone = first_token(stage(), "cls_vector")
    assert alone.tensor.shape == (BATCH, 1, WIDTH)
    assert (alone.tensor[:, 0] == X[:, 0]).all()
    assert alone.axes[1].names() == ("a",)


@for_all(
    "wrong",
    [
        lambda: FeedForward(**matrices(W_1=(4, D_FF), b_1=(D_FF,), W_2=(D_FF, 5), b_2=(5,))).stages(
            stage()
        ),
        lambda: Norm(np.ones(4), np.ones(5), 1e-5).stages(stage()),
        lambda: output_head(stage(), np.ones((5, 3)), np.ones(2), "class", ("a", "b", "c")),
    ],
)
def test_matrices_that_do_not_fit_are_refused(wrong):
    with refuses("shape_mismatch"):
        wrong()


def test_an_activation_that_is_not_known_is_refused():
    with pytest.raises(ValueError, match="is none of relu, gelu"):
        feed_forward("swish")
    W = np.eye(WIDTH)
    with pytest.raises(ValueError, match="is none of relu, gelu"):
        GatedFeedForward(W, W, W, "swish")
